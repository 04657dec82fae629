/** Memory of an n8n that holds deliveries unanswered, each of another customer. */
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { DEMO_SECRET_KEY } from '../../sandbox/seed.mts';
import { checkout } from '../../scripts/checkout.mts';
import { until } from '../../scripts/until.mts';
import { deliver, messageBody } from '../core/harness/deliveries.mts';
import { number } from '../host/harness/conversations.mts';
import { type OwnN8n, startOwnN8n } from '../host/harness/ownN8n.mts';
import { deliveryOf, publishTrigger, type Receiver } from '../host/harness/receivers.mts';
import { load } from './load.mts';

const LIMIT_MS = 60_000;
const LOOK_MS = 200;
const CONNECTIONS = 50;
/** A wait that is long enough to hold all of them at once, and what does not start a group before. */
const PARAMETERS = {
	grouping: 'customer',
	options: { quietTime: 10, longestWait: 10, mostEvents: 1000, mostWaiting: 10_000 },
};
/** A kilobyte. */
const TEXT = 'x'.repeat(600);

export interface HeldFigures {
	held: number;
	/** Megabytes: before, and at the highest. */
	before: number;
	highest: number;
}

/** How an n8n is started, and the bytes that it uses then. */
interface Gauge {
	env: NodeJS.ProcessEnv;
	read(n8n: OwnN8n): number | Promise<number>;
}

/** Of its process, as n8n says itself, with what it has not collected yet. */
const processMemory: Gauge = {
	env: { N8N_METRICS: 'true' },
	read: async ({ host }) => {
		const metrics = await (await fetch(`${host.underTest.n8nUrl}/metrics`)).text();
		return Number(/^n8n_process_resident_memory_bytes (\S+)$/m.exec(metrics)?.[1]);
	},
};

/** Of all that is in use, its garbage having been collected. */
function liveMemory(folder: string): Gauge {
	return {
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
	};
}

async function megabytes(gauge: Gauge, n8n: OwnN8n): Promise<number> {
	const bytes = await gauge.read(n8n);
	if (!(bytes > 0)) throw new Error('n8n does not say how much memory it has');
	return bytes / 1e6;
}

async function hold(
	n8n: OwnN8n,
	gauge: Gauge,
	receiver: Receiver,
	count: number,
): Promise<HeldFigures> {
	const before = await megabytes(gauge, n8n);
	let answered = 0;
	const sent = Array.from({ length: count }, async (_, customer) => {
		const body = messageBody({ text: TEXT });
		body.message.sender = { identifier: number(customer), name: 'Customer' };
		const { status } = await deliver(receiver.url, deliveryOf(receiver, body));
		if (status !== 200) throw new Error(`a held delivery was answered ${status}`);
		answered += 1;
	});
	let highest = before;
	await until(
		'the first group to start',
		async () => {
			highest = Math.max(highest, await megabytes(gauge, n8n));
			return answered > 0;
		},
		LIMIT_MS,
		LOOK_MS,
	);
	await Promise.all(sent);
	return { held: count, before, highest };
}

/** Delivers as many to a trigger that holds none. */
async function receive(receiver: Receiver, count: number): Promise<void> {
	const { origin, pathname } = new URL(receiver.url);
	const requests = Array.from({ length: count }, () => {
		const { body, headers } = deliveryOf(receiver, messageBody({ text: TEXT }));
		return { path: pathname, body: String(body), headers: headers as Record<string, string> };
	});
	await load(origin, count, CONNECTIONS, (n) => requests[n - 1]!);
}

/**
 * Each count in an n8n that was just started.
 * @param of `process`: all of its memory; `live`: what is in use, once garbage is collected. Isolates are not in that.
 */
export async function measureHeld(
	of: 'process' | 'live',
	env: NodeJS.ProcessEnv,
	counts: readonly number[],
): Promise<HeldFigures[]> {
	const figures: HeldFigures[] = [];
	for (const count of counts) {
		const folder = mkdtempSync(join(tmpdir(), 'business-messaging-held-'));
		const gauge = of === 'process' ? processMemory : liveMemory(folder);
		const n8n = await startOwnN8n(DEMO_SECRET_KEY, { ...gauge.env, ...env }, 'current');
		try {
			const receiver = await publishTrigger(n8n.host, PARAMETERS);
			// What n8n's heap grows by for as many requests is not what holding them costs.
			await receive(await publishTrigger(n8n.host), count);
			await hold(n8n, gauge, receiver, 1);
			figures.push(await hold(n8n, gauge, receiver, count));
		} finally {
			await n8n.remove();
			rmSync(folder, { recursive: true, force: true });
		}
	}
	return figures;
}
