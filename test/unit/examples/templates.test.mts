/** What the examples about templates do not do. */
import type { IDataObject } from 'n8n-workflow';

import { conditionOf, evaluate, nodeOf } from './evaluate.mts';

test.each<[unknown, boolean]>([
	[true, true],
	[false, false],
	['false', true],
	[undefined, true],
	['', true],
])('with dryRun %j, it is a dry run: %s', (dryRun, isDry) => {
	const asked = conditionOf('copy-templates', 'Is It a Dry Run?');
	expect(evaluate(asked, {}, { Settings: { dryRun } as IDataObject })).toBe(isDry);
});

test('a draft whose name another template has does not start a broadcast of that one', () => {
	const { conditions } = nodeOf('template-from-draft-to-broadcast', 'Find the Draft').parameters
		.filters as { conditions: unknown[] };
	expect(conditions).toContainEqual({ keyName: 'status', condition: 'neq', keyValue: 'REFUSED' });
});
