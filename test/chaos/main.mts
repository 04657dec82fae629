/**
 * One n8n in its usual mode, a service on which everything goes wrong that can, and kill -9 again and again. Counts what became of every event.
 *
 *     npm run test:chaos [-- --events 10000] [--kills 8]
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';

import { build } from '../../scripts/build.mts';
import { ExplainedError, runMain } from '../../scripts/bootstrap/explained.cjs';
import { whenParentEnds } from '../../scripts/bootstrap/parent.cjs';
import { installHost } from '../../scripts/n8n/host.mts';
import { stopAll } from '../../scripts/n8n/processes.mts';
import { startSandbox } from '../../scripts/n8n/sandbox.mts';
import { Report } from '../load/report.mts';
import { ChaosRun } from './run.mts';
import { Weather } from './weather.mts';

const { values } = parseArgs({ options: { events: { type: 'string', default: '10000' }, kills: { type: 'string', default: '8' } } });

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, () => void stopAll().then(() => process.exit(130)));
whenParentEnds(() => void stopAll().then(() => process.exit(130)));

await runMain(async () => {
	const [events, kills] = [Number(values.events), Number(values.kills)];
	if (!Number.isInteger(events) || !Number.isInteger(kills) || kills < 1 || events < 10 * (kills + 1)) {
		throw new ExplainedError('--events and --kills are whole numbers, with ten events or more for each part between the kills.');
	}
	const host = await installHost('current');
	const folder = mkdtempSync(join(tmpdir(), 'business-messaging-chaos-'));
	await build();
	const started = Date.now();
	try {
		const sandbox = await startSandbox(join(folder, 'service'));
		const run = await ChaosRun.prepare(host, join(folder, 'n8n'), sandbox.url);
		const weather = new Weather(run.host.sandbox);
		await weather.start();
		await run.live(events, kills);
		await weather.stop();
		await run.settle();
		const report = new Report();
		await run.account(report);
		for (const [kind, count] of weather.struck) report.atLeast(`attempts with the fault ${kind}`, count, 1);
		report.figure('seconds', Math.round((Date.now() - started) / 1000));
		await run.close();
		report.close(`Chaos: n8n ${host.version} with SQLite, killed ${kills} times`);
	} finally {
		await stopAll();
		rmSync(folder, { recursive: true, force: true });
	}
});
