import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { checkout } from '../../../scripts/checkout.mts';

test('the page of errors lists every reason, and no other', () => {
	const source = readFileSync(
		join(checkout, 'nodes', 'BusinessMessaging', 'service', 'errors', 'failure.ts'),
		'utf8',
	);
	const union = /export type FailureReason =([^;]+);/.exec(source)?.[1] ?? '';
	const reasons = [...union.matchAll(/'(\w+)'/g)].map(([, reason]) => reason);
	expect(reasons.length).toBeGreaterThan(15);
	const page = readFileSync(join(checkout, 'docs', 'errors.md'), 'utf8');
	const described = [...page.matchAll(/^\| `(\w+)` \|/gm)].map(([, reason]) => reason);
	// The item's own fault. There was no request, so none failed.
	expect([...new Set(described)].sort()).toEqual([...reasons, 'invalid_input'].sort());
});
