/** What the tests take, for `npm test -- --times`. */
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';

import { checkout } from './checkout.mts';

/** Names the file that gets a line for each test file, from test/support/jest/environment.cjs. */
const TIMES_VARIABLE = 'BUSINESS_MESSAGING_TIMES';

export interface Took {
	what: string;
	/** Milliseconds. */
	wall: number;
	processor: number;
}

/** From now on, test files tell what they took. Returns what reads it in the end. */
export function beginTimes(): () => Took[] {
	const folder = mkdtempSync(join(tmpdir(), 'business-messaging-times-'));
	const file = join(folder, 'files');
	process.env[TIMES_VARIABLE] = file;
	return () => {
		const lines = existsSync(file) ? readFileSync(file, 'utf8').trim().split('\n') : [];
		rmSync(folder, { recursive: true, force: true });
		return lines.map((line) => {
			const { file: path, ...took } = JSON.parse(line) as Omit<Took, 'what'> & { file: string };
			return { ...took, what: relative(checkout, path) };
		});
	};
}

const seconds = (milliseconds: number): string =>
	`${(milliseconds / 1000).toFixed(1)} s`.padStart(9);

/** A table, the most expensive first. A server that several files share counts for their part. */
export const tableOf = (rows: Took[]): string =>
	[
		'     wall processor',
		...rows
			.sort((one, other) => other.processor - one.processor)
			.map(({ what, wall, processor }) => `${seconds(wall)} ${seconds(processor)}  ${what}`),
	].join('\n');
