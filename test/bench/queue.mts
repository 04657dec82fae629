/**
 * n8n in queue mode: events executed beside n8n's Webhook node, and texts beside its HTTP Request
 * node, without and with keys, by turns, with two workers and one webhook processor. n8n's database
 * is PostgreSQL.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { installHost } from '#scripts/n8n/host.mts';
import { createAccount } from '../host/harness/listener.mts';
import type { Host } from '../host/harness/host.mts';
import { publishTrigger, type Receiver, RECEIVERS } from '../host/harness/receivers.mts';
import { type Cluster, RECOMMENDED, startCluster } from '../queue/cluster.mts';
import { secretReader, signInto } from '../queue/run.mts';
import { httpRequest, ours } from './batch.mts';
import { batchOf, executionOf, rateOf, sentIn, startInstantService } from './n8n.mts';
import { atLeast, atMost, type Bound } from './report.mts';
import { byTurns, medianOf, ratiosOf } from './statistics.mts';

const ROUNDS = 5;
const EVENTS = 600;
const CONNECTIONS = 20;
const SIZES = [1000, 3000];

export async function benchQueue(single: Host): Promise<Bound[]> {
	const program = await installHost('current');
	const folder = mkdtempSync(join(tmpdir(), 'business-messaging-bench-'));
	const cluster = await startCluster(program, folder, RECOMMENDED);
	try {
		cluster.proxy.backends.pop();
		await cluster.processors[1].stop();
		const { secretKey } = await createAccount(single, []);
		const host = await signInto(cluster, program, single.underTest.sandboxUrl, secretKey);
		return [await eventsOf(cluster, host), ...(await textsOf(cluster, host))];
	} finally {
		await cluster.close();
		rmSync(folder, { recursive: true, force: true });
	}
}

async function eventsOf(cluster: Cluster, host: Host): Promise<Bound> {
	const webhook = await RECEIVERS.webhook.publish(host);
	const receivers: Record<'trigger' | 'webhook', Receiver> = {
		trigger: await publishTrigger(host, {}, secretReader(cluster)),
		webhook: { ...webhook, url: new URL(new URL(webhook.url).pathname, cluster.proxy.url).href },
	};
	const { query } = cluster.postgres;
	const { trigger, webhook: plain } = await byTurns(
		['trigger', 'webhook'],
		ROUNDS,
		async (name) => await rateOf(host, receivers[name], EVENTS, CONNECTIONS, query),
	);
	return atLeast('Events executed / Webhook node', ratiosOf(trigger, plain), 1);
}

async function textsOf({ proxy }: Cluster, host: Host): Promise<Bound[]> {
	const service = await startInstantService();
	try {
		const withKeys = { options: { sendOnceKey: '={{ $json.text }}' } };
		const nodes = {
			'HTTP Request': await httpRequest(host, service.url),
			without: await ours(host, service.url),
			with: await ours(host, service.url, withKeys),
		};
		const send = async (way: keyof typeof nodes, size: number): Promise<number> => {
			// A new workflow has an empty memory.
			const workflow = await batchOf(host, size, nodes[way]);
			return await sentIn(host, await executionOf(host, workflow, proxy.url), size);
		};
		const bounds: Bound[] = [];
		for (const size of SIZES) {
			const seconds = await byTurns(
				['HTTP Request', 'without', 'with'],
				ROUNDS,
				async (way) => await send(way, size),
			);
			const of = (way: keyof typeof nodes) => medianOf(seconds[way]);
			bounds.push(
				atLeast(`Texts a second, ${size} / HTTP Request`, of('HTTP Request') / of('without'), 1.3),
				atMost(`Time of ${size} with keys / without`, of('with') / of('without'), 1.25),
			);
		}
		return bounds;
	} finally {
		service.close();
	}
}
