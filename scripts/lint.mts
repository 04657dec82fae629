/**
 * Runs ESLint and checks the formatting with Prettier. A file that passed once is not checked again
 * until it changes, or something that it imports: rules that know types depend on that.
 */
import { readFileSync } from 'node:fs';
import { join, relative } from 'node:path';

import { ESLint } from 'eslint';

import { capture } from './bootstrap/npm.cjs';
import { checkout, tool } from './checkout.mts';
import { closureOf, filesOf, importsOf } from './imported.mts';
import { addPassed, hashOf, readPassed } from './passed.mts';

const CHECK = 'lint';
/** What decides about all files: the rules, their versions, and the types of what all import. */
const COMMON = [
	'package-lock.json',
	'eslint.config.mjs',
	'.prettierrc.json',
	'.prettierignore',
	'.editorconfig',
	'tsconfig.json',
	'tsconfig.tools.json',
	'tsconfig.page.json',
];
/** What ESLint checks, and what only Prettier does. */
const CODE = ['.ts', '.mts', '.js', '.mjs', '.cjs'];
const STYLED = ['.css', '.html'];

const isOneOf = (endings: readonly string[]) => (file: string) =>
	endings.some((ending) => file.endsWith(ending));

const read = (file: string): string => readFileSync(join(checkout, file), 'utf8');

/** By file, the hash of all that its check depends on. */
function hashes(): Map<string, string> {
	const files = filesOf(...CODE, ...STYLED, '.json');
	const imports = importsOf(files);
	const contents = new Map(files.map((file) => [file, hashOf(file, read(file))]));
	const everywhere = [...COMMON, 'scripts/lint.mts', ...files.filter(isOneOf(['.d.ts']))];
	const common = hashOf(...everywhere.map(read));
	return new Map(
		files
			.filter(isOneOf([...CODE, ...STYLED]))
			.map((file) => [
				file,
				hashOf(common, ...closureOf(file, imports).map((member) => contents.get(member) ?? '')),
			]),
	);
}

/** The files that Prettier would change. */
async function unformatted(files: readonly string[]): Promise<string[]> {
	const { code, output } = await capture(
		process.execPath,
		[
			tool('prettier/bin/prettier.cjs'),
			'--list-different',
			'--no-error-on-unmatched-pattern',
			...files,
		],
		{ cwd: checkout },
	);
	if (code === 0) return [];
	console.error(`Prettier would change this. Run npm run format:\n\n${output}`);
	const listed = new Set(output.split('\n'));
	const found = files.filter((file) => listed.has(file));
	// If Prettier failed, nothing counts as checked.
	return found.length > 0 ? found : [...files];
}

/** What ESLint finds in these files, printed. Returns the files with findings. */
async function findings(files: readonly string[]): Promise<string[]> {
	const eslint = new ESLint({ cwd: checkout });
	const linted = [];
	for (const file of files) if (!(await eslint.isPathIgnored(file))) linted.push(file);
	const results = linted.length > 0 ? await eslint.lintFiles(linted) : [];
	const formatter = await eslint.loadFormatter('stylish');
	const report = await formatter.format(results);
	if (report) console.error(report);
	return results
		.filter(({ errorCount, warningCount }) => errorCount + warningCount > 0)
		.map(({ filePath }) => relative(checkout, filePath));
}

/** Checks what did not pass before. Returns whether all of it passes now. */
async function lint(): Promise<boolean> {
	const before = readPassed(CHECK);
	const wanted = [...hashes()].filter(([, hash]) => !before.has(hash));
	const files = wanted.map(([file]) => file);
	if (files.length === 0) return true;
	const failed = new Set(
		(await Promise.all([unformatted(files), findings(files.filter(isOneOf(CODE)))])).flat(),
	);
	addPassed(
		CHECK,
		wanted.filter(([file]) => !failed.has(file)).map(([, hash]) => hash),
	);
	return failed.size === 0;
}

if (!(await lint())) process.exitCode = 1;
