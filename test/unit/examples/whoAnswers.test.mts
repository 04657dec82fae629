/** Who answers in a chat, by the rows of Human Takeover. */
import type { IDataObject } from 'n8n-workflow';

import { assignedBy, conditionOf, evaluate, nodeOf } from './evaluate.mts';

/** Whether an If node says that a colleague answers. */
function isColleagueAt(node: string, rows: IDataObject[], now: number): boolean {
	const given = { Settings: { timestamp: at(now), silentMinutes: 30, automaticSeconds: 5 } };
	const all = { all: () => rows.map((json) => ({ json })) } as unknown as IDataObject;
	const read = { 'Who Answers in This Chat?': all, 'Look Once More': all };
	return evaluate(conditionOf('human-takeover', node), {}, given, read) !== 'bot';
}

const at = (seconds: number): string =>
	new Date(Date.UTC(2026, 0, 1) + seconds * 1000).toISOString();
const customer = (first: number, last = first) => ({
	...{ answers: 'customer', firstAt: at(first), writtenAt: at(last) },
});
const colleague = (seconds: number) => ({ answers: 'colleague', writtenAt: at(seconds) });
const person = (seconds: number) => ({ answers: 'person', writtenAt: at(seconds) });
const word = (seconds: number) => ({ answers: 'bot', writtenAt: at(seconds) });

/** Eight seconds of a customer, with a message of the business two seconds after each start. */
const bursts = (...starts: number[]) =>
	starts.flatMap((start) => [customer(start, start + 8), colleague(start + 2)]);
const MINUTES = [0, 20, 40, 60];

describe.each(['Is a Colleague at It?', 'Has One Come Meanwhile?'])('%s', (node) => {
	test.each<[string, IDataObject[], boolean, now?: number]>([
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
		['a greeting, and a colleague at once', [customer(0), colleague(0.7), colleague(4)], true],
		['a colleague who writes in bursts', [...bursts(0, 12), ...bursts(12, 24)], true],
		['bursts for more than half an hour', bursts(0, 1790), true, 1795],
		['answers at once, every twenty minutes', MINUTES.flatMap((at) => bursts(at * 60)), true, 3601],
		['a greeting after half an hour', [customer(0), colleague(1), ...bursts(1900)], false, 1910],
		["a greeting after a colleague's word", [word(-30), customer(0), colleague(1)], false],
		['a colleague half an hour ago', [colleague(0), customer(1801)], false, 1801],
		['the customer asked for a person', [customer(0), person(1)], true],
		['asked half an hour ago', [person(0), customer(1801)], false, 1801],
		['asked, and a colleague hands back', [customer(0), person(1), word(30)], false],
		['asked, and the phone greets', [customer(0), person(0), colleague(1)], true],
		['rows in any order', [customer(90), word(0), colleague(30)], true],
	])('%s', (_, rows, expected, now = 600) => {
		expect(isColleagueAt(node, rows, now)).toBe(expected);
	});
});

const EXAMPLES = ['human-takeover', 'shop-assistant'];
const ORDER = { text: 'Where is my order?' };
const TAP = { text: 'Menschen', reply: { id: 'person' } };

test.each<[what: string, ofAsking: IDataObject[], ofOthers: IDataObject[]]>([
	['a tap, by the ID, whatever its words', [TAP], []],
	['the words of a tap without an ID', [{ text: 'Talk to a person' }], []],
	['words', [{ text: 'can I talk to a person please?' }], []],
	['other words, and a word that has it inside', [], [ORDER, { text: 'My personal order' }]],
	['a photo without words', [], [{}]],
	['a tap below words', [TAP], [ORDER]],
])('each message is of one of two triggers, however they group: %s', (_, asking, others) => {
	const group = [...others, ...asking];
	for (const example of EXAMPLES)
		for (const messages of [group, ...group.map((one) => [one])])
			for (const isExecuted of [false, true]) {
				const given = messages.length > 1 ? { messages } : messages[0]!;
				const own = evaluate(
					assignedBy(example, 'Settings', 'messages'),
					given,
					{},
					{ 'When Somebody Writes': { isExecuted } },
				);
				expect(own).toEqual(messages.filter((one) => (isExecuted ? others : asking).includes(one)));
			}
});

test('offers a person below the first answer only', () => {
	const isFirst = (...answers: string[]) => {
		const all = { all: () => answers.map((one) => ({ json: { answers: one } })) };
		const read = { 'Look Once More': all as unknown as IDataObject };
		return evaluate(conditionOf('human-takeover', 'Was It the First?'), {}, {}, read);
	};
	expect(isFirst('customer', 'colleague')).toBe(true);
	expect(isFirst('customer', 'answer', 'customer')).toBe(false);
});

const takeover = nodeOf('human-takeover', 'Who Wrote?').parameters.rules as unknown as {
	values: Array<{ conditions: { conditions: Array<{ leftValue: string }> } }>;
};
const [ofColleagues = '', ofCustomers = ''] = takeover.values.map(
	({ conditions }) => conditions.conditions[0]!.leftValue,
);
const ofBoth = String(nodeOf('shop-assistant', 'A Customer or a Colleague?').parameters.output);
const TAKEN = {
	'human-takeover': ofColleagues,
	'shop-assistant': ofBoth,
	'scheduled-follow-ups': conditionOf('scheduled-follow-ups', 'Did a Colleague Answer?'),
};
const text = (type: string | null, words: string | null) => ({
	type,
	text: words,
	attachments: [],
});

/** Of a Switch by numbers, the first output. */
const isTaken = (condition: string, message: IDataObject, isExecuted = true): boolean =>
	[true, 0].includes(
		evaluate(
			condition,
			{ sessionId: 'C:1', recipient: { key: '2' }, ...message },
			{},
			{ 'When Somebody Writes': { isExecuted }, 'Set Up': { isExecuted: false } },
		) as never,
	);

test.each([ofCustomers, ofBoth])(
	'a second trigger takes those who ask for a person, and hears them while a question waits',
	(condition) => {
		const event = 'MESSAGE_RECEIVED';
		for (const messages of [[], [{}]])
			expect(isTaken(condition, { event, messages })).toBe(messages.length > 0);
		for (const example of EXAMPLES) {
			const { parameters } = nodeOf(example, 'When Somebody Asks');
			expect(parameters.options).toMatchObject({ ignoreReplies: false });
			expect(nodeOf(example, 'When Somebody Writes').parameters.options).toEqual({
				chatFields: true,
			});
		}
	},
);

test.each(Object.entries(TAKEN))('%s: words and files of a colleague count', (_, condition) => {
	const counts = (message: IDataObject, fromApi = false) =>
		isTaken(condition, { fromMe: true, fromApi, event: 'MESSAGE_DELIVERY', ...message });
	const file = { ...text('IMAGE', null), attachments: [{ type: 'IMAGE' }] };
	for (const one of [text('TEXT', 'I look'), file]) {
		expect(counts(one)).toBe(true);
		expect(counts(one, true)).toBe(false);
	}
	for (const one of [
		text('REACTION', '👍'),
		text('TEXT', ' '),
		text('EDIT', 'I look'),
		text('REVOKE', null),
		text(null, null),
		text('SYSTEM', 'The phone was changed'),
	])
		expect(counts(one)).toBe(false);
});
