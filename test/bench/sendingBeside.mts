/** Sending the same texts from the same n8n, by turns: this node, and n8n's HTTP Request node. */
import { randomUUID } from 'node:crypto';

import type { StoredWorkflow } from '../../scripts/n8n/types.mts';
import {
	clearFaults,
	clearRequests,
	number,
	openConversations,
	sendRequests,
	sendTextParameters,
} from '../host/harness/conversations.mts';
import { ACTION, type Host, startNode } from '../host/harness/host.mts';
import { plainNode } from '../queue/workflows.mts';
import { delaySends } from './n8n.mts';
import { atMost, type Bound } from './report.mts';
import { byTurns, medianOf } from './statistics.mts';

const ROUNDS = 3;
const TEXTS = 1_000;
const RECIPIENTS = Array.from({ length: 200 }, (_, index) => number(index));
const CONCURRENCY = 20;
const LATENCIES = [0, 100];

/**
 * A workflow for each way. The HTTP Request node waits for responses only in a loop over batches:
 * that is equal concurrency.
 */
async function createWays(host: Host) {
	const { channelId, secretKey, credentialFor } = await openConversations(host, RECIPIENTS);
	const { sandboxUrl } = host.underTest;
	const header = await host.client.createCredential(`Header ${randomUUID()}`, 'httpHeaderAuth', {
		name: 'Authorization',
		value: `Bearer ${secretKey}`,
	});
	const node = host.node(
		'Action',
		ACTION,
		sendTextParameters(channelId, { maxConcurrency: CONCURRENCY }),
		await credentialFor(sandboxUrl),
	);
	const request = {
		...plainNode('Request', 'httpRequest', 4.2, {
			method: 'POST',
			url: `${sandboxUrl}/v1/channels/${channelId}/messages`,
			authentication: 'genericCredentialType',
			genericAuthType: 'httpHeaderAuth',
			sendBody: true,
			specifyBody: 'json',
			jsonBody:
				'={{ JSON.stringify({ recipient: { identifier: $json.to }, content: { type: "TEXT", body: { message: $json.text } } }) }}',
			options: {},
		}),
		credentials: { httpHeaderAuth: { id: header.id, name: header.name } },
	};
	const split = plainNode('Loop', 'splitInBatches', 3, { batchSize: CONCURRENCY, options: {} });
	const to = (name: string) => [{ node: name, type: 'main', index: 0 }];
	const looped = {
		Start: { main: [to('Loop')] },
		// Its first output is for what is done, the second for the next batch.
		Loop: { main: [[], to('Request')] },
		Request: { main: [to('Loop')] },
	};
	const items = Array.from({ length: TEXTS }, (_, index) => ({
		to: RECIPIENTS[index % RECIPIENTS.length]!,
		text: `text ${index}`,
	}));
	return {
		channelId,
		own: await host.createWorkflow('This node', [startNode(), node], items),
		loop: await host.createWorkflow('A loop', [startNode(), split, request], items, looped),
	};
}

const storedMessages = async (host: Host) =>
	(await host.sandbox.get<{ messages: number }>('/_sandbox/state')).messages;

/** Seconds of a whole execution. Fails unless every text was accepted, and no more at once. */
async function secondsOf(host: Host, channelId: string, workflow: StoredWorkflow): Promise<number> {
	await clearRequests(host);
	const before = await storedMessages(host);
	const { startedAt, stoppedAt, resultData } = await host.client.execute(workflow, 'Start');
	if (resultData.error) throw new Error(`${workflow.name}: ${resultData.error.message}`);
	const accepted = (await storedMessages(host)) - before;
	const { maxInFlight } = await sendRequests(host, channelId);
	if (accepted !== TEXTS || maxInFlight > CONCURRENCY)
		throw new Error(`${workflow.name}: ${accepted} texts, ${maxInFlight} under way at once`);
	return (Date.parse(stoppedAt ?? '') - Date.parse(startedAt ?? '')) / 1000;
}

export async function benchSendingBeside(host: Host): Promise<Bound[]> {
	const bounds: Bound[] = [];
	for (const latency of LATENCIES) {
		// Anew, or what the service keeps grows from one latency to the next.
		const { channelId, ...ways } = await createWays(host);
		await clearFaults(host);
		if (latency > 0) await delaySends(host, latency);
		const { own, loop } = await byTurns(
			['own', 'loop'],
			ROUNDS,
			async (way) => await secondsOf(host, channelId, ways[way]),
		);
		await clearFaults(host);
		await host.cleanUp();
		const what = `Time at ${latency} ms latency / HTTP Request`;
		bounds.push(atMost(what, medianOf(own) / medianOf(loop), 1));
	}
	return bounds;
}
