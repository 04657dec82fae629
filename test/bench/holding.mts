/** Memory of an n8n that holds deliveries unanswered, each of another customer. */
import { DEMO_SECRET_KEY } from '../../sandbox/seed.mts';
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
	/** Megabytes of the process: before, and at the highest. */
	before: number;
	highest: number;
}

/** Megabytes of n8n's process, as it says itself. */
async function memoryOf({ host }: OwnN8n): Promise<number> {
	const metrics = await (await fetch(`${host.underTest.n8nUrl}/metrics`)).text();
	const bytes = Number(/^n8n_process_resident_memory_bytes (\S+)$/m.exec(metrics)?.[1]);
	if (!(bytes > 0)) throw new Error('n8n does not say how much memory it has');
	return bytes / 1e6;
}

async function hold(n8n: OwnN8n, receiver: Receiver, count: number): Promise<HeldFigures> {
	const before = await memoryOf(n8n);
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
			highest = Math.max(highest, await memoryOf(n8n));
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

/** Each count in an n8n that was just started. */
export async function measureHeld(
	env: NodeJS.ProcessEnv,
	counts: readonly number[],
): Promise<HeldFigures[]> {
	const figures: HeldFigures[] = [];
	for (const count of counts) {
		const n8n = await startOwnN8n(DEMO_SECRET_KEY, { N8N_METRICS: 'true', ...env }, 'current');
		try {
			const receiver = await publishTrigger(n8n.host, PARAMETERS);
			// What n8n's heap grows by for as many requests is not what holding them costs.
			await receive(await publishTrigger(n8n.host), count);
			await hold(n8n, receiver, 1);
			figures.push(await hold(n8n, receiver, count));
		} finally {
			await n8n.remove();
		}
	}
	return figures;
}
