import { existsSync, globSync, readFileSync, statSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';

import { checkout } from '#scripts/checkout.mts';
import { anchorsOf } from './anchors.mts';

const pages = globSync(['**/*.md', 'docs/llms.txt'], {
	cwd: checkout,
	exclude: ['**/node_modules/**', 'dist/**', 'dist-sandbox/**', 'test-artifacts/**', '.sandbox/**'],
}).sort();

/** The text without code, because a link in code is only an example. */
const textOf = (page: string): string =>
	readFileSync(join(checkout, page), 'utf8')
		.replace(/^```[^]*?^```/gm, '')
		.replace(/`[^`\n]*`/g, '`code`');

/** What a link into this repository fails to reach, in words. Undefined if it works. */
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

test('llms.txt has a line for each page', () => {
	const listed = [...textOf('docs/llms.txt').matchAll(/^- \[[^\]]+\]\(([^()]+)\): .+$/gm)].map(
		([, target = '']) => join('docs', target),
	);
	expect(listed.filter((page) => /(?:^|\/)docs\//.test(page)).sort()).toEqual(
		pages.filter((page) => /^(?:sandbox\/)?docs\/[^/]+\.md$/.test(page)),
	);
});

const REPOSITORY = 'https://github.com/n8n-nodes-business-messaging/n8n-nodes-business-messaging';
const sources = globSync(
	'{*.{md,json},{credentials,nodes,workflows,docs,sandbox,containers}/**/*.{md,json,ts,mts,js,html,yml,yaml}}',
	{ cwd: checkout, exclude: ['**/node_modules/**', 'package-lock.json'] },
).sort();

/**
 * Links to this repository at GitHub: of the credential, the nodes, the examples and the pages of
 * the sandbox.
 */
const linksOf = (source: string): string[] =>
	readFileSync(join(checkout, source), 'utf8')
		.split(REPOSITORY)
		.slice(1)
		.map((rest) => /^[^\s"'`()<>\\]*/.exec(rest)?.[0].replace(/[.,;:]+$/, '') ?? '');

function problemOfLink(rest: string): string | undefined {
	// What GitHub shows of the repository beside its files.
	if (/^(\.git|\/(issues|compare\/\S+|releases\/tag\/\S+|security\/policy))$/.test(rest))
		return undefined;
	const [, path] = /^\/(?:blob|tree)\/main\/(.+)$/.exec(rest) ?? [];
	if (path !== undefined) return problemOf('README.md', path);
	return rest === '' || rest.startsWith('#')
		? problemOf('README.md', rest)
		: `${rest} is no file of the repository`;
}

test('every link to this repository leads to an existing file and heading', () => {
	const links = sources.flatMap((source) => linksOf(source).map((link) => ({ source, link })));
	expect(new Set(links.map(({ source }) => source.split('/')[0]))).toEqual(
		new Set([
			...['CHANGELOG.md', 'README.md', 'credentials', 'nodes', 'package.json', 'sandbox'],
			'workflows',
		]),
	);
	expect(
		links.flatMap(({ source, link }) => {
			const problem = problemOfLink(link);
			return problem === undefined ? [] : [`${source}: ${problem}`];
		}),
	).toEqual([]);
});

test('every page that code and comments name exists', () => {
	const named = sources.flatMap((source) =>
		[
			...readFileSync(join(checkout, source), 'utf8').matchAll(
				/\b(?:sandbox\/)?docs\/[\w/-]+\.md(?:#[\w-]+)?/g,
			),
		].map(([target]) => ({ source, target })),
	);
	expect(named.length).toBeGreaterThan(20);
	expect(
		named.flatMap(({ source, target }) => {
			const problem = problemOf('README.md', target);
			return problem === undefined ? [] : [`${source}: ${problem}`];
		}),
	).toEqual([]);
});
