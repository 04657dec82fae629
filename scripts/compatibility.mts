/**
 * The README's compatibility table: the n8n versions in which the whole host suite passed. Those
 * runs write it on request.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { checkout } from './checkout.mts';
import { GENERATIONS, type N8nChoice, versionOf } from './n8n/host.mts';
import { readManifest } from './n8n/package.mts';

const README = join(checkout, 'README.md');
/** A run: its n8n, its Node.js, this package's version, tests, and day. */
const ROW = /^\| ([\d.]+) \| [\d.]+ \| ([\d.]+) \| \d+ passed, 0 failed \| [\d-]+ \|\n/gm;

export interface RecordedRun {
	n8n: string;
	/** Version of this package. */
	package: string;
	/** Its line of the table. */
	row: string;
}

export const readRuns = (readme = readFileSync(README, 'utf8')): RecordedRun[] =>
	[...readme.matchAll(ROW)].map(([row, n8n = '', version = '']) => ({
		...{ n8n, package: version, row },
	}));

/** The README with a run in the place of the one in the same n8n, the newest n8n first. */
export function withRun(readme: string, run: RecordedRun): string {
	const before = readRuns(readme);
	const runs = [run, ...before.filter(({ n8n }) => n8n !== run.n8n)].sort((one, other) =>
		other.n8n.localeCompare(one.n8n, 'en', { numeric: true }),
	);
	const table = (some: RecordedRun[]) => some.map(({ row }) => row).join('');
	return readme.replace(table(before), table(runs));
}

/** Writes a passed run into the README's table. */
export function recordRun({ version }: N8nChoice, tests: number): void {
	const { version: own } = readManifest(checkout);
	const day = new Date().toISOString().slice(0, 10);
	const row = `| ${version} | ${process.versions.node} | ${own} | ${tests} passed, 0 failed | ${day} |\n`;
	const readme = readFileSync(README, 'utf8');
	writeFileSync(README, withRun(readme, { n8n: version, package: own, row }));
	console.log(`Recorded in the README: n8n ${version}, ${tests} tests.`);
}

/** Supported versions without a recorded run, each with its remedy. */
export const gapsIn = (runs: RecordedRun[]): string[] =>
	GENERATIONS.map(versionOf)
		.filter((version) => !runs.some(({ n8n }) => n8n === version))
		.map(
			(version) =>
				`The compatibility table lacks n8n ${version}. Run npm test -- host --n8n ${version} --record, and commit the changes.`,
		);
