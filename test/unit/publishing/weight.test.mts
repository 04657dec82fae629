/** How much one person has to carry: counted over the tracked files. */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { checkout } from '#scripts/checkout.mts';

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

test('the pages of the documents are at most 22, decisions aside, of 22,000 words', () => {
	expect(pages.length).toBeGreaterThan(10);
	expect(pages.length).toBeLessThanOrEqual(22);
	expect(pages.reduce((sum, file) => sum + words(file), 0)).toBeLessThanOrEqual(22_000);
});

test('the README has at most 1,000 words, the changelog of a version 300', () => {
	expect(words('README.md')).toBeLessThanOrEqual(1000);
	expect(words('CHANGELOG.md')).toBeLessThanOrEqual(300);
});

test('all pages have at most 27,830 words, decisions, the sandbox and the changelog aside', () => {
	const counted = tracked.filter(
		(file) => file.endsWith('.md') && !/^(?:docs\/decisions\/|sandbox\/|CHANGELOG)/.test(file),
	);
	expect(counted.length).toBeGreaterThan(20);
	expect(counted.reduce((sum, file) => sum + words(file), 0)).toBeLessThanOrEqual(27_830);
});

test('at most 10 files of the product have 25 lines or fewer', () => {
	const product = tracked.filter((file) => /^(?:nodes|credentials)\/.*\.ts$/.test(file));
	expect(product.length).toBeGreaterThan(50);
	const small = product.filter((file) => lines(file) <= 25);
	expect(small.length).toBeLessThanOrEqual(10);
});

const isCode = (file: string): boolean => /\.(?:c?ts|mts|cjs|mjs|js|css|html)$/.test(file);

const GENERATED = /service\/(?:numberPlans|fileEndings)\.ts$/;

// A change that adds takes away in the same commit, or docs/decisions/weight.md says why it cannot.
test.each([
	['product', /^(?:nodes|credentials)\//, 25_015],
	['sandbox', /^sandbox\//, 22_004],
	['tests', /^test\//, 64_935],
	['scripts', /^scripts\/(?!pins\/)/, 4_600],
	['examples', /^workflows\/.*\.(?:json|yaml)$/, 8_894],
])('the %s: as many lines as it has, and no more', (_, part, bound) => {
	const counted = tracked.filter(
		(file) =>
			part.test(file) && (isCode(file) || /\.(?:json|yaml)$/.test(file)) && !GENERATED.test(file),
	);
	const found = counted.reduce((sum, file) => sum + lines(file), 0);
	expect(found).toBeGreaterThan(0.9 * bound);
	expect(found).toBeLessThanOrEqual(bound);
});

test('npm run lists its commands on one screen', () => {
	const { scripts } = JSON.parse(read('package.json')) as { scripts: Record<string, string> };
	// A line for each, and one for what it runs.
	expect(Object.keys(scripts).length).toBeLessThanOrEqual(20);
});
