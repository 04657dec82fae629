/** docs/promises.md: each promise has its file and its test, and each test has its promise. */
import { existsSync, globSync, readFileSync } from 'node:fs';
import { join, matchesGlob } from 'node:path';

import { checkout } from '#scripts/checkout.mts';
import { isDaily } from '#scripts/depths.mts';

/** Marks the few promises whose test only `npm run test:deep` runs. */
const DEEP = / \*deep\*$/;
/** The tables of promises. What follows them is about keys. */
const [page = ''] = readFileSync(join(checkout, 'docs', 'promises.md'), 'utf8').split(
	'\n## Sending once\n',
);
const promises = [
	...page.matchAll(
		/^\| (.+?) \| \[`[^`]+`\]\(\.\.\/(\S+)\) \| \[`[^`]+`\]\(\.\.\/(\S+)\): (.+) \|$/gm,
	),
].map(([, promise = '', keptBy = '', file = '', test = '']) => ({
	...{ promise, keptBy, file },
	name: test.replace(DEEP, ''),
	isDeep: DEEP.test(test),
}));

/** Folders, files without their endings, and beginnings of these, below `test/`. */
const places = [...page.matchAll(/^Tests: (.+)$/gm)].flatMap(([, line = '']) =>
	[...line.matchAll(/`([^`]+)`/g)].map(([, place = '']) => place),
);
const tests = globSync('{unit,core,sandbox,host,browser}/**/*.test.mts', {
	cwd: join(checkout, 'test'),
});
const isAt = (file: string, place: string): boolean =>
	[`${place}/**`, `${place}{,.deep}.test.mts`].some((pattern) => matchesGlob(file, pattern));

test('each row of the page is read', () => {
	expect(promises.length).toBeGreaterThan(30);
	expect(promises).toHaveLength(page.match(/^\| [A-Z*](?!romise \|)/gm)?.length ?? 0);
});

test.each(promises)('$promise', ({ keptBy, file, name }) => {
	expect(existsSync(join(checkout, keptBy))).toBe(true);
	expect(tests).toContain(file.replace(/^test\//, ''));
	const source = readFileSync(join(checkout, file), 'utf8').replaceAll("\\'", "'");
	expect(["'", '"', '`'].some((quote) => source.includes(quote + name + quote))).toBe(true);
});

test('npm test runs the test of each promise, except a few that are marked deep', () => {
	const deep = promises.filter(({ isDeep }) => isDeep);
	const late = promises.filter(({ file }) => !isDaily(file.replace(/^test\//, '')));
	expect(late.map(({ promise }) => promise)).toEqual(deep.map(({ promise }) => promise));
	expect(deep.length).toBeLessThanOrEqual(8);
});

test('every test is for a promise, or a tool of developers', () => {
	expect(tests.length).toBeGreaterThan(200);
	expect(tests.filter((file) => !places.some((place) => isAt(file, place)))).toEqual([]);
	expect(places.filter((place) => !tests.some((file) => isAt(file, place)))).toEqual([]);
});
