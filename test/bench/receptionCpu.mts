/**
 * Run by itself: the processor time of the built package's `webhook()` for deliveries of one size,
 * in n8n-core's own context, and that of the bare HMAC over the same bytes, by turns. Prints JSON.
 *
 *     node --import tsx test/bench/receptionCpu.mts <bytes> <deliveries a round>
 */
import { createHmac, hash } from 'node:crypto';
import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

import { messageBody, signed } from '../core/harness/deliveries.mts';
import {
	additionalData,
	CHANNEL_ID,
	triggerWorkflow,
	webhookContext,
} from '../core/harness/n8n.mts';
import { builtNode } from './builtNode.mts';
import { medianOf } from './statistics.mts';

const ROUNDS = 21;
/**
 * Warm-up deliveries of a kilobyte: a running n8n has its code compiled and its memory of
 * deliveries full.
 */
const WARM_UP = 25_000;
const SECRET = 'c0ffee'.repeat(10);
const TOKEN = 'f'.repeat(64);
const URLS = {
	production: 'http://127.0.0.1:5678/webhook',
	test: 'http://127.0.0.1:5678/webhook-test',
};

export interface CpuFigures {
	/** Microseconds of processor time of a delivery, for each round. */
	webhook: number[];
	hmac: number[];
}

const [size, perRound] = process.argv.slice(2);
const nodeType = builtNode('BusinessMessagingTrigger');

/** One message with a long text. */
function bodyOf(bytes: number): string {
	const rest = bytes - JSON.stringify(messageBody({ text: '' })).length;
	return JSON.stringify(messageBody({ text: 'x'.repeat(rest) }));
}

const staticData = {
	'node:Business Messaging Trigger': {
		webhookId: 'F'.repeat(32),
		channelId: CHANNEL_ID,
		secret: SECRET,
		tokenHash: hash('sha256', TOKEN),
	},
};
let count = 0;

/** A delivery as n8n has received it: read, parsed, and its workflow loaded. */
function received(body: string, rawBody: Buffer) {
	const { headers } = signed(body, {
		secret: SECRET,
		key: `messages:0:${++count}`,
		headers: { authorization: `Bearer ${TOKEN}` },
	});
	const httpRequest = {
		headers,
		// Node.js makes these lists when they are asked for, as here.
		get headersDistinct() {
			return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, [value]]));
		},
		rawBody,
		contentType: 'application/json',
		encoding: 'utf-8',
		body: JSON.parse(body) as unknown,
	};
	const httpResponse = new ServerResponse(new IncomingMessage(new Socket()));
	const workflow = triggerWorkflow({
		nodeType,
		// Another node each time: the process remembers messages.
		workflowId: `bench-${count}`,
		staticData: structuredClone(staticData),
	});
	const data = additionalData({ baseUrl: 'http://127.0.0.1', secretKey: 'unused' }, URLS, {
		httpRequest,
		httpResponse,
	});
	return { context: webhookContext(workflow, data), httpResponse };
}

/** Microseconds of processor time, of all threads. */
async function cpuOf(work: () => unknown): Promise<number> {
	const before = process.cpuUsage();
	await work();
	const { user, system } = process.cpuUsage(before);
	return user + system;
}

/**
 * The median of each kind, by turns. The collector comes to some deliveries with its threads, for
 * what n8n's part left: a body of 1 MB, read and parsed. That is not counted, and a mean would.
 */
async function measureRound(body: string, deliveries: number) {
	const rawBody = Buffer.from(body);
	const requests = Array.from({ length: deliveries }, () => received(body, rawBody));
	// The collector's threads are still busy with what n8n's part left.
	await sleep(30);
	const webhook: number[] = [];
	const hmac: number[] = [];
	for (const { context, httpResponse } of requests) {
		let event: unknown;
		const cpu = await cpuOf(async () => {
			const { workflowData } = await nodeType.webhook!.call(context);
			event = workflowData?.[0]?.[0]?.json.event;
			httpResponse.emit('finish');
		});
		webhook.push(cpu);
		if (event !== 'MESSAGE_RECEIVED') throw new Error('a delivery was not accepted');
		hmac.push(await cpuOf(() => createHmac('sha256', SECRET).update(rawBody).digest('hex')));
	}
	return { webhook: medianOf(webhook), hmac: medianOf(hmac) };
}

const body = bodyOf(Number(size));
const figures: CpuFigures = { webhook: [], hmac: [] };
for (let seen = 0; seen < WARM_UP; seen += 500) await measureRound(bodyOf(1_000), 500);
for (let round = 0; round < ROUNDS; round += 1) {
	const { webhook, hmac } = await measureRound(body, Number(perRound));
	figures.webhook.push(webhook);
	figures.hmac.push(hmac);
}
console.log(JSON.stringify(figures));
