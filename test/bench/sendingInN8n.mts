/**
 * Sending from a real n8n to the sandbox: how close it comes to what concurrency, latency and rate
 * allow.
 */
import { join } from 'node:path';

import { capture } from '#scripts/bootstrap/npm.cjs';
import { checkout } from '#scripts/checkout.mts';
import {
	clearFaults,
	clearRequests,
	number,
	openConversations,
	sendRequests,
	sendTextParameters,
} from '../host/harness/conversations.mts';
import type { Host } from '../host/harness/host.mts';
import type { BareLoop } from './bare.mts';
import { delaySends } from './n8n.mts';
import { atMost, type Bound } from './report.mts';
import { byTurns, medianOf } from './statistics.mts';

const RUNS = 5;
const COUNT = 1000;
const CONCURRENCY = 20;
const LATENCY_MS = 100;
const RECIPIENTS = Array.from({ length: 200 }, (_, index) => number(index));

/**
 * One run of the node over the items: its seconds as n8n recorded them, and when the service got
 * them. Fails unless there was one request for each.
 */
async function runOnce(host: Host, count: number, options: Record<string, number>, latency = 0) {
	const { channelId, credentialFor } = await openConversations(host, RECIPIENTS);
	const credential = await credentialFor(host.underTest.sandboxUrl);
	await clearFaults(host);
	if (latency > 0) await delaySends(host, latency);
	await clearRequests(host);
	const items = Array.from({ length: count }, (_, index) => ({
		to: RECIPIENTS[index % RECIPIENTS.length]!,
		text: `text ${index}`,
	}));
	const { execution, error } = await host.runAction(sendTextParameters(channelId, options), {
		items,
		credential,
	});
	await clearFaults(host);
	if (error) throw new Error(error.message);
	const { times } = await sendRequests(host, channelId);
	if (times.length !== count) throw new Error(`${times.length} requests for ${count} items`);
	return { seconds: (execution.resultData.runData.Action?.[0]?.executionTime ?? 0) / 1000, times };
}

/**
 * The same texts from a bare loop with a new connection for each, as n8n's helper makes one.
 * @returns its seconds
 */
async function runBare(host: Host): Promise<number> {
	const { channelId, secretKey } = await openConversations(host, RECIPIENTS);
	await delaySends(host, LATENCY_MS);
	const bare: BareLoop = {
		url: `${host.underTest.sandboxUrl}/v1/channels/${channelId}/messages`,
		count: COUNT,
		concurrency: CONCURRENCY,
		headers: { authorization: `Bearer ${secretKey}`, connection: 'close' },
		recipients: RECIPIENTS,
	};
	const script = join(import.meta.dirname, 'bare.mts');
	const parameters = ['--import', 'tsx', script, JSON.stringify(bare)];
	const { code, output } = await capture(process.execPath, parameters, { cwd: checkout });
	if (code !== 0) throw new Error(`the bare loop failed: ${output}`);
	await clearFaults(host);
	return Number(output);
}

const mostInOneSecond = (times: number[]): number =>
	Math.max(
		...times.map((from) => times.filter((time) => time >= from && time < from + 1000).length),
	);

export async function benchSending(host: Host): Promise<Bound[]> {
	await runOnce(host, 200, {});
	const { node, bare } = await byTurns(
		['node', 'bare'],
		RUNS,
		async (way) =>
			way === 'bare'
				? await runBare(host)
				: (await runOnce(host, COUNT, { maxConcurrency: CONCURRENCY }, LATENCY_MS)).seconds,
		0,
	);
	const paced: number[] = [];
	for (let run = 0; run < RUNS; run++) {
		const { times } = await runOnce(host, 500, { maxConcurrency: 20, maxPerSecond: 50 });
		paced.push(mostInOneSecond(times));
	}
	const beside = node.map((seconds) => seconds / medianOf(bare));
	return [
		atMost('Time at 100 ms latency / bare loop', beside, 1.05, { decimals: 3 }),
		atMost('Texts in any second at Max per Second 50', Math.max(...paced), 50, { decimals: 0 }),
	];
}
