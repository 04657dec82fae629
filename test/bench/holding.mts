/** Memory of an n8n that holds deliveries unanswered, each of another customer. */
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

import { GROUPING_OPTIONS } from '../../nodes/BusinessMessaging/trigger/grouping/settings.ts';
import { DEMO_SECRET_KEY } from '../../sandbox/seed.mts';
import { checkout } from '../../scripts/checkout.mts';
import { until } from '../../scripts/until.mts';
import { deliver, messageBody } from '../core/harness/deliveries.mts';
import { number } from '../host/harness/conversations.mts';
import { type OwnN8n, startOwnN8n } from '../host/harness/ownN8n.mts';
import { deliveryOf, publishTrigger, type Receiver } from '../host/harness/receivers.mts';
import { load } from './load.mts';
import { atMost, type Measured } from './report.mts';
import { table } from './statistics.mts';

const LIMIT_MS = 60_000;
const LOOK_MS = 200;
const CONNECTIONS = 50;
const BY_DEFAULT = GROUPING_OPTIONS.mostWaiting.byDefault;
/**
 * A wait that is long enough to hold all of them at once, and what does not start a group before.
 */
const PARAMETERS = {
	grouping: 'customer',
	quietTime: 10,
	options: { longestWait: 10, mostEvents: 1000, mostWaiting: 10_000 },
};
/** A kilobyte. */
const TEXT = 'x'.repeat(600);

interface HeldFigures {
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
export const processMemory: Gauge = {
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
 * @param of `process`: all of its memory; `live`: what is in use, once garbage is collected.
 * Isolates are not in that.
 */
async function measureHeld(
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

/** Memory of n8n 2 while deliveries wait for their group. */
export async function benchHolding(): Promise<Measured> {
	const lazy = { N8N_EXPRESSION_ENGINE_LAZY_ACQUIRE: 'true' };
	const lazily = await measureHeld('process', lazy, [1000]);
	const live = await measureHeld('live', lazy, [1000]);
	const asItComes = await measureHeld('process', {}, [BY_DEFAULT, 100]);
	const row =
		(what: string) =>
		({ held, before, highest }: HeldFigures) => [
			what,
			String(held),
			before.toFixed(0),
			highest.toFixed(0),
			((highest - before) / held).toFixed(2),
		];
	const [thousand] = live;
	const [byDefault] = asItComes;
	return {
		blocks: [
			'n8n 2 while it holds deliveries, each of 1 KB and of another customer.',
			table(
				['', 'Held', 'Before, MB', 'Highest, MB', 'MB for each'],
				[
					...asItComes.map(row('As it comes, the process')),
					...lazily.map(row('Lazily, the process')),
					...live.map(row('Lazily, what is in use')),
				],
			),
			'What is in use is what is left when garbage is collected again and again: that is what the held deliveries hold. The process grows further before V8 thinks of collecting.',
		],
		bounds: [
			atMost(`n8n with ${BY_DEFAULT} held, by default`, byDefault!.highest, 1000, {
				unit: ' MB',
				decimals: 0,
			}),
			atMost('For 1,000 held, lazy', thousand!.highest - thousand!.before, 100, {
				unit: ' MB',
				decimals: 0,
			}),
		],
	};
}
