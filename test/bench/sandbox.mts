/** How much the sandbox takes and delivers, in a process of its own. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { DEMO_CHANNEL_ID, DEMO_SECRET_KEY } from '../../sandbox/seed.mts';
import { addressOf, startScript } from './children.mts';
import { load } from './load.mts';
import { atLeast, atMost, type Bound } from './report.mts';
import { Sink } from './sink.mts';
import { byTurns } from './statistics.mts';

const ROUNDS = 5;
const SENDS = 10_000;
const DELIVERIES = 5_000;
const CUSTOMER = '5500000000101';
const CONCURRENCY = 32;

const SEND = `/v1/channels/${DEMO_CHANNEL_ID}/messages`;
const WEBHOOKS = `/v1/channels/${DEMO_CHANNEL_ID}/webhooks`;
const HEADERS = { 'content-type': 'application/json', authorization: `Bearer ${DEMO_SECRET_KEY}` };

async function call<T>(url: string, path: string, body?: unknown, method = 'POST'): Promise<T> {
	const response = await fetch(
		url + path,
		body === undefined
			? { headers: HEADERS }
			: { method, headers: HEADERS, body: JSON.stringify(body) },
	);
	if (!response.ok)
		throw new Error(`${path} responded ${response.status}: ${await response.text()}`);
	return (await response.json()) as T;
}

const post = async (url: string, path: string, count: number, bodyOf: (n: number) => object) =>
	await load(url, count, CONCURRENCY, (n) => ({
		path,
		headers: HEADERS,
		body: JSON.stringify(bodyOf(n)),
	}));

const storedMessages = async (url: string) =>
	(await call<{ messages: number }>(url, '/_sandbox/state')).messages;

/** Sends that it accepts and stores a second. */
async function measureSends(url: string): Promise<number> {
	const before = await storedMessages(url);
	const { bodies, perSecond } = await post(url, SEND, SENDS, (n) => ({
		recipient: { identifier: CUSTOMER },
		content: { type: 'TEXT', body: { message: `Message number ${n}` } },
	}));
	const stored = (await storedMessages(url)) - before;
	const ids = new Set(bodies.map((body) => (JSON.parse(body) as { messageId: string }).messageId));
	if (stored !== SENDS || ids.size !== SENDS)
		throw new Error(`${SENDS} sends gave ${ids.size} ids and ${stored} stored messages`);
	return perSecond;
}

/** Signed deliveries that it makes a second, half of them gzipped. */
async function measureDeliveries(url: string): Promise<number> {
	const sink = new Sink();
	try {
		const webhook = { url: await sink.listen(), events: ['MESSAGE_RECEIVED'], signing: true };
		const { id, secret } = await call<{ id: string; secret: string }>(url, WEBHOOKS, webhook);
		const hook = `${WEBHOOKS}/${id}`;
		await call(url, hook, { status: 'DISABLED' }, 'PATCH');
		// Every other one is so long that its delivery is gzipped.
		await post(url, '/_sandbox/inbound', DELIVERIES, (n) => ({
			channelId: DEMO_CHANNEL_ID,
			from: CUSTOMER,
			text: `Message ${n} `.repeat(1 + (n % 2) * 20),
		}));
		const perSecond = await sink.rateOf(DELIVERIES, () =>
			call(url, hook, { status: 'ENABLED' }, 'PATCH'),
		);
		if (sink.check(DELIVERIES, secret) !== DELIVERIES / 2)
			throw new Error('not every other delivery was gzipped');
		const { authorization } = HEADERS;
		await fetch(url + hook, { method: 'DELETE', headers: { authorization } });
		return perSecond;
	} finally {
		sink.close();
	}
}

/** Milliseconds until a new sandbox listens. */
async function measureStart(): Promise<number> {
	const began = performance.now();
	const child = startScript('sandbox/main.mts', ['--port', '0']);
	await addressOf(child);
	const milliseconds = performance.now() - began;
	child.kill('SIGKILL');
	return milliseconds;
}

export async function benchSandbox(): Promise<Bound[]> {
	const folder = mkdtempSync(join(tmpdir(), 'sandbox-bench-'));
	const { start } = await byTurns(['start'], ROUNDS, measureStart, 0);
	const data = ['--data', join(folder, 'data.sqlite')];
	const sandbox = startScript('sandbox/main.mts', ['--port', '0', ...data]);
	try {
		const url = await addressOf(sandbox);
		const hello = { channelId: DEMO_CHANNEL_ID, from: CUSTOMER, text: 'Hello' };
		await call(url, '/_sandbox/inbound', hello);
		const measured = await byTurns(
			['sends', 'deliveries'],
			ROUNDS,
			async (what) => await (what === 'sends' ? measureSends(url) : measureDeliveries(url)),
			0,
		);
		const perSecond = { unit: ' a second', decimals: 0 };
		return [
			atLeast('Sends', measured.sends, 2000, perSecond),
			atLeast('Deliveries', measured.deliveries, 1000, perSecond),
			atMost('Start', start, 2000, { unit: ' ms', decimals: 0 }),
		];
	} finally {
		sandbox.kill('SIGKILL');
		rmSync(folder, { recursive: true, force: true });
	}
}
