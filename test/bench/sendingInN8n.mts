/**
 * Sending from a real n8n to the sandbox: how close it comes to what concurrency, latency and rate
 * allow.
 */
import {
	acceptedTexts,
	clearFaults,
	clearRequests,
	number,
	openConversations,
	sendRequests,
	sendTextParameters,
} from '../host/harness/conversations.mts';
import type { Host } from '../host/harness/host.mts';
import type { BareLoop } from './bare.mts';
import { resultOf, startScript } from './children.mts';
import { atMost, type Measured } from './report.mts';
import { medianOf, showSpread, spreadOf, table } from './statistics.mts';

const RUNS = 5;
const COUNT = 1000;
const CONCURRENCY = 20;
const LATENCY_MS = 100;

/**
 * One run of the node over the items: its seconds as n8n recorded them, what the service saw, and
 * whether all was accepted in order.
 */
async function runOnce(
	host: Host,
	recipients: string[],
	count: number,
	options: Record<string, number>,
	latency: number,
) {
	const { channelId, credentialFor } = await openConversations(host, recipients);
	const credential = await credentialFor(host.underTest.sandboxUrl);
	await clearFaults(host);
	if (latency > 0)
		await host.sandbox.post('/_sandbox/faults', {
			on: 'route',
			operation: 'sendMessage',
			kind: 'latency',
			ms: latency,
		});
	await clearRequests(host);
	const items = Array.from({ length: count }, (_, index) => ({
		to: recipients[index % recipients.length]!,
		text: `text ${index}`,
	}));
	const { execution, error } = await host.runAction(sendTextParameters(channelId, options), {
		items,
		credential,
	});
	await clearFaults(host);
	if (error) throw new Error(error.message);
	const { times, maxInFlight } = await sendRequests(host, channelId);
	const lastNumber = new Map<string, number>();
	for (const { customer, text } of await acceptedTexts(host, channelId)) {
		const place = Number(text.slice(5));
		if (place < (lastNumber.get(customer) ?? -1))
			throw new Error(`the texts to ${customer} were out of order`);
		lastNumber.set(customer, place);
	}
	if (times.length !== count) throw new Error(`${times.length} requests for ${count} items`);
	return {
		seconds: (execution.resultData.runData.Action?.[0]?.executionTime ?? 0) / 1000,
		times,
		maxInFlight,
	};
}

/**
 * The same texts from a bare loop with a new connection for each, as n8n's helper makes one.
 * @returns its seconds
 */
async function runBare(host: Host, recipients: string[]): Promise<number> {
	const { channelId, secretKey } = await openConversations(host, recipients);
	await host.sandbox.post('/_sandbox/faults', {
		on: 'route',
		operation: 'sendMessage',
		kind: 'latency',
		ms: LATENCY_MS,
	});
	const bare: BareLoop = {
		url: `${host.underTest.sandboxUrl}/v1/channels/${channelId}/messages`,
		count: COUNT,
		concurrency: CONCURRENCY,
		headers: { authorization: `Bearer ${secretKey}`, connection: 'close' },
		recipients,
	};
	const { seconds } = await resultOf<{ seconds: number }>(
		startScript('test/bench/bare.mts', ['loop', JSON.stringify(bare)]),
	);
	await clearFaults(host);
	return seconds;
}

function mostInOneSecond(times: number[]): number {
	return Math.max(
		...times.map((from) => times.filter((time) => time >= from && time < from + 1000).length),
	);
}

export async function benchSending(host: Host): Promise<Measured> {
	const recipients = Array.from({ length: 200 }, (_, index) => number(index));
	await runOnce(host, recipients, 200, {}, 0);

	const parallel = [];
	const bare = [];
	for (let run = 0; run < RUNS; run++) {
		parallel.push(
			await runOnce(host, recipients, COUNT, { maxConcurrency: CONCURRENCY }, LATENCY_MS),
		);
		bare.push(await runBare(host, recipients));
	}
	const paced = [];
	for (let run = 0; run < RUNS; run++)
		paced.push(await runOnce(host, recipients, 500, { maxConcurrency: 20, maxPerSecond: 50 }, 0));

	const ideal = (COUNT / CONCURRENCY) * (LATENCY_MS / 1000);
	const bareSeconds = medianOf(bare);
	// Ten windows of 50: the first at once, the last nine seconds later.
	const least = 9;
	const mostPerSecond = Math.max(...paced.map(({ times }) => mostInOneSecond(times)));
	return {
		blocks: [
			`One workflow run each, ${RUNS} runs, against the sandbox on the same machine. Seconds are n8n's own figure for the node. By turns with the first, a bare loop sends the same texts with a new connection for each, as n8n's helper does.`,
			table(
				['What', 'Seconds', 'Least possible', 'Ratio', 'At the service'],
				[
					[
						'1,000 texts to 200 recipients, 100 ms latency, Max Concurrency 20',
						showSpread(spreadOf(parallel.map(({ seconds }) => seconds))),
						`${ideal} s`,
						showSpread(spreadOf(parallel.map(({ seconds }) => seconds / ideal)), 3),
						`at most ${Math.max(...parallel.map(({ maxInFlight }) => maxInFlight))} under way`,
					],
					[
						'the same by the bare loop',
						showSpread(spreadOf(bare)),
						`${ideal} s`,
						showSpread(spreadOf(bare.map((seconds) => seconds / ideal)), 3),
						'',
					],
					[
						'500 texts, Max per Second 50',
						showSpread(spreadOf(paced.map(({ seconds }) => seconds))),
						`${least} s`,
						showSpread(spreadOf(paced.map(({ seconds }) => seconds / least)), 3),
						`at most ${mostPerSecond} in any second`,
					],
				],
			),
		],
		bounds: [
			atMost(
				'Time at 100 ms latency / bare loop',
				medianOf(parallel.map(({ seconds }) => seconds / bareSeconds)),
				1.1,
				{ decimals: 3 },
			),
			atMost('Texts in any second at Max per Second 50', mostPerSecond, 50, {
				decimals: 0,
			}),
		],
	};
}
