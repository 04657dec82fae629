/** Memory of an n8n 2 that holds deliveries unanswered, each of another customer. */
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

import { GROUPING_OPTIONS } from '../../nodes/BusinessMessaging/trigger/grouping/settings.ts';
import { checkout } from '../../scripts/checkout.mts';
import { deliver, messageBody } from '../core/harness/deliveries.mts';
import { number } from '../host/harness/conversations.mts';
import type { OwnN8n } from '../host/harness/ownN8n.mts';
import { deliveryOf, publishTrigger, type Receiver } from '../host/harness/receivers.mts';
import { inOwnN8n, LAZY, rateOf } from './n8n.mts';
import { atMost, type Bound } from './report.mts';

const LOOK_MS = 200;
const CONNECTIONS = 50;
const BY_DEFAULT = GROUPING_OPTIONS.mostWaiting.byDefault;
const MANY = 1000;
/** A wait that is long enough to hold all at once, and what does not start a group before. */
const PARAMETERS = {
	grouping: 'customer',
	quietTime: 10,
	options: { longestWait: 10, mostEvents: 1000, mostWaiting: 10_000 },
};
/** A kilobyte. */
const TEXT = 'x'.repeat(600);

/** How an n8n is started, and the bytes that it uses then. */
interface Gauge {
	env: NodeJS.ProcessEnv;
	read(n8n: OwnN8n): number | Promise<number>;
}

/** Of its process, as n8n says itself, with what it has not collected yet. */
export const processMemory: Gauge = {
	env: { N8N_METRICS: 'true' },
	read: async ({ host }) => {
		const metrics = await (await fetch(`${host.underTest.n8nUrl}/metrics`)).text();
		return Number(/^n8n_process_resident_memory_bytes (\S+)$/m.exec(metrics)?.[1]);
	},
};

/** Of all that is in use, its garbage having been collected. Isolates are not in that. */
const liveMemory = (folder: string): Gauge => ({
	env: {
		NODE_OPTIONS: `--require ${join(checkout, 'test', 'bench', 'liveMemory.cjs')}`,
		LIVE_MEMORY_FOLDER: folder,
	},
	// n8n's is the largest of the processes that n8n is started with.
	read: () =>
		Math.max(
			...readdirSync(folder)
				.filter((file) => /^\d+$/.test(file))
				.map((file) => Number(readFileSync(join(folder, file), 'utf8'))),
		),
});

async function megabytes(gauge: Gauge, n8n: OwnN8n): Promise<number> {
	const bytes = await gauge.read(n8n);
	if (!(bytes > 0)) throw new Error('n8n does not say how much memory it has');
	return bytes / 1e6;
}

/** The highest, in megabytes, until the work is done. */
export async function peakWhile(
	work: Promise<unknown>,
	gauge: Gauge,
	n8n: OwnN8n,
): Promise<number> {
	let isOver = false;
	const ended = work.finally(() => (isOver = true));
	// The await below reports a failure.
	ended.catch(() => {});
	let highest = await megabytes(gauge, n8n);
	while (!isOver) {
		await sleep(LOOK_MS);
		highest = Math.max(highest, await megabytes(gauge, n8n));
	}
	await ended;
	return highest;
}

/** Delivers as many at once, and measures until the first group starts. */
async function hold(n8n: OwnN8n, gauge: Gauge, receiver: Receiver, count: number) {
	const before = await megabytes(gauge, n8n);
	const sent = Array.from({ length: count }, async (_, customer) => {
		const body = messageBody({ text: TEXT });
		body.message.sender = { identifier: number(customer), name: 'Customer' };
		const { status } = await deliver(receiver.url, deliveryOf(receiver, body));
		if (status !== 200) throw new Error(`a held delivery was answered ${status}`);
	});
	const highest = await peakWhile(Promise.race(sent), gauge, n8n);
	await Promise.all(sent);
	return { before, highest };
}

/** In an n8n that was just started. */
async function measureHeld(gauge: Gauge, env: NodeJS.ProcessEnv, count: number) {
	return await inOwnN8n({ ...gauge.env, ...env }, async (n8n) => {
		const receiver = await publishTrigger(n8n.host, PARAMETERS);
		// What n8n's heap grows by for as many requests is not what holding them costs.
		await rateOf(n8n.host, await publishTrigger(n8n.host), count, CONNECTIONS);
		await hold(n8n, gauge, receiver, 1);
		return await hold(n8n, gauge, receiver, count);
	});
}

export async function benchHolding(): Promise<Bound[]> {
	const folder = mkdtempSync(join(tmpdir(), 'business-messaging-held-'));
	try {
		const live = await measureHeld(liveMemory(folder), LAZY, MANY);
		const byDefault = await measureHeld(processMemory, {}, BY_DEFAULT);
		const format = { unit: ' MB', decimals: 0 };
		return [
			atMost(`n8n with ${BY_DEFAULT} held, by default`, byDefault.highest, 1000, format),
			atMost(
				`For ${MANY.toLocaleString('en')} held, lazy`,
				live.highest - live.before,
				100,
				format,
			),
		];
	} finally {
		rmSync(folder, { recursive: true, force: true });
	}
}
