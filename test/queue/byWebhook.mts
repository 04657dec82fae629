import { until } from '#scripts/until.mts';
import type { Cluster } from './cluster.mts';
import { plainNode } from './workflows.mts';

const LIMIT_MS = 120_000;

/** A connection that was kept can be closed just when the next request is sent. */
export const ONE_REQUEST = { connection: 'close' };

/** The first node of a workflow that a request starts. */
export const webhookAt = (path: string) => ({
	...plainNode('Webhook', 'webhook', 2, {
		...{ httpMethod: 'POST', path, responseMode: 'onReceived', options: {} },
	}),
	webhookId: path,
});

/** Starts an execution, once its webhook is served. */
export async function start(cluster: Cluster, path: string, body: object): Promise<void> {
	await until(
		'the webhook to be served',
		async () =>
			(
				await fetch(new URL(`/webhook/${path}`, cluster.proxy.url), {
					method: 'POST',
					headers: { 'content-type': 'application/json', ...ONE_REQUEST },
					body: JSON.stringify(body),
				})
			).ok,
		LIMIT_MS,
	);
}
