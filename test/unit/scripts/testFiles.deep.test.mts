import { execFileSync } from 'node:child_process';
import { relative } from 'node:path';

import { checkout, tool } from '../../../scripts/checkout.mts';
import { filesOf } from '../../../scripts/imported.mts';
import { type Depth, OF_DEPTH } from '../../../scripts/jest.mts';

/** The files that Jest would run, in all projects. */
const filesIn = (depth: Depth): string[] =>
	execFileSync(
		process.execPath,
		['--import', 'tsx', tool('jest/bin/jest.js'), '--listTests', ...OF_DEPTH[depth]],
		{ cwd: checkout, encoding: 'utf8', maxBuffer: 2 ** 24 },
	)
		.trim()
		.split('\n')
		.map((file) => relative(checkout, file));

test('each test file runs in npm test or in npm run test:deep, and in one of them', () => {
	const all = filesOf('.test.mts').filter((file) => file.startsWith('test/'));
	expect(all.length).toBeGreaterThan(300);
	expect([...filesIn('daily'), ...filesIn('deep')].sort()).toEqual(all.sort());
});
