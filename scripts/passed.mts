/**
 * What a check has passed, by its hash. It is in the cache outside the checkout, so that a new
 * clone is checked no longer than an old one.
 */
import { createHash, randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

import { cacheRoot } from './bootstrap/cache.cjs';

/** Hashes that are kept, the newest: those of some twenty states of the whole project. */
const KEPT = 20_000;

export const hashOf = (...texts: string[]): string => {
	const hash = createHash('sha256');
	// With its length, because texts side by side could be divided in other ways.
	for (const text of texts) hash.update(`${text.length}:${text}`);
	return hash.digest('base64url');
};

const fileOf = (check: string): string => join(cacheRoot(), 'passed', `${check}.json`);

export const readPassed = (check: string): Set<string> =>
	new Set(
		existsSync(fileOf(check)) ? (JSON.parse(readFileSync(fileOf(check), 'utf8')) as string[]) : [],
	);

/** Adds hashes. Of two runs that do this at once, one may lose its own, and checks again. */
export function addPassed(check: string, hashes: readonly string[]): void {
	const file = fileOf(check);
	const all = [...new Set([...hashes, ...readPassed(check)])].slice(0, KEPT);
	mkdirSync(dirname(file), { recursive: true });
	const draft = `${file}.${randomBytes(6).toString('hex')}`;
	writeFileSync(draft, JSON.stringify(all));
	renameSync(draft, file);
}
