import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { checkout } from '#scripts/checkout.mts';

const page = readFileSync(join(checkout, 'docs', 'errors.md'), 'utf8');
const firstCells = [...page.matchAll(/^\| (.+?) \| /gm)].map(([, cell = '']) => cell);

test('the page of errors lists every reason, and no other', () => {
	const code = readFileSync(
		join(checkout, 'nodes', 'BusinessMessaging', 'service', 'errors', 'serviceError.ts'),
		'utf8',
	);
	const union = /export type FailureReason =([^;]+);/.exec(code)?.[1] ?? '';
	const reasons = [...union.matchAll(/'(\w+)'/g)].map(([, reason]) => reason);
	expect(reasons.length).toBeGreaterThan(15);
	const described = firstCells.flatMap((cell) => /^`(\w+)`$/.exec(cell)?.[1] ?? []);
	// The item's own fault. There was no request, so none failed.
	expect([...new Set(described)].sort()).toEqual([...reasons, 'invalid_input'].sort());
});

const source = globSync('nodes/**/*.ts', { cwd: checkout })
	.map((file) => readFileSync(join(checkout, file), 'utf8'))
	.join('\n');
/** What people see, word for word. … is a part that varies. */
const quoted = firstCells.flatMap((cell) =>
	[...cell.matchAll(/"([^"]+)"/g)].map(([, words = '']) => words),
);

test('lists words to search for', () => {
	expect(quoted.length).toBeGreaterThan(6);
});

test.each(quoted)('the nodes say what the page tells people to search for: %s', (words) => {
	for (const part of words.split('…')) expect(source).toContain(part.trim());
});
