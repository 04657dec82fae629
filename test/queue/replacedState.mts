/** A Code node behind a trigger writes static data, of which a worker has none: it replaces all. */
import { readFileSync } from 'node:fs';

import type { N8nHost } from '#scripts/n8n/host.mts';
import { SandboxControl } from '#scripts/n8n/sandbox.mts';
import { until } from '#scripts/until.mts';
import { createAccount } from '../host/harness/listener.mts';
import { listWebhooks } from '../host/harness/questions.mts';
import { allEnded, readExecutions } from '../load/executions.mts';
import { accountFor, oncePerLife } from '../load/records.mts';
import type { Report } from '../load/report.mts';
import { Traffic } from '../load/traffic.mts';
import type { Cluster } from './cluster.mts';
import { readState, signInto } from './run.mts';
import { createCounting } from './workflows.mts';

const EVENTS = 100;
const LIMIT_MS = 300_000;
const WARNING = "The signing secret is gone from the workflow's static data";

/** Counts what becomes of the events meanwhile, and looks whether publishing again mends it. */
export async function replaceState(
	cluster: Cluster,
	n8n: N8nHost,
	sandboxUrl: string,
	report: Report,
): Promise<void> {
	const sandbox = new SandboxControl(sandboxUrl);
	const { secretKey, channels } = await createAccount({ sandbox }, ['Static data']);
	const [channelId = ''] = channels;
	const host = await signInto(cluster, n8n, sandboxUrl, secretKey);
	const { id } = await createCounting(host, channelId);
	const untilState = async (isThere: boolean): Promise<void> =>
		void (await until(
			isThere ? 'the secret to be stored' : 'the Code node to replace it',
			async () => ((await readState(cluster, id)) !== undefined) === isThere,
			LIMIT_MS,
		));
	const publish = async () => {
		await host.client.publish(id);
		await untilState(true);
		return await listWebhooks({ host, channelId, secretKey });
	};
	const [webhook] = await publish();
	const traffic = new Traffic(sandbox, channelId, webhook?.id ?? '');
	const write = async (events: number): Promise<void> => {
		await traffic.write(events);
		await traffic.delivered(LIMIT_MS);
	};
	await write(1);
	await untilState(false);
	await write(EVENTS - 1);
	await allEnded(cluster.postgres.query, LIMIT_MS);
	const { executions } = await readExecutions(cluster.postgres.query, id);
	const account = accountFor(await traffic.records(), executions, oncePerLife([]));
	report.must('events executed while the secret was gone', account.executed, EVENTS);
	report.must('of them, executed again', account.repeated, 0);
	for (const { name, running } of cluster.processors) {
		const told = readFileSync(running.logFile, 'utf8').split(WARNING).length - 1;
		report.must(`${name}: warnings in the log, one an hour`, told, 1);
	}
	await host.client.unpublish(id);
	report.must('webhooks after publishing again', (await publish()).length, 1);
}
