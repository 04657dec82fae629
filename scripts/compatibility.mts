/**
 * The README's compatibility table: the n8n versions in which the whole host suite passed. Those
 * runs write it on request.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { ExplainedError } from './bootstrap/explained.cjs';
import { checkout } from './checkout.mts';
import { GENERATIONS, type N8nChoice, versionOf } from './n8n/host.mts';
import { readManifest } from './n8n/package.mts';

export interface CompatibilityRun {
	n8n: string;
	node: string;
	/** Version of this package. */
	package: string;
	/** Number of tests: all passed, none skipped. */
	tests: number;
	/** Day of the run, in UTC. */
	date: string;
}

/** By generation, or by version if scripts/pins/ has no lock for it. */
export type Compatibility = Record<string, CompatibilityRun>;

const RUNS = join(checkout, 'docs', 'compatibility.json');
const README = join(checkout, 'README.md');
const TABLE = /(<!-- compatibility: [^>]* -->)[^]*?(<!-- end -->)/;

export const readCompatibility = (): Compatibility =>
	JSON.parse(readFileSync(RUNS, 'utf8')) as Compatibility;

/** Stores a passed run and updates the README's table. */
export function recordRun({ generation, version, isPinned }: N8nChoice, tests: number): void {
	const run: CompatibilityRun = {
		n8n: version,
		node: process.versions.node,
		package: readManifest(checkout).version,
		tests,
		date: new Date().toISOString().slice(0, 10),
	};
	const recorded = { ...readCompatibility(), [isPinned ? generation : version]: run };
	const runs = Object.fromEntries(newestFirst(recorded));
	writeFileSync(RUNS, `${JSON.stringify(runs, null, '\t')}\n`);
	writeFileSync(README, withTable(readFileSync(README, 'utf8'), runs));
	console.log(
		`Recorded in docs/compatibility.json and the README: n8n ${run.n8n}, ${tests} tests.`,
	);
}

/** The README with the table of these runs between its markers. */
export function withTable(readme: string, runs: Compatibility): string {
	if (!TABLE.test(readme))
		throw new ExplainedError(
			'The README lacks the markers of its compatibility table: <!-- compatibility: … --> and <!-- end -->.',
		);
	return readme.replace(
		TABLE,
		(_table, begin: string, end: string) => `${begin}\n\n${tableOf(runs).join('\n')}\n\n${end}`,
	);
}

const newestFirst = (runs: Compatibility): Array<[string, CompatibilityRun]> =>
	Object.entries(runs).sort(([, one], [, other]) =>
		other.n8n.localeCompare(one.n8n, 'en', { numeric: true }),
	);

function tableOf(runs: Compatibility): string[] {
	const rows = newestFirst(runs).map(
		([, run]) =>
			`| ${run.n8n} | ${run.node} | ${run.package} | ${run.tests} passed, 0 failed | ${run.date} |`,
	);
	return [
		'| n8n | Node.js | This package | Tests in it | Last recorded run |',
		'|---|---|---|---|---|',
		...rows,
	];
}

/** Supported versions without a recorded run, each with its remedy. */
export function gapsIn(runs: Compatibility): string[] {
	return GENERATIONS.filter((generation) => runs[generation]?.n8n !== versionOf(generation)).map(
		(generation) =>
			`The compatibility table lacks n8n ${versionOf(generation)}. Run npm test -- host --n8n ${generation} --record, and commit the changes.`,
	);
}
