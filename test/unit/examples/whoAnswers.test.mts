/** Who answers in a chat, by the rows of Human Takeover. */
import { compileFunction } from 'node:vm';

import type { IDataObject } from 'n8n-workflow';

import { readExample } from '../../../scripts/n8n/provision.mts';

const { nodes } = readExample('human-takeover');

interface Condition {
	leftValue: string;
	rightValue: string;
}

/** Whether an If node says that a colleague answers. */
function isColleagueAt(node: string, rows: IDataObject[]): boolean {
	const { conditions } = nodes.find(({ name }) => name === node)?.parameters.conditions as {
		conditions: Condition[];
	};
	const [{ leftValue, rightValue } = { leftValue: '', rightValue: '' }] = conditions;
	const [, expression = ''] = /^=\{\{(.*)\}\}$/s.exec(leftValue) ?? [];
	const items = rows.map((json) => ({ json }));
	const $ = () => ({
		all: () => items,
		first: () => ({ json: { automaticSeconds: 5 } }),
	});
	const value = compileFunction(`return ${expression}`, ['$']) as ($: unknown) => unknown;
	return value($) === rightValue;
}

const at = (seconds: number): string =>
	new Date(Date.UTC(2026, 0, 1) + seconds * 1000).toISOString();
const customer = (first: number, last = first) => ({
	...{ answers: 'customer', firstAt: at(first), writtenAt: at(last) },
});
const colleague = (seconds: number) => ({ answers: 'colleague', writtenAt: at(seconds) });
const word = (seconds: number) => ({ answers: 'bot', writtenAt: at(seconds) });

describe.each(['Is a Colleague at It?', 'Has One Come Meanwhile?'])('%s', (node) => {
	test.each<[string, IDataObject[], boolean]>([
		['nothing but what the customer wrote', [customer(0)], false],
		['a colleague wrote before', [colleague(0), customer(60)], true],
		['a colleague answered after some seconds', [customer(0), colleague(5.1)], true],
		["the phone's greeting", [customer(0), colleague(0.7)], false],
		['a greeting in the same second', [colleague(0), customer(0)], false],
		['a greeting between several messages', [customer(0, 7), colleague(0.7)], false],
		['an away message after the last of several', [customer(0, 7), colleague(11.9)], false],
		['an earlier greeting', [customer(0), colleague(0.7), customer(600)], false],
		['a greeting, and a colleague', [colleague(-60), customer(0), colleague(1)], true],
		['a colleague handed back', [colleague(-60), word(-30), customer(0)], false],
		['a colleague handed back at once', [colleague(-60), customer(0), word(1)], false],
		['rows in any order', [customer(90), word(0), colleague(30)], true],
	])('%s', (_, rows, expected) => {
		expect(isColleagueAt(node, rows)).toBe(expected);
	});
});
