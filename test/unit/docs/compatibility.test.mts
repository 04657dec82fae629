import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { capture } from '../../../scripts/bootstrap/npm.cjs';
import { checkout } from '../../../scripts/checkout.mts';
import {
	type Compatibility,
	gapsIn,
	readCompatibility,
	withTable,
} from '../../../scripts/compatibility.mts';
import { versionOf } from '../../../scripts/n8n/host.mts';

const n8n = versionOf('current');
const run = { n8n, node: '24.1.0', package: '0.1.0', tests: 7, date: '2026-01-02' };

test('the table names every n8n that the package supports', () => {
	expect(gapsIn(readCompatibility())).toEqual([]);
});

test("the README's table shows the recorded runs", () => {
	const readme = readFileSync(join(checkout, 'README.md'), 'utf8');
	expect(readme).toBe(withTable(readme, readCompatibility()));
});

test('a missing run, or one of another version, is reported with the remedy', () => {
	const [missing, other] = gapsIn({ current: { ...run, n8n: '1.0.0' } });
	expect(missing).toContain(
		`n8n ${versionOf('current')}. Run npm test -- host --n8n current --record`,
	);
	expect(other).toContain(`n8n ${versionOf('oldest')}. Run npm test -- host --n8n oldest --record`);
	expect(gapsIn({ current: run, oldest: { ...run, n8n: versionOf('oldest') } })).toEqual([]);
});

test('writing the table changes only the text between its marks', () => {
	const before = 'a\n<!-- compatibility: by the tests -->\nold\n<!-- end -->\nb\n';
	const after = withTable(before, { current: run });
	expect(after).toMatch(
		/^a\n<!-- compatibility: by the tests -->\n\n\| n8n .*\n\|---.*\n\| .* \| 24\.1\.0 \| 0\.1\.0 \| 7 passed, 0 failed \| 2026-01-02 \|\n\n<!-- end -->\nb\n$/,
	);
	expect(withTable(after, { current: run })).toBe(after);
	expect(() => withTable('no marks', {})).toThrow(/lacks the markers/);
});

test('a version between two others has its row between theirs', () => {
	const runs = ['1.123.81', '2.9.0', '2.41.1', '2.20.12'].map((n8n) => [n8n, { ...run, n8n }]);
	const marks = '<!-- compatibility: by the tests -->\n<!-- end -->';
	const written = withTable(marks, Object.fromEntries(runs) as Compatibility);
	expect([...written.matchAll(/^\| (\d\S+)/gm)].map(([, n8n]) => n8n)).toEqual([
		...['2.41.1', '2.20.12', '2.9.0', '1.123.81'],
	]);
});

test('a run that is not the whole host suite is not recorded', async () => {
	const script = ['--import', 'tsx', 'scripts/test.mts', 'unit', '--record'];
	const { code, output } = await capture(process.execPath, script, { cwd: checkout });
	expect(output).toContain('--record needs the whole host suite');
	expect(code).toBe(1);
}, 60_000);
