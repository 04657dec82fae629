/** Which files of the repository a file depends on. */
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, posix } from 'node:path';

import { checkout } from './checkout.mts';

/** The files of the repository with these endings, tracked or new. */
export const filesOf = (...endings: string[]): string[] =>
	execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard', '-z'], {
		cwd: checkout,
		encoding: 'utf8',
	})
		.split('\0')
		.filter((file) => endings.some((ending) => file.endsWith(ending)))
		.filter((file) => existsSync(join(checkout, file)));

const IMPORT = /(?:from|import|require)\s*\(?\s*['"](\.[^'"\n]*)['"]/g;
/** What an import leaves out. */
const ENDINGS = ['', '.ts', '.mts', '.cts', '/index.ts'];

/** The files that each of these files imports, directly. */
export function importsOf(files: readonly string[]): Map<string, string[]> {
	const known = new Set(files);
	return new Map(
		files.map((file) => {
			const text = readFileSync(join(checkout, file), 'utf8');
			const imported = [...text.matchAll(IMPORT)].flatMap(([, path = '']) => {
				const target = posix.normalize(posix.join(dirname(file), path));
				const found = ENDINGS.map((ending) => target + ending).find((name) => known.has(name));
				return found ?? [];
			});
			return [file, imported];
		}),
	);
}

/** A file with all that it imports, directly or not, in the order of their names. */
export function closureOf(file: string, imports: Map<string, string[]>): string[] {
	const found = new Set([file]);
	for (const member of found) for (const next of imports.get(member) ?? []) found.add(next);
	return [...found].sort();
}
