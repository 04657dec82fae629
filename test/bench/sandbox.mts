/**
 * How much the sandbox takes and delivers, in processes of their own, beside what the framework and the client do with nothing to do:
 * sends accepted and stored against a bare fastify route, signed deliveries against a bare undici loop, both in this run.
 *
 *     tsx test/bench/sandbox.mts [--sends 20000] [--deliveries 10000]
 *
 * Ends with 1 when a figure is below what is promised.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { gunzipSync } from 'node:zlib';

import { Pool } from 'undici';

import { computeSignature } from '../../sandbox/contract.mts';
import { DEMO_CHANNEL_ID, DEMO_SECRET_KEY } from '../../sandbox/seed.mts';

const ROOT = join(import.meta.dirname, '..', '..');
const PROMISED = { sends: 2000, deliveries: 1000 };
const CUSTOMER = '5500000000101';
const CONCURRENCY = 32;
/** How many deliveries the sandbox has under way to one webhook: the bare loop gets the same. */
const DELIVERY_CONCURRENCY = 16;

const { values } = parseArgs({ options: { sends: { type: 'string', default: '20000' }, deliveries: { type: 'string', default: '10000' } } });
const [sends, deliveries] = [Number(values.sends), Number(values.deliveries)];

const children: ChildProcess[] = [];
function start(script: string, ...parameters: string[]): ChildProcess {
	const child = spawn(process.execPath, ['--import', 'tsx', join(ROOT, script), ...parameters], { cwd: ROOT, stdio: ['ignore', 'pipe', 'inherit'] });
	children.push(child);
	return child;
}

function addressOf(child: ChildProcess): Promise<string> {
	return new Promise((resolve, reject) => {
		let output = '';
		child.stdout?.on('data', (chunk: Buffer) => {
			output += chunk.toString();
			const found = /http:\/\/[\d.]+:\d+/.exec(output)?.[0];
			if (found) resolve(found);
		});
		child.once('exit', (code) => reject(new Error(`it ended with ${code} before it listened`)));
	});
}

const ended = (child: ChildProcess) => new Promise<void>((resolve) => (child.exitCode === null ? child.once('exit', () => resolve()) : resolve()));

/** Posts `count` bodies, and gives the answers and how many a second. */
async function load(pool: Pool, path: string, count: number, bodyOf: (n: number) => string) {
	const answers: string[] = [];
	let next = 0;
	const run = async () => {
		while (next < count) {
			const body = bodyOf(next++);
			const headers = { 'content-type': 'application/json', authorization: `Bearer ${DEMO_SECRET_KEY}` };
			const response = await pool.request({ path, method: 'POST', headers, body });
			if (response.statusCode >= 300) throw new Error(`${path} answered ${response.statusCode}: ${await response.body.text()}`);
			answers.push(await response.body.text());
		}
	};
	const began = performance.now();
	await Promise.all(Array.from({ length: CONCURRENCY }, run));
	return { answers, perSecond: (count / (performance.now() - began)) * 1000 };
}

async function call<T>(url: string, path: string, body?: unknown, method = 'POST'): Promise<T> {
	const headers = { 'content-type': 'application/json', authorization: `Bearer ${DEMO_SECRET_KEY}` };
	const response = await fetch(url + path, body === undefined ? { headers } : { method, headers, body: JSON.stringify(body) });
	if (!response.ok) throw new Error(`${path} answered ${response.status}: ${await response.text()}`);
	return (await response.json()) as T;
}

/** Takes deliveries and answers 200; tells when it has had enough. */
function startSink() {
	let wanted = Infinity;
	let enough: () => void = () => {};
	const received: Array<{ signature: string; key: string; gzip: boolean; body: Buffer }> = [];
	const server = createServer((request, response) => {
		const chunks: Buffer[] = [];
		request.on('data', (chunk: Buffer) => chunks.push(chunk));
		request.on('end', () => {
			const { 'x-webhook-signature': signature, 'x-idempotency-key': key, 'content-encoding': encoding } = request.headers;
			received.push({ signature: String(signature), key: String(key), gzip: encoding === 'gzip', body: Buffer.concat(chunks) });
			response.writeHead(200).end();
			if (received.length === wanted) enough();
		});
	});
	return new Promise<{ url: string; received: typeof received; after(count: number): Promise<void>; close(): void }>((resolve) => {
		server.listen(0, '127.0.0.1', () =>
			resolve({
				url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`,
				received,
				after: (count) => {
					received.length = 0;
					wanted = count;
					return new Promise((done) => (enough = done));
				},
				close: () => {
					server.close();
					server.closeAllConnections();
				},
			}),
		);
	});
}

const sendPath = `/v1/channels/${DEMO_CHANNEL_ID}/messages`;
const sendBody = (n: number) =>
	JSON.stringify({ recipient: { identifier: CUSTOMER }, content: { type: 'TEXT', body: { message: `Message number ${n} to the customer` } } });

async function measureSends(sandboxUrl: string, bareUrl: string) {
	const perSecond = { bare: 0, sandbox: 0 };
	for (const [name, url] of [['bare', bareUrl], ['sandbox', sandboxUrl]] as const) {
		const pool = new Pool(url, { connections: CONCURRENCY });
		await load(pool, sendPath, Math.ceil(sends / 10), sendBody);
		const before = name === 'sandbox' ? (await call<{ messages: number }>(url, '/_sandbox/state')).messages : 0;
		const { answers, perSecond: rate } = await load(pool, sendPath, sends, sendBody);
		perSecond[name] = rate;
		if (name === 'sandbox') {
			const stored = (await call<{ messages: number }>(url, '/_sandbox/state')).messages - before;
			const ids = new Set(answers.map((answer) => (JSON.parse(answer) as { messageId: string }).messageId)).size;
			if (stored !== sends || ids !== sends) throw new Error(`${sends} sends gave ${ids} ids and ${stored} stored messages`);
		}
		await pool.close();
	}
	return perSecond;
}

async function measureDeliveries(sandboxUrl: string) {
	const sink = await startSink();
	const webhooks = `/v1/channels/${DEMO_CHANNEL_ID}/webhooks`;
	const hook = await call<{ id: string; secret: string }>(sandboxUrl, webhooks, { url: sink.url, events: ['MESSAGE_RECEIVED'], signing: true });
	await call(sandboxUrl, `${webhooks}/${hook.id}`, { status: 'DISABLED' }, 'PATCH');
	const pool = new Pool(sandboxUrl, { connections: CONCURRENCY });
	// Some bodies below and some above the size from which they are gzipped.
	const inbound = (n: number) => JSON.stringify({ channelId: DEMO_CHANNEL_ID, from: CUSTOMER, text: `Message ${n} `.repeat(1 + (n % 2) * 20) });
	await load(pool, '/_sandbox/inbound', deliveries, inbound);
	await pool.close();

	let arrived = sink.after(deliveries);
	let began = performance.now();
	await call(sandboxUrl, `${webhooks}/${hook.id}`, { status: 'ENABLED' }, 'PATCH');
	await arrived;
	const sandbox = (deliveries / (performance.now() - began)) * 1000;
	const keys = new Set(sink.received.map(({ key }) => key));
	const genuine = sink.received.filter(({ signature, key, gzip, body }) => {
		const timestamp = /^t=(\d+)/.exec(signature)?.[1] ?? '';
		const parts = { timestamp, idempotencyKey: key, body: gzip ? gunzipSync(body) : body };
		return signature === `t=${timestamp},v1=${computeSignature(hook.secret, 'fiveField', parts)}`;
	});
	if (keys.size !== deliveries || genuine.length !== deliveries) {
		throw new Error(`${deliveries} deliveries gave ${keys.size} keys and ${genuine.length} good signatures`);
	}
	const gzipped = sink.received.filter(({ gzip }) => gzip).length;

	arrived = sink.after(deliveries);
	const loop = start('test/bench/bare.mts', 'loop', sink.url, String(deliveries), String(DELIVERY_CONCURRENCY));
	await new Promise<void>((resolve) => {
		const look = () => (sink.received.length > 0 ? resolve() : setImmediate(look));
		look();
	});
	began = performance.now();
	await arrived;
	const bare = (deliveries / (performance.now() - began)) * 1000;
	await ended(loop);
	sink.close();
	return { sandbox, bare, gzipped };
}

const folder = mkdtempSync(join(tmpdir(), 'sandbox-bench-'));
try {
	const began = performance.now();
	const sandboxUrl = await addressOf(start('sandbox/main.mts', '--port', '0', '--data', join(folder, 'data.sqlite')));
	const startup = performance.now() - began;
	const bareUrl = await addressOf(start('test/bench/bare.mts', 'route'));
	await call(sandboxUrl, '/_sandbox/inbound', { channelId: DEMO_CHANNEL_ID, from: CUSTOMER, text: 'Hello' });

	const sent = await measureSends(sandboxUrl, bareUrl);
	const delivered = await measureDeliveries(sandboxUrl);
	const row = (name: string, { sandbox, bare }: { sandbox: number; bare: number }, beside: string) =>
		console.log(`| ${name} | ${sandbox.toFixed(0)} | ${bare.toFixed(0)} | ${beside} | ${(sandbox / bare).toFixed(2)} |`);
	console.log(`\nSandbox ready after ${startup.toFixed(0)} ms. Node.js ${process.version}.\n`);
	console.log('| | sandbox, per second | bare, per second | bare is | ratio |\n|---|---|---|---|---|');
	row(`sends accepted and stored (${sends})`, sent, 'a fastify route');
	row(`signed deliveries (${deliveries}, ${delivered.gzipped} gzipped)`, delivered, 'an undici loop');
	if (sent.sandbox < PROMISED.sends || delivered.sandbox < PROMISED.deliveries) {
		console.error(`\nBelow what is promised: ${PROMISED.sends} sends and ${PROMISED.deliveries} deliveries a second.`);
		process.exitCode = 1;
	}
} finally {
	for (const child of children) child.kill('SIGKILL');
	rmSync(folder, { recursive: true, force: true });
}
