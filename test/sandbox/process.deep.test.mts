import {
	chmodSync,
	closeSync,
	mkdtempSync,
	openSync,
	readdirSync,
	rmSync,
	statSync,
	writeFileSync,
} from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

import { DEMO_CHANNEL_ID } from '../../sandbox/seed.mts';
import { clientOf, startReceiver, until } from './helpers.mts';
import { addressOf, type SandboxProcess, spawnSandbox } from './process.mts';

const CUSTOMER = '5500000000101';
const WEBHOOKS = `/v1/channels/${DEMO_CHANNEL_ID}/webhooks`;

let folder: string;
let running: SandboxProcess[];
beforeEach(() => {
	folder = mkdtempSync(join(tmpdir(), 'sandbox-test-'));
	running = [];
});
afterEach(async () => {
	for (const { child, ended } of running) {
		child.kill('SIGKILL');
		await ended;
	}
	rmSync(folder, { recursive: true, force: true });
});

function start(...parameters: string[]): SandboxProcess {
	const started = spawnSandbox(...parameters);
	running.push(started);
	return started;
}

describe('the command', () => {
	it('prints its address and keys, and stops cleanly', async () => {
		const sandbox = start('--port', '0');
		const url = await addressOf(sandbox);
		expect(url).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
		await until(
			'the keys are printed',
			() =>
				sandbox.output().includes('sandbox_sk_demo') &&
				sandbox.output().includes('sandbox_pk_demo'),
		);
		// A watcher whose connection never ends must not delay the stop.
		const watcher = await fetch(`${url}/_sandbox/events`);
		sandbox.child.kill('SIGINT');
		expect(await sandbox.ended).toBe(0);
		await watcher.body?.cancel().catch(() => undefined);
		await expect(fetch(url)).rejects.toThrow('fetch failed');
	});

	it('prints a random key and a token if it is open', async () => {
		const sandbox = start('--port', '0', '--allow-host', 'sandbox.example');
		const url = await addressOf(sandbox);
		const [, key, token] = await until(
			'both are printed',
			() =>
				/secret key (sandbox_sk_[\w-]{32}) .* page http:\S+\/\?token=(\S+)\n/.exec(
					sandbox.output(),
				) ?? undefined,
		);
		const status = async (path: string, headers: Record<string, string>) =>
			(await fetch(url + path, { headers })).status;
		expect([
			await status('/_sandbox/state', {}),
			await status('/_sandbox/state', { 'x-sandbox-token': token! }),
			await status('/v1/channels', { authorization: 'Bearer sandbox_sk_demo' }),
			await status('/v1/channels', { authorization: `Bearer ${key}` }),
		]).toEqual([401, 200, 400, 200]);
	});

	it.each<[string, () => Promise<{ parameters: string[]; done?: () => void }>, RegExp]>([
		[
			'a taken port',
			async () => {
				const server = createServer();
				await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
				const { port } = server.address() as { port: number };
				return { parameters: ['--port', String(port)], done: () => server.close() };
			},
			/^Port \d+ is already in use\. .*--port\.\n$/,
		],
		[
			'a port that is not a number',
			async () => ({ parameters: ['--port', 'http'] }),
			/^--port must be a number from 0 to 65535\.\n$/,
		],
		[
			'an unknown option',
			async () => ({ parameters: ['--nonsense'] }),
			/^Unknown option '--nonsense'.*See --help\.\n$/s,
		],
		[
			'an address of another machine',
			async () => ({ parameters: ['--port', '0', '--host', '198.51.100.7'] }),
			/^This machine has no address 198\.51\.100\.7\. .*\n$/,
		],
		[
			'a data file that is not one',
			async () => {
				writeFileSync(join(folder, 'notes.txt'), 'x'.repeat(5000));
				return { parameters: ['--port', '0', '--data', join(folder, 'notes.txt')] };
			},
			/^The data file .*notes\.txt cannot be used: .*not a database.*\n$/,
		],
		[
			'a data file in a missing folder',
			async () => ({ parameters: ['--port', '0', '--data', join(folder, 'no', 'data.sqlite')] }),
			/^The data file .* cannot be used: .*\n$/,
		],
		[
			'a data file in use',
			async () => {
				const data = join(folder, 'data.sqlite');
				await addressOf(start('--port', '0', '--data', data));
				return { parameters: ['--port', '0', '--data', data] };
			},
			/^The data file .* is in use by another sandbox\. .*\n$/,
		],
	])('refuses %s in one sentence', async (_name, prepare, sentence) => {
		const { parameters, done } = await prepare();
		const refused = start(...parameters);
		expect(await refused.ended).toBe(1);
		expect(refused.output()).toMatch(sentence);
		done?.();
	});

	it('repeats its ids with a seed', async () => {
		const ids: unknown[] = [];
		for (const round of [1, 2]) {
			const client = clientOf(
				await addressOf(
					start('--port', '0', '--seed', 'same', '--data', join(folder, `${round}.sqlite`)),
				),
			);
			const hook = await client.call<{ id: string }>(WEBHOOKS, {
				body: { url: 'http://127.0.0.1:9/', events: ['MESSAGE_RECEIVED'] },
			});
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
		readdirSync(folder).filter((name) => statSync(join(folder, name)).mode & 0o077);
	const data = join(folder, 'data.sqlite');
	const first = start('--port', '0', '--data', data);
	await clientOf(await addressOf(first)).inbound(CUSTOMER, 'Hello');
	expect(readdirSync(folder)).toEqual(expect.arrayContaining(['data.sqlite', 'data.sqlite-wal']));
	expect(open()).toEqual([]);
	// A killed sandbox leaves its write-ahead log.
	first.child.kill('SIGKILL');
	await first.ended;
	for (const name of readdirSync(folder)) chmodSync(join(folder, name), 0o644);
	await addressOf(start('--port', '0', '--data', data));
	expect(open()).toEqual([]);
	// Also an existing empty file.
	const empty = join(folder, 'empty.sqlite');
	closeSync(openSync(empty, 'w', 0o644));
	await addressOf(start('--port', '0', '--data', empty));
	expect(open()).toEqual([]);
});

it('keeps everything over a stop: messages, window, webhooks, role, settings, faults, clock and waiting deliveries', async () => {
	const data = join(folder, 'data.sqlite');
	const sink = await startReceiver();
	try {
		const first = start('--port', '0', '--data', data);
		let client = clientOf(await addressOf(first));
		const hook = await client.call<{ id: string }>(WEBHOOKS, {
			body: { url: sink.url, events: ['MESSAGE_RECEIVED'], signing: true },
		});
		await client.call(`${WEBHOOKS}/${hook.body.id}`, {
			method: 'PATCH',
			body: { status: 'DISABLED' },
		});
		await client.inbound(CUSTOMER, 'Waiting');
		await client.control('/clock', { body: { advance: 86_000, speed: 0 } });
		await client.control('/settings', { method: 'PATCH', body: { templateRoutingLag: 120 } });
		await client.control('/faults', { body: { on: 'webhook', kind: 'gzip', mode: 'always' } });
		const { requests: _before, ...state } = await client.control<Record<string, unknown>>('/state');
		const messages = await client.control('/messages');
		first.child.kill('SIGTERM');
		expect(await first.ended).toBe(0);

		client = clientOf(await addressOf(start('--port', '0', '--data', data)));
		const { requests: _after, ...stateAfter } =
			await client.control<Record<string, unknown>>('/state');
		expect(stateAfter).toEqual(state);
		expect(await client.control('/messages')).toEqual(messages);
		expect((await client.send(CUSTOMER, 'Still open')).status).toBe(200);
		await client.call(`${WEBHOOKS}/${hook.body.id}`, {
			method: 'PATCH',
			body: { status: 'ENABLED' },
		});
		const [received] = await until(
			'what waited arrived',
			() => sink.received.length > 0 && sink.received,
		);
		expect(received!.headers).toMatchObject({ 'content-encoding': 'gzip' });
	} finally {
		await sink.close();
	}
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
	const data = join(folder, 'data.sqlite');
	const sink = await startReceiver((_received, count) => (count % 10 === 0 ? { status: 500 } : {}));
	const delivered = () =>
		new Set(sink.received.map(({ json }) => (json as { message: { _id: string } }).message._id));
	const accepted = {
		inbound: new Set<string>(),
		sent: new Set<string>(),
		webhooks: new Set<string>(),
	};
	try {
		let sandbox = start('--port', '0', '--data', data);
		const url = await addressOf(sandbox);
		const port = new URL(url).port;
		const client = clientOf(url);
		const hook = await client.call<{ id: string }>(WEBHOOKS, {
			body: { url: sink.url, events: ['MESSAGE_RECEIVED'], signing: true },
		});
		accepted.webhooks.add(hook.body.id);
		await client.inbound(CUSTOMER, 'Hello');
		let killedWithPending = 0;
		for (let round = 1; round <= ROUNDS; round += 1) {
			const inbound = keepCalling(
				8,
				async (n) => (await client.inbound(CUSTOMER, `${round}.${n}`)).messageId,
			);
			const sent = keepCalling(
				8,
				async (n) => (await client.send(CUSTOMER, `${round}.${n}`)).body.messageId,
			);
			const webhooks = keepCalling(1, async () => {
				const { status, body } = await client.call<{ id: string }>(WEBHOOKS, {
					body: { url: sink.url, events: ['CONNECTED'] },
				});
				return status === 201 ? body.id : undefined;
			});
			await until(
				'a good deal was accepted',
				() => inbound.accepted.length >= 100 && sent.accepted.length >= 100,
				30_000,
			);
			sandbox.child.kill('SIGKILL');
			expect(await sandbox.ended).toBe('SIGKILL');
			await Promise.all([inbound.stop(), sent.stop(), webhooks.stop()]);
			for (const id of inbound.accepted) accepted.inbound.add(id);
			for (const id of sent.accepted) accepted.sent.add(id);
			for (const id of webhooks.accepted) accepted.webhooks.add(id);
			const seen = delivered();
			if ([...accepted.inbound].some((id) => !seen.has(id))) killedWithPending += 1;
			sandbox = start('--port', port, '--data', data);
			await addressOf(sandbox);
		}
		// Otherwise the kills would prove nothing about the queue.
		expect(killedWithPending).toBeGreaterThan(0);

		await until(
			'every accepted message was delivered',
			async () => {
				await client.control('/clock', { body: { advance: 3600 } });
				const seen = delivered();
				return [...accepted.inbound].every((id) => seen.has(id));
			},
			30_000,
		);
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
		const listed = new Set(
			(await client.call<Array<{ id: string }>>(WEBHOOKS)).body.map(({ id }) => id),
		);
		expect([...accepted.webhooks].filter((id) => !listed.has(id))).toEqual([]);
		expect(accepted.inbound.size).toBeGreaterThanOrEqual(ROUNDS * 100);
		expect(accepted.webhooks.size).toBeGreaterThan(ROUNDS);
	} finally {
		await sink.close();
	}
}, 120_000);
