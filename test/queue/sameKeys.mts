/** Measures what n8n's memory cannot prevent: two processes with the same keys at the same time. */
import { randomUUID } from 'node:crypto';

import type { N8nHost } from '#scripts/n8n/host.mts';
import { SandboxControl } from '#scripts/n8n/sandbox.mts';
import type { StoredWorkflow } from '#scripts/n8n/types.mts';
import { acceptedTexts, number } from '../host/harness/conversations.mts';
import { ACTION, byId, type Host } from '../host/harness/host.mts';
import { createAccount } from '../host/harness/listener.mts';
import { allEnded } from '../load/executions.mts';
import type { Report } from '../load/report.mts';
import { start, webhookAt } from './byWebhook.mts';
import type { Cluster } from './cluster.mts';
import { signInto } from './run.mts';
import { countedItems, plainNode } from './workflows.mts';

/** With it, two executions at once are on two workers. */
export const ONE_JOB_EACH = { N8N_CONCURRENCY_PRODUCTION_LIMIT: '1' };

const RECIPIENTS = 20;
const KEYS_EACH = 500;
const LATENCY_MS = 20;
/**
 * From the request to the moment at which both executions begin to send, milliseconds: both have to
 * have been started by then.
 */
const HEAD_START_MS = 4000;
const LIMIT_MS = 120_000;

/**
 * Has two workers send the same texts under the same keys, from the same moment on, and counts how
 * many were accepted twice.
 */
export async function sendSameKeys(
	cluster: Cluster,
	n8n: N8nHost,
	sandboxUrl: string,
	keys: number,
	report: Report,
): Promise<void> {
	const sandbox = new SandboxControl(sandboxUrl);
	const { secretKey, channels } = await createAccount({ sandbox }, ['Same keys']);
	const [channelId = ''] = channels;
	for (let index = 0; index < RECIPIENTS; index++)
		await sandbox.customerWrites({
			...{ channelId, from: number(index), name: 'Customer', text: 'Hello' },
		});
	await sandbox.post('/_sandbox/faults', {
		on: 'route',
		operation: 'sendMessage',
		kind: 'latency',
		ms: LATENCY_MS,
	});
	const host = await signInto(cluster, n8n, sandboxUrl, secretKey);
	const path = randomUUID();
	const workflow = await createSending(host, channelId, path, keys);
	await host.client.publish(workflow.id);
	const batches = Math.ceil(keys / KEYS_EACH);
	for (let batch = 0; batch < batches; batch++) {
		const at = new Date(Date.now() + HEAD_START_MS).toISOString();
		await Promise.all([1, 2].map(async () => await start(cluster, path, { batch, at })));
		await allEnded(cluster.postgres.query, LIMIT_MS, { lookMs: 500 });
	}
	const texts = (await acceptedTexts(host, channelId)).map(({ text }) => text);
	const distinct = new Set(texts).size;
	report.must('keys whose text was accepted', distinct, batches * KEYS_EACH);
	report.figure('of them, keys whose text was accepted twice', texts.length - distinct);
}

/** Waits for the moment, and sends a batch of texts. */
async function createSending(
	host: Host,
	channelId: string,
	path: string,
	keys: number,
): Promise<StoredWorkflow> {
	const wait = plainNode('Wait', 'wait', 1.1, {
		resume: 'specificTime',
		dateTime: '={{ $json.body.at }}',
	});
	const name = "={{ $('Webhook').first().json.body.batch }}-{{ $json.item }}";
	const send = host.node('Send', ACTION, {
		resource: 'message',
		operation: 'sendText',
		channelId: byId(channelId),
		recipient: `={{ String(${number(0)} + $json.item % ${RECIPIENTS}) }}`,
		text: name,
		options: { sendOnceKey: name, sendOnceMemory: keys, maxConcurrency: RECIPIENTS },
	});
	return await host.createWorkflow('Same keys', [
		webhookAt(path),
		wait,
		...countedItems(KEYS_EACH),
		{ ...send, onError: 'continueRegularOutput' },
	]);
}
