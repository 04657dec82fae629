import { existsSync, globSync, readFileSync, statSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';

import { checkout } from '../../../scripts/checkout.mts';
import { anchorsOf } from './anchors.mts';

const pages = globSync('**/*.md', {
	cwd: checkout,
	exclude: ['**/node_modules/**', 'dist/**', 'dist-sandbox/**', 'test-artifacts/**', '.sandbox/**'],
}).sort();

/** Without what is code: a link shown as an example is none. */
const textOf = (page: string): string =>
	readFileSync(join(checkout, page), 'utf8')
		.replace(/^```[^]*?^```/gm, '')
		.replace(/`[^`\n]*`/g, '`code`');

/** What a link to another place of this repository does not lead to, in words. Undefined when all is well. */
function problemOf(page: string, target: string): string | undefined {
	const [path = '', anchor] = target.split('#');
	const file =
		path === ''
			? page
			: relative(checkout, resolve(checkout, dirname(page), decodeURIComponent(path)));
	if (file.startsWith('..')) return `${target} leaves the repository`;
	if (!existsSync(join(checkout, file))) return `${target}: there is no ${file}`;
	if (anchor === undefined || !statSync(join(checkout, file)).isFile()) return undefined;
	return anchorsOf(file).has(anchor) ? undefined : `${target}: ${file} has no heading #${anchor}`;
}

test('there are pages to check', () => {
	expect(pages).toEqual(
		expect.arrayContaining([
			'CHANGELOG.md',
			'CONTRIBUTING.md',
			'README.md',
			'SECURITY.md',
			'docs/architecture.md',
			'docs/operations.md',
		]),
	);
});

test.each(pages)(
	'every relative link of %s leads somewhere, and every picture is described',
	(page) => {
		const problems = [...textOf(page).matchAll(/(!?)\[([^\]]*)\]\(([^()\s]+)\)/g)].flatMap(
			([link, isPicture, words, target = '']) => {
				if (isPicture === '!' && words === '') return [`${link}: a picture without a description`];
				if (/^[a-z]+:/i.test(target)) return [];
				return problemOf(page, target) ?? [];
			},
		);
		expect(problems).toEqual([]);
	},
);

describe('the pictures', () => {
	const pictures = globSync('docs/screenshots/*', { cwd: checkout });

	test('are all shown somewhere', () => {
		const shown = pages.flatMap((page) =>
			[...textOf(page).matchAll(/!\[[^\]]*\]\(([^()\s]+)\)/g)].map(([, target = '']) =>
				join(dirname(page), target),
			),
		);
		expect(pictures.sort()).toEqual(
			[...new Set(shown)].filter((file) => file.startsWith('docs/screenshots/')).sort(),
		);
	});

	test('are small enough to be looked at on the way', () => {
		const kilobytes = pictures.map((file) => statSync(join(checkout, file)).size / 1024);
		expect(kilobytes.length).toBeGreaterThan(0);
		expect(Math.max(...kilobytes)).toBeLessThan(100);
		expect(kilobytes.reduce((total, size) => total + size)).toBeLessThan(500);
	});
});
