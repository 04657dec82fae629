/** How much one person has to carry: counted over the tracked files. */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { checkout } from '../../../scripts/checkout.mts';

const tracked = execFileSync('git', ['ls-files', '-z'], { cwd: checkout, encoding: 'utf8' })
	.split('\0')
	.filter((file) => file !== '');
const read = (file: string): string => readFileSync(join(checkout, file), 'utf8');
/** What is read: not the bars and lines of tables, nor addresses behind links. */
const words = (file: string): number =>
	read(file)
		.replaceAll(/\]\([^)]*\)/g, ']')
		.split(/\s+/)
		.filter((word) => /[\p{L}\p{N}]/u.test(word)).length;
const lines = (file: string): number => read(file).split('\n').length - 1;

const pages = tracked.filter((file) => /^docs\/[^/]+\.md$/.test(file));

test('the pages of the documents are at most 25, decisions aside', () => {
	expect(pages.length).toBeGreaterThan(10);
	expect(pages.length).toBeLessThanOrEqual(25);
});

test('the README has at most 1,000 words, the changelog of a version 300', () => {
	expect(words('README.md')).toBeLessThanOrEqual(1000);
	expect(words('CHANGELOG.md')).toBeLessThanOrEqual(300);
});

test('all pages have at most 27,900 words, decisions, the sandbox and the changelog aside', () => {
	const counted = tracked.filter(
		(file) => file.endsWith('.md') && !/^(?:docs\/decisions\/|sandbox\/|CHANGELOG)/.test(file),
	);
	expect(counted.length).toBeGreaterThan(20);
	expect(counted.reduce((sum, file) => sum + words(file), 0)).toBeLessThanOrEqual(27_900);
});

test('at most 16 files of the product have 25 lines or fewer', () => {
	const product = tracked.filter((file) => /^(?:nodes|credentials)\/.*\.ts$/.test(file));
	expect(product.length).toBeGreaterThan(50);
	const small = product.filter((file) => lines(file) <= 25);
	expect(small.length).toBeLessThanOrEqual(16);
});

const linesOf = (isCounted: (file: string) => boolean): number =>
	tracked.filter(isCounted).reduce((sum, file) => sum + lines(file), 0);
const isCode = (file: string): boolean => /\.(?:c?ts|mts|cjs|mjs|js|css|html)$/.test(file);

test('the sandbox is at most as large as the product', () => {
	const product = linesOf((file) => isCode(file) && /^(?:nodes|credentials)\//.test(file));
	expect(product).toBeGreaterThan(10_000);
	const sandbox = linesOf((file) => isCode(file) && file.startsWith('sandbox/'));
	expect(sandbox).toBeLessThanOrEqual(product);
});

// Wanted are 50,000. Until somebody gets there, no test may make the tests longer than they are.
test('the tests have at most 67,000 lines', () => {
	const counted = linesOf((file) => file.startsWith('test/'));
	expect(counted).toBeGreaterThan(10_000);
	expect(counted).toBeLessThanOrEqual(67_000);
});

test('npm run lists its commands on one screen', () => {
	const { scripts } = JSON.parse(read('package.json')) as { scripts: Record<string, string> };
	// A line for each, and one for what it runs.
	expect(Object.keys(scripts).length).toBeLessThanOrEqual(20);
});
