import { computeSignature, messageEventSchema } from '#sandbox/contract.mts';
import type { MessageView } from '#sandbox/http/control/chats.mts';
import { DEMO_CHANNEL_ID } from '#sandbox/seed.mts';
import type { SandboxOptions } from '#sandbox/server.mts';
import {
	type Client,
	type Received,
	type Receiver,
	startReceiver,
	startTestSandbox,
	until,
} from './helpers.mts';

export const CHANNEL = `/v1/channels/${DEMO_CHANNEL_ID}`;
export const WEBHOOKS = `${CHANNEL}/webhooks`;
export const CUSTOMER = '5500000000101';

/** A stored message, with whatever its content has. */
export type Stored = Omit<MessageView, 'content'> & { content: Record<string, unknown> };

interface TestSandbox extends Client {
	/** A receiver of deliveries, closed after the test. */
	receiver: typeof startReceiver;
	/** A receiver that gets these events of the demo channel, or of templates. */
	listener: (events: string[], path?: string) => Promise<Receiver>;
	/** The stored messages, oldest first. */
	messages: (query?: string) => Promise<Stored[]>;
	/** Moves the clock forward by seconds. */
	advance: (seconds: number) => Promise<unknown>;
	set: (settings: object) => Promise<unknown>;
	/** Calls the control API without a key, and does not require success. */
	attempt: (path: string, body?: unknown, method?: string) => ReturnType<Client['call']>;
}

/** A sandbox for the tests of a file. It is reset before each, unless it is kept. */
export function testSandbox(options: SandboxOptions = {}, { isKept = false } = {}): TestSandbox {
	let running: Awaited<ReturnType<typeof startTestSandbox>>;
	const receivers: Array<{ close: () => Promise<void> }> = [];
	beforeAll(async () => {
		running = await startTestSandbox(options);
	});
	if (!isKept) beforeEach(() => running.control('/reset', { body: {} }));
	afterEach(async () => {
		for (const receiver of receivers.splice(0)) await receiver.close();
	});
	afterAll(() => running.close());
	const own: Omit<TestSandbox, keyof Client> = {
		receiver: async (react) => {
			const started = await startReceiver(react);
			receivers.push(started);
			return started;
		},
		listener: async (events, path = WEBHOOKS) => {
			const sink = await own.receiver();
			await running.call(path, { body: { url: sink.url, events } });
			return sink;
		},
		messages: async (query = '') =>
			(await running.control<{ messages: Stored[] }>(`/messages?${query}`)).messages,
		advance: (seconds) => running.control('/clock', { body: { advance: seconds } }),
		set: (body) => running.control('/settings', { method: 'PATCH', body }),
		attempt: (path, body, method) =>
			running.call(`/_sandbox${path}`, { key: null, body, ...(method ? { method } : {}) }),
	};
	return new Proxy(own as TestSandbox, {
		get: (_, name) => Reflect.get(name in own ? own : running, name) as unknown,
	});
}

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

/** A sandbox for the tests of a file about deliveries. */
export function deliveryHarness(options: SandboxOptions = {}) {
	const sandbox = testSandbox(options);
	const deliveries = () => sandbox.control<DeliveryList>('/deliveries');
	return {
		sandbox,
		receiver: sandbox.receiver,
		/** Registers a webhook of the demo channel for customers' messages. */
		subscribe: async (url: string, more: Record<string, unknown> = {}) => {
			const body = { url, events: ['MESSAGE_RECEIVED'], ...more };
			return (await sandbox.call<{ id: string; secret: string }>(WEBHOOKS, { body })).body;
		},
		/** The newest delivery, once it was attempted. */
		attempted: () =>
			until('the attempt was recorded', async () => {
				const [first] = (await deliveries()).deliveries;
				return first?.attempts === 1 && first;
			}),
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

/** The text of a customer's message, as it was delivered. */
export const textIn = ({ json }: Received) =>
	messageEventSchema.parse(json).message.contents?.[0]?.message;

/** The time in a delivery's signature, in seconds. */
export const signedAt = (received: Received): number =>
	Number(/^t=(\d+),v1=[0-9a-f]{64}$/.exec(headersOf(received)['x-webhook-signature']!)![1]);

/** Whether a delivery is signed with this secret, over its uncompressed bytes. */
export function isGenuine(received: Received, secret: string): boolean {
	const headers = headersOf(received);
	const timestamp = String(signedAt(received));
	const idempotencyKey = headers['x-idempotency-key']!;
	const parts = { timestamp, idempotencyKey, body: received.body };
	const signature = computeSignature(secret, 'fiveField', parts);
	return headers['x-webhook-signature'] === `t=${timestamp},v1=${signature}`;
}
