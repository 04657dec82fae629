/**
 * One n8n in its usual mode, and repeated kill -9 of it.
 *
 * The run receive has a service with every kind of fault, and counts what became of every event.
 * The run once sends texts under keys, runs the workflow again after each kill, and counts what
 * became of every text. The run bursts kills nothing: customers write several messages in a row,
 * and it counts the executions that hold all of a burst.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { readCommandLine } from '../../sandbox/core/commandLine.cjs';
import { DEMO_SECRET_KEY } from '../../sandbox/seed.mts';
import { CHAOS } from '../../scripts/bootstrap/commands/long.cjs';
import { build } from '../../scripts/build.mts';
import { ExplainedError, runMain } from '../../scripts/bootstrap/explained.cjs';
import { whenParentEnds } from '../../scripts/bootstrap/parent.cjs';
import { installHost, type N8nHost } from '../../scripts/n8n/host.mts';
import { stopAll } from '../../scripts/n8n/processes.mts';
import { startSandbox } from '../../scripts/n8n/sandbox.mts';
import { Report } from '../load/report.mts';
import { ChaosRun, GROUPINGS, isGrouping } from './run.mts';
import { receiveBursts } from './burstsRun.mts';
import { FaultSchedule } from './faultSchedule.mts';
import { OnceRun } from './onceRun.mts';

const { values, words } = readCommandLine(CHAOS);

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
	process.once(signal, () => void stopAll().then(() => process.exit(130)));
whenParentEnds(() => void stopAll().then(() => process.exit(130)));

/** @returns what was done, for the report's title */
type Run = (program: N8nHost, place: Place, report: Report) => Promise<string>;
const RUNS: Record<(typeof words)[number], Run> = { receive, once: sendOnce, bursts };

await runMain(async () => {
	const [name = 'receive'] = words;
	const run = RUNS[name];
	const host = await installHost('current');
	const folder = mkdtempSync(join(tmpdir(), 'business-messaging-chaos-'));
	await build();
	const started = Date.now();
	const report = new Report();
	try {
		const sandbox = await startSandbox(join(folder, 'service'));
		const title = await run(host, { folder, sandboxUrl: sandbox.url }, report);
		report.figure('seconds', Math.round((Date.now() - started) / 1000));
		report.close(`Chaos: n8n ${host.version} with SQLite, ${title}`);
	} finally {
		await stopAll();
		rmSync(folder, { recursive: true, force: true });
	}
});

type Place = { folder: string; sandboxUrl: string };

async function receive(
	program: N8nHost,
	{ folder, sandboxUrl }: Place,
	report: Report,
): Promise<string> {
	const { grouping } = values;
	if (!isGrouping(grouping))
		throw new ExplainedError(`--grouping is one of ${Object.keys(GROUPINGS).join(', ')}.`);
	const [events, kills] = [wholeNumber('events'), wholeNumber('kills', '8')];
	if (events < 10 * (kills + 1))
		throw new ExplainedError('--events is ten or more for each part between the kills.');
	const run = await ChaosRun.prepare(program, join(folder, 'n8n'), sandboxUrl, grouping);
	const faults = new FaultSchedule(run.host.sandbox);
	await faults.start();
	await run.live(events, kills);
	await faults.stop();
	await run.settle();
	await run.account(report);
	for (const [kind, count] of faults.struck)
		report.atLeast(`attempts with the fault ${kind}`, count, 1);
	await run.close();
	return `killed ${kills} times, grouping ${grouping}`;
}

async function sendOnce(program: N8nHost, { sandboxUrl }: Place, report: Report): Promise<string> {
	const [texts, kills] = [wholeNumber('texts'), wholeNumber('kills', '20')];
	const seed = wholeNumber('seed', String(Date.now() % 2 ** 31));
	if (texts < 20 * (kills + 1))
		throw new ExplainedError('--texts is 20 or more for each part between the kills.');
	console.log(`Seed ${seed}`);
	const outcome = values['when-outcome-unknown'];
	if (outcome !== 'fail' && outcome !== 'sendAgain')
		throw new ExplainedError('--when-outcome-unknown is fail or sendAgain.');
	const run = await OnceRun.prepare(program, sandboxUrl, texts, outcome);
	try {
		await run.live(kills, seed);
		await run.account(report);
	} finally {
		await run.close();
	}
	return `${texts} texts with keys, ${outcome} when the outcome is unknown, killed ${kills} times, seed ${seed}`;
}

async function bursts(program: N8nHost, { sandboxUrl }: Place, report: Report): Promise<string> {
	const count = wholeNumber('bursts');
	await receiveBursts(program, { sandboxUrl, secretKey: DEMO_SECRET_KEY }, count, report);
	return `${count} bursts, grouping customer`;
}

function wholeNumber(name: keyof typeof values, fallback = ''): number {
	const number = Number(values[name] ?? fallback);
	if (!Number.isInteger(number) || number < 1)
		throw new ExplainedError(`--${name} is a whole number above 0.`);
	return number;
}
