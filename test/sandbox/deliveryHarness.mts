import { DEMO_CHANNEL_ID } from '../../sandbox/seed.mts';
import type { SandboxOptions } from '../../sandbox/server.mts';
import { type Received, startReceiver, startTestSandbox, until } from './helpers.mts';

export const WEBHOOKS = `/v1/channels/${DEMO_CHANNEL_ID}/webhooks`;
export const CUSTOMER = '5500000000101';

export interface DeliveryList {
	counts: Record<string, number>;
	deliveries: Array<{
		id: number;
		state: string;
		attempts: number;
		nextAt: string | null;
		lastAttempt: { status: number | null; error: string | null } | null;
		idempotencyKey: string;
	}>;
}

/**
 * A sandbox for the tests of a file, reset before each, and receivers that are stopped after each.
 */
export function deliveryHarness(options: SandboxOptions = {}) {
	let sandbox: Awaited<ReturnType<typeof startTestSandbox>>;
	const receivers: Array<{ close: () => Promise<void> }> = [];

	beforeAll(async () => {
		sandbox = await startTestSandbox(options);
	});
	beforeEach(() => sandbox.control('/reset', { body: {} }));
	afterEach(async () => {
		for (const receiver of receivers.splice(0)) await receiver.close();
	});
	afterAll(() => sandbox.close());

	const deliveries = () => sandbox.control<DeliveryList>('/deliveries');
	return {
		get sandbox() {
			return sandbox;
		},
		async receiver(...args: Parameters<typeof startReceiver>) {
			const started = await startReceiver(...args);
			receivers.push(started);
			return started;
		},
		/** Registers a webhook of the demo channel for customers' messages. */
		async subscribe(url: string, more: Record<string, unknown> = {}) {
			const body = { url, events: ['MESSAGE_RECEIVED'], ...more };
			return (await sandbox.call<{ id: string; secret: string }>(WEBHOOKS, { body })).body;
		},
		arrived: (sink: { received: Received[] }, count: number) =>
			until(`${count} deliveries arrived`, () => sink.received.length >= count && sink.received),
		deliveries,
		finished: (state: string, count = 1) =>
			until(`${count} deliveries are ${state}`, async () => {
				const list = await deliveries();
				return list.counts[state] === count && list;
			}),
	};
}

export const headersOf = (received: Received) => received.headers as Record<string, string>;
