import { gapsIn, readRuns, withRun } from '#scripts/compatibility.mts';

test('the table names every n8n that the package supports', () => {
	expect(gapsIn(readRuns())).toEqual([]);
	expect(gapsIn([])).toHaveLength(2);
});

test('a run takes the place of the one in the same n8n, the newest n8n first', () => {
	const rowOf = (n8n: string, version: string) =>
		`| ${n8n} | 24.2.0 | ${version} | 9 passed, 0 failed | 2026-11-22 |\n`;
	const run = (n8n: string, version: string) => ({
		...{ n8n, package: version, row: rowOf(n8n, version) },
	});
	const readme = `# Any\n\n|---|---|\n${rowOf('2.41.1', '0.1.0')}${rowOf('1.9.0', '0.1.0')}\nText`;
	expect(readRuns(readme)).toEqual([run('2.41.1', '0.1.0'), run('1.9.0', '0.1.0')]);
	const twice = withRun(withRun(readme, run('2.41.1', '0.2.0')), run('1.10.0', '0.2.0'));
	expect(readRuns(twice)).toEqual([
		...[run('2.41.1', '0.2.0'), run('1.10.0', '0.2.0'), run('1.9.0', '0.1.0')],
	]);
	expect(twice).toMatch(/^# Any\n\n\|---\|---\|\n\| 2[^]*\nText$/);
});
