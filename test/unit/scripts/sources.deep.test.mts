import { mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { changedFiles, lookAtSources, quietSources } from '../../../scripts/sources.mts';

let sources = '';
beforeEach(() => {
	sources = mkdtempSync(join(tmpdir(), 'sources-test-'));
	for (const folder of ['nodes', 'credentials', 'icons']) mkdirSync(join(sources, folder));
	save('nodes/a.ts', 'a');
});
afterEach(() => rmSync(sources, { recursive: true, force: true }));

const save = (path: string, text: string): void => writeFileSync(join(sources, path), text);

test.each<[string, () => void, string[]]>([
	['nothing', () => undefined, []],
	['a file written again', () => save('nodes/a.ts', 'longer'), ['nodes/a.ts']],
	['a new file', () => save('icons/b.svg', '<svg/>'), ['icons/b.svg']],
	['a removed file', () => rmSync(join(sources, 'nodes/a.ts')), ['nodes/a.ts']],
	['a file outside', () => save('README.md', 'text'), []],
	[
		'a file in a new folder',
		() => {
			mkdirSync(join(sources, 'credentials/deep'));
			save('credentials/deep/c.ts', 'c');
		},
		['credentials/deep/c.ts'],
	],
	[
		'a file put in the place of another, as editors do',
		() => {
			save('new', 'b');
			renameSync(join(sources, 'new'), join(sources, 'nodes/a.ts'));
		},
		['nodes/a.ts'],
	],
])('recognises %s', (_what, change, noticed) => {
	const before = lookAtSources(sources);
	change();
	expect(changedFiles(before, lookAtSources(sources))).toEqual(noticed);
});

test('waits for files that are saved meanwhile', async () => {
	const before = lookAtSources(sources);
	save('nodes/a.ts', 'first');
	const quiet = quietSources(sources, 20);
	save('nodes/b.ts', 'second');
	expect(changedFiles(before, await quiet)).toEqual(['nodes/a.ts', 'nodes/b.ts']);
});
