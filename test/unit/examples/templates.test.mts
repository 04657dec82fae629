/** What the examples about templates do not do. */
import { compileFunction } from 'node:vm';

import { readExample } from '../../../scripts/n8n/provision.mts';

interface Conditions {
	conditions: Array<{ leftValue: string }>;
}

const parametersOf = (example: string, node: string) =>
	readExample(example).nodes.find(({ name }) => name === node)?.parameters;

test.each<[unknown, boolean]>([
	[true, true],
	[false, false],
	['false', true],
	[undefined, true],
	['', true],
])('with dryRun %j, it is a dry run: %s', (dryRun, isDry) => {
	const { conditions } = parametersOf('copy-templates', 'Is It a Dry Run?')
		?.conditions as Conditions;
	const [, expression = ''] = /^=\{\{(.*)\}\}$/.exec(conditions[0]?.leftValue ?? '') ?? [];
	const $ = () => ({ first: () => ({ json: { dryRun } }) });
	const evaluate = compileFunction(`return ${expression}`, ['$']) as (given: unknown) => unknown;
	expect(evaluate($)).toBe(isDry);
});

test('a draft whose name another template has does not start a broadcast of that one', () => {
	const { conditions } = parametersOf('template-from-draft-to-broadcast', 'Find the Draft')
		?.filters as { conditions: unknown[] };
	expect(conditions).toContainEqual({ keyName: 'status', condition: 'neq', keyValue: 'REFUSED' });
});
