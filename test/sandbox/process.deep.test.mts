import * as fs from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

import { CUSTOMER, WEBHOOKS } from './deliveryHarness.mts';
import { clientOf, startReceiver, until } from './helpers.mts';
import { addressOf, endAll, type SandboxProcess, spawnSandbox } from './process.mts';

type Receiver = Awaited<ReturnType<typeof startReceiver>>;

let folder: string;
let sink: Receiver;
let running: SandboxProcess[];
beforeEach(() => {
	folder = fs.mkdtempSync(join(tmpdir(), 'sandbox-test-'));
	running = [];
});
afterEach(async () => {
	await sink?.close();
	await endAll(running);
	fs.rmSync(folder, { recursive: true, force: true });
});

function start(...parameters: string[]): SandboxProcess {
	const started = spawnSandbox('--port', '0', ...parameters);
	running.push(started);
	return started;
}
const clientAt = async (...parameters: string[]) => clientOf(await addressOf(start(...parameters)));
const dataAt = (name = 'data.sqlite') => ['--data', join(folder, name)];

describe('the command', () => {
	it('prints its address and keys, and stops cleanly', async () => {
		const sandbox = start();
		const url = await addressOf(sandbox);
		expect(url).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
		await until('the keys are printed', () =>
			/sandbox_sk_demo[^]*sandbox_pk_demo/.test(sandbox.output()),
		);
		// A watcher whose connection never ends must not delay the stop.
		const watcher = await fetch(`${url}/_sandbox/events`);
		sandbox.child.kill('SIGINT');
		expect(await sandbox.ended).toBe(0);
		await watcher.body?.cancel().catch(() => undefined);
	});

	it.each<[string, () => Promise<string[]>, RegExp]>([
		[
			'a taken port',
			async () => {
				const server = createServer();
				await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
				const { port } = server.address() as { port: number };
				server.unref();
				return ['--port', String(port)];
			},
			/^Port \d+ is already in use\. .*--port\.\n$/,
		],
		[
			'a data file that is not one',
			async () => {
				fs.writeFileSync(join(folder, 'notes.txt'), 'x'.repeat(5000));
				return dataAt('notes.txt');
			},
			/^The data file .*notes\.txt cannot be used: .*not a database.*\n$/,
		],
		[
			'a data file in a missing folder',
			async () => dataAt('no/data.sqlite'),
			/^The data file .* cannot be used: .*\n$/,
		],
	])('refuses %s in one sentence', async (_name, prepare, sentence) => {
		const refused = start(...(await prepare()));
		expect(await refused.ended).toBe(1);
		expect(refused.output()).toMatch(sentence);
	});

	it('repeats its ids with a seed', async () => {
		const ids: unknown[] = [];
		for (const round of [1, 2]) {
			const client = await clientAt('--seed', 'same', ...dataAt(`${round}.sqlite`));
			const body = { url: 'http://127.0.0.1:9/', events: ['MESSAGE_RECEIVED'] };
			const hook = await client.call<{ id: string }>(WEBHOOKS, { body });
			const { messageId } = await client.inbound(CUSTOMER, 'Hello');
			const { deliveries } = await client.control<{
				deliveries: Array<{ idempotencyKey: string }>;
			}>('/deliveries');
			ids.push([hook.body.id, messageId, deliveries[0]!.idempotencyKey]);
		}
		expect(ids[0]).toEqual(ids[1]);
	});
});

it('hides its data from other users of the machine, also existing files', async () => {
	const open = () =>
		fs.readdirSync(folder).filter((name) => fs.statSync(join(folder, name)).mode & 0o077);
	const first = start(...dataAt());
	await clientOf(await addressOf(first)).inbound(CUSTOMER, 'Hello');
	const files = expect.arrayContaining(['data.sqlite', 'data.sqlite-wal']);
	expect(fs.readdirSync(folder)).toEqual(files);
	expect(open()).toEqual([]);
	// A killed sandbox leaves its write-ahead log.
	await endAll([first]);
	for (const name of fs.readdirSync(folder)) fs.chmodSync(join(folder, name), 0o644);
	await clientAt(...dataAt());
	expect(open()).toEqual([]);
	// Also an existing empty file.
	fs.closeSync(fs.openSync(join(folder, 'empty.sqlite'), 'w', 0o644));
	await clientAt(...dataAt('empty.sqlite'));
	expect(open()).toEqual([]);
});

it('keeps everything over a stop: messages, window, webhooks, role, settings, faults, clock and waiting deliveries', async () => {
	sink = await startReceiver();
	const first = start(...dataAt());
	let client = clientOf(await addressOf(first));
	const hook = await client.call<{ id: string }>(WEBHOOKS, {
		body: { url: sink.url, events: ['MESSAGE_RECEIVED'], signing: true },
	});
	const set = async (status: string) =>
		await client.call(`${WEBHOOKS}/${hook.body.id}`, { method: 'PATCH', body: { status } });
	await set('DISABLED');
	await client.inbound(CUSTOMER, 'Waiting');
	await client.control('/clock', { body: { advance: 86_000, speed: 0 } });
	await client.control('/settings', { method: 'PATCH', body: { templateRoutingLag: 120 } });
	await client.control('/faults', { body: { on: 'webhook', kind: 'gzip', mode: 'always' } });
	const kept = async () => ({
		...(await client.control<object>('/state')),
		...{ requests: null, messages: await client.control('/messages') },
	});
	const before = await kept();
	first.child.kill('SIGTERM');
	expect(await first.ended).toBe(0);
	client = await clientAt(...dataAt());
	expect(await kept()).toEqual(before);
	expect((await client.send(CUSTOMER, 'Still open')).status).toBe(200);
	await set('ENABLED');
	const received = await until('what waited arrived', () => sink.received[0]);
	expect(received.headers).toMatchObject({ 'content-encoding': 'gzip' });
});

/**
 * Calls until told to stop, and returns the accepted calls. A call that the kill interrupted is not
 * accepted.
 */
function keepCalling(concurrency: number, call: (n: number) => Promise<string | undefined>) {
	const accepted: string[] = [];
	let stopped = false;
	let n = 0;
	const run = async () => {
		while (!stopped) {
			n += 1;
			const id = await call(n).catch(() => sleep(20, undefined));
			if (id) accepted.push(id);
		}
	};
	const runs = Promise.all(Array.from({ length: concurrency }, run));
	return {
		accepted,
		stop: async () => {
			stopped = true;
			await runs;
		},
	};
}

it('loses nothing that it accepted in repeated kills under load', async () => {
	const ROUNDS = 5;
	sink = await startReceiver((_received, count) => (count % 10 === 0 ? { status: 500 } : {}));
	const delivered = () =>
		new Set(sink.received.map(({ json }) => (json as { message: { _id: string } }).message._id));
	const accepted = {
		inbound: new Set<string>(),
		sent: new Set<string>(),
		webhooks: new Set<string>(),
	};
	const waiting = () => {
		const seen = delivered();
		return [...accepted.inbound].filter((id) => !seen.has(id));
	};
	const subscribe = async (event: string) => {
		const body = { url: sink.url, events: [event], signing: true };
		return await client.call<{ id: string }>(WEBHOOKS, { body });
	};
	let sandbox = start(...dataAt());
	const url = await addressOf(sandbox);
	const client = clientOf(url);
	accepted.webhooks.add((await subscribe('MESSAGE_RECEIVED')).body.id);
	await client.inbound(CUSTOMER, 'Hello');
	let killedWithPending = 0;
	for (let round = 1; round <= ROUNDS; round += 1) {
		const text = (n: number) => `${round}.${n}`;
		const calls = {
			inbound: keepCalling(8, async (n) => (await client.inbound(CUSTOMER, text(n))).messageId),
			sent: keepCalling(8, async (n) => (await client.send(CUSTOMER, text(n))).body.messageId),
			webhooks: keepCalling(1, async () => {
				const { status, body } = await subscribe('CONNECTED');
				return status === 201 ? body.id : undefined;
			}),
		};
		const { inbound, sent } = calls;
		const isMuch = () => inbound.accepted.length >= 100 && sent.accepted.length >= 100;
		await until('a good deal was accepted', isMuch, 30_000);
		sandbox.child.kill('SIGKILL');
		expect(await sandbox.ended).toBe('SIGKILL');
		for (const kind of ['inbound', 'sent', 'webhooks'] as const) {
			await calls[kind].stop();
			for (const id of calls[kind].accepted) accepted[kind].add(id);
		}
		if (waiting().length > 0) killedWithPending += 1;
		sandbox = start('--port', new URL(url).port, ...dataAt());
		await addressOf(sandbox);
	}
	// Otherwise the kills would prove nothing about the queue.
	expect(killedWithPending).toBeGreaterThan(0);

	const isAllDelivered = async () => {
		await client.control('/clock', { body: { advance: 3600 } });
		return waiting().length === 0;
	};
	await until('every accepted message was delivered', isAllDelivered, 30_000);
	const stored = new Map<string, string>();
	for (let after = 0; ;) {
		const { messages } = await client.control<{
			messages: Array<{ id: string; number: number; direction: string }>;
		}>(`/messages?limit=10000&after=${after}`);
		for (const { id, direction } of messages) stored.set(id, direction);
		if (messages.length < 10_000) break;
		after = messages.at(-1)!.number;
	}
	expect([...accepted.inbound].filter((id) => stored.get(id) !== 'in')).toEqual([]);
	expect([...accepted.sent].filter((id) => stored.get(id) !== 'out')).toEqual([]);
	const { body } = await client.call<Array<{ id: string }>>(WEBHOOKS);
	const listed = new Set(body.map(({ id }) => id));
	expect([...accepted.webhooks].filter((id) => !listed.has(id))).toEqual([]);
	expect(accepted.inbound.size).toBeGreaterThanOrEqual(ROUNDS * 100);
	expect(accepted.webhooks.size).toBeGreaterThan(ROUNDS);
}, 120_000);
