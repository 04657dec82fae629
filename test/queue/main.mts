/**
 * n8n in queue mode under load, while its processes and Redis are killed in turn. Counts, at the service and in n8n's database, what became of every
 * event and of every text.
 *
 *     npm run test:queue [-- --events 600] [--n8n-defaults]
 *
 * `--n8n-defaults` leaves out what docs/queue-mode.md recommends: then events are lost that a killed worker was at work on.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';

import { build } from '../../scripts/build.mts';
import { runMain } from '../../scripts/bootstrap/explained.cjs';
import { whenParentEnds } from '../../scripts/bootstrap/parent.cjs';
import { installHost } from '../../scripts/n8n/host.mts';
import { stopAll } from '../../scripts/n8n/processes.mts';
import { startSandbox } from '../../scripts/n8n/sandbox.mts';
import { Report } from '../load/report.mts';
import { accountForAll } from './account.mts';
import { type Cluster, FAST, MODE, RECOMMENDED, startCluster } from './cluster.mts';
import { checkComposition } from './composition.mts';
import { disturb } from './disturbances.mts';
import { Run } from './run.mts';

const { values } = parseArgs({ options: { events: { type: 'string', default: '600' }, 'n8n-defaults': { type: 'boolean', default: false } } });

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, () => void stopAll().then(() => process.exit(130)));
whenParentEnds(() => void stopAll().then(() => process.exit(130)));

await runMain(async () => {
	const host = await installHost('current');
	const folder = mkdtempSync(join(tmpdir(), 'business-messaging-queue-'));
	await build();
	const checked = await checkComposition({ ...MODE, ...RECOMMENDED, ...FAST }, host.version);
	console.log(checked ? 'Docker Compose accepts docs/queue-mode/compose.yaml, and it has the settings that are recommended.' : 'There is no Docker Compose here: docs/queue-mode/compose.yaml is not checked.');
	const started = Date.now();
	let cluster: Cluster | undefined;
	try {
		const sandbox = await startSandbox(join(folder, 'service'));
		cluster = await startCluster(host, folder, values['n8n-defaults'] ? {} : RECOMMENDED);
		console.log(`n8n ${host.version} in queue mode runs after ${seconds(started)} s.`);
		const run = await Run.prepare(cluster, host, sandbox.url);
		const report = new Report();
		const keeper = run.keepUp();
		await disturb(cluster, run, Math.max(60, Number(values.events)));
		const dropped = await run.settle();
		await keeper.stop();
		await accountForAll(run, report);
		report.figure('jobs of workers that were gone, dropped', dropped);
		report.must('webhooks left at the service after unpublishing', await run.unpublish(), 0);
		report.figure('seconds', seconds(started));
		report.close(`Queue mode: n8n ${host.version}, one main, two workers, two webhook processors`);
	} finally {
		await cluster?.close();
		await stopAll();
		rmSync(folder, { recursive: true, force: true });
	}
});

function seconds(since: number): number {
	return Math.round((Date.now() - since) / 1000);
}
