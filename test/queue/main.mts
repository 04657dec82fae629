/**
 * n8n in queue mode under load, while its processes and Redis are killed in turn. Counts, at the
 * service and in n8n's database, what became of every event and of every text. Its other runs
 * disturb nothing.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { readCommandLine } from '../../sandbox/core/commandLine.cjs';
import { QUEUE } from '../../scripts/bootstrap/commands/long.cjs';
import { build } from '../../scripts/build.mts';
import { runMain } from '../../scripts/bootstrap/explained.cjs';
import { whenParentEnds } from '../../scripts/bootstrap/parent.cjs';
import { installHost, type N8nHost } from '../../scripts/n8n/host.mts';
import { stopAll } from '../../scripts/n8n/processes.mts';
import { startSandbox } from '../../scripts/n8n/sandbox.mts';
import { Report } from '../load/report.mts';
import { accountForAll } from './account.mts';
import { receiveBursts } from './bursts.mts';
import { type Cluster, FAST, MODE, RECOMMENDED, startCluster } from './cluster.mts';
import { checkComposition } from './composition.mts';
import { disturb } from './disturbances.mts';
import { askAndListen } from './questions.mts';
import { Run } from './run.mts';
import { ONE_JOB_EACH, sendSameKeys } from './sameKeys.mts';

const { values, words } = readCommandLine(QUEUE);

const end = () => void stopAll().then(() => process.exit(130));
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, end);
whenParentEnds(end);

interface QueueRun {
	env?: NodeJS.ProcessEnv;
	play(cluster: Cluster, host: N8nHost, sandboxUrl: string, report: Report): Promise<void>;
}

const RUNS: Record<(typeof words)[number], QueueRun> = {
	disturbed: { play: disturbAndCount },
	'same-keys': {
		env: ONE_JOB_EACH,
		play: async (cluster, host, sandboxUrl, report) =>
			await sendSameKeys(cluster, host, sandboxUrl, Number(values.keys), report),
	},
	bursts: {
		play: async (cluster, host, sandboxUrl, report) =>
			await receiveBursts(cluster, host, sandboxUrl, Number(values.bursts), report),
	},
	questions: {
		play: async (cluster, host, sandboxUrl, report) =>
			await askAndListen(cluster, host, sandboxUrl, Number(values.questions), report),
	},
};

await runMain(async () => {
	const [name = 'disturbed'] = words;
	const run = RUNS[name];
	const host = await installHost('current');
	const folder = mkdtempSync(join(tmpdir(), 'business-messaging-queue-'));
	await build();
	if (run === RUNS.disturbed) await checkDeployment(host.version);
	const started = Date.now();
	let cluster: Cluster | undefined;
	try {
		const sandbox = await startSandbox(join(folder, 'service'));
		cluster = await startCluster(host, folder, {
			...(values['n8n-defaults'] ? {} : RECOMMENDED),
			...run.env,
		});
		console.log(`n8n ${host.version} in queue mode runs after ${seconds(started)} s.`);
		const report = new Report();
		await run.play(cluster, host, sandbox.url, report);
		report.figure('seconds', seconds(started));
		report.close(`Queue mode: n8n ${host.version}, one main, two workers, two webhook processors`);
	} finally {
		await cluster?.close();
		await stopAll();
		rmSync(folder, { recursive: true, force: true });
	}
});

async function checkDeployment(version: string): Promise<void> {
	const checked = await checkComposition({ ...MODE, ...RECOMMENDED, ...FAST }, version);
	console.log(
		checked
			? 'Docker Compose accepts docs/queue-mode/compose.yaml, and it has the settings that are recommended.'
			: 'There is no Docker Compose here: docs/queue-mode/compose.yaml is not checked.',
	);
}

async function disturbAndCount(
	cluster: Cluster,
	host: N8nHost,
	sandboxUrl: string,
	report: Report,
): Promise<void> {
	const run = await Run.prepare(cluster, host, sandboxUrl);
	const keeper = run.keepUp();
	await disturb(cluster, run, Math.max(60, Number(values.events)));
	const dropped = await run.settle();
	await keeper.stop();
	await accountForAll(run, report);
	report.figure('jobs of workers that were gone, dropped', dropped);
	report.must('webhooks left at the service after unpublishing', await run.unpublish(), 0);
}

function seconds(since: number): number {
	return Math.round((Date.now() - since) / 1000);
}
