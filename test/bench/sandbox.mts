/**
 * How much the sandbox takes and delivers, in a process of its own, beside what the framework and the client do with nothing to do: sends
 * accepted and stored against a bare fastify route, signed deliveries against a bare undici loop, by turns in one run.
 *
 *     tsx test/bench/sandbox.mts
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { Pool } from 'undici';

import { DEMO_CHANNEL_ID, DEMO_SECRET_KEY } from '../../sandbox/seed.mts';
import { checkout } from '../../scripts/checkout.mts';
import { Sink } from './sink.mts';
import { showSpread, spreadOf, table } from './statistics.mts';

/** A second, on two cores; and milliseconds until it listens. */
const PROMISED = { sends: 2000, deliveries: 1000, startup: 2000 };
const ROUNDS = 5;
const SENDS = 10_000;
const DELIVERIES = 5_000;
const CUSTOMER = '5500000000101';
const CONCURRENCY = 32;
/** How many deliveries the sandbox has under way to one webhook: the bare loop gets the same. */
const DELIVERY_CONCURRENCY = 16;

const SEND = `/v1/channels/${DEMO_CHANNEL_ID}/messages`;
const WEBHOOKS = `/v1/channels/${DEMO_CHANNEL_ID}/webhooks`;
const HEADERS = { 'content-type': 'application/json', authorization: `Bearer ${DEMO_SECRET_KEY}` };

const sendBody = (n: number) =>
	JSON.stringify({ recipient: { identifier: CUSTOMER }, content: { type: 'TEXT', body: { message: `Message number ${n}` } } });
/** Every other one is so long that its delivery is gzipped. */
const inboundBody = (n: number) =>
	JSON.stringify({ channelId: DEMO_CHANNEL_ID, from: CUSTOMER, text: `Message ${n} `.repeat(1 + (n % 2) * 20) });

function startProcess(children: ChildProcess[], script: string, ...parameters: string[]): ChildProcess {
	const child = spawn(process.execPath, ['--import', 'tsx', join(checkout, script), ...parameters], {
		cwd: checkout,
		stdio: ['ignore', 'pipe', 'inherit'],
	});
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

async function call<T>(url: string, path: string, body?: unknown, method = 'POST'): Promise<T> {
	const response = await fetch(
		url + path,
		body === undefined ? { headers: HEADERS } : { method, headers: HEADERS, body: JSON.stringify(body) },
	);
	if (!response.ok) throw new Error(`${path} answered ${response.status}: ${await response.text()}`);
	return (await response.json()) as T;
}

const storedMessages = async (url: string) => (await call<{ messages: number }>(url, '/_sandbox/state')).messages;

/** Posts `count` bodies, several at once. Gives the answers, and how many a second there were. */
async function load(url: string, path: string, count: number, bodyOf: (n: number) => string) {
	const pool = new Pool(url, { connections: CONCURRENCY });
	const answers: string[] = [];
	let next = 0;
	const run = async () => {
		while (next < count) {
			next += 1;
			const response = await pool.request({ path, method: 'POST', headers: HEADERS, body: bodyOf(next) });
			const answer = await response.body.text();
			if (response.statusCode >= 300) throw new Error(`${path} answered ${response.statusCode}: ${answer}`);
			answers.push(answer);
		}
	};
	const began = performance.now();
	await Promise.all(Array.from({ length: CONCURRENCY }, run));
	const perSecond = (count / (performance.now() - began)) * 1000;
	await pool.close();
	return { answers, perSecond };
}

interface Pair {
	sandbox: number;
	bare: number;
}

async function measureSends(sandboxUrl: string, bareUrl: string): Promise<Pair> {
	const bare = (await load(bareUrl, SEND, SENDS, sendBody)).perSecond;
	const before = await storedMessages(sandboxUrl);
	const { answers, perSecond } = await load(sandboxUrl, SEND, SENDS, sendBody);
	const stored = (await storedMessages(sandboxUrl)) - before;
	const ids = new Set(answers.map((answer) => (JSON.parse(answer) as { messageId: string }).messageId)).size;
	if (stored !== SENDS || ids !== SENDS) throw new Error(`${SENDS} sends gave ${ids} ids and ${stored} stored messages`);
	return { sandbox: perSecond, bare };
}

async function measureDeliveries(sandboxUrl: string, children: ChildProcess[]): Promise<Pair> {
	const sink = new Sink();
	const url = await sink.listen();
	try {
		const { id, secret } = await call<{ id: string; secret: string }>(sandboxUrl, WEBHOOKS, {
			url,
			events: ['MESSAGE_RECEIVED'],
			signing: true,
		});
		const hook = `${WEBHOOKS}/${id}`;
		await call(sandboxUrl, hook, { status: 'DISABLED' }, 'PATCH');
		await load(sandboxUrl, '/_sandbox/inbound', DELIVERIES, inboundBody);
		const sandbox = await sink.rateOf(DELIVERIES, () => call(sandboxUrl, hook, { status: 'ENABLED' }, 'PATCH'));
		if (sink.check(DELIVERIES, secret) !== DELIVERIES / 2) throw new Error('not every other delivery was gzipped');
		await fetch(sandboxUrl + hook, { method: 'DELETE', headers: { authorization: HEADERS.authorization } });
		const loop = async () => {
			const child = startProcess(children, 'test/bench/bare.mts', 'loop', url, String(DELIVERIES), String(DELIVERY_CONCURRENCY));
			await new Promise((resolve) => child.once('exit', resolve));
		};
		return { sandbox, bare: await sink.rateOf(DELIVERIES, loop) };
	} finally {
		sink.close();
	}
}

const row = (name: string, beside: string, pairs: Pair[]) => [
	name,
	showSpread(spreadOf(pairs.map(({ sandbox }) => sandbox)), 0),
	`${beside}: ${showSpread(spreadOf(pairs.map(({ bare }) => bare)), 0)}`,
	showSpread(spreadOf(pairs.map(({ sandbox, bare }) => sandbox / bare))),
];

/** The section about the sandbox. Fails when a median is below what is promised. */
export async function benchSandbox(): Promise<string> {
	const folder = mkdtempSync(join(tmpdir(), 'sandbox-bench-'));
	const children: ChildProcess[] = [];
	try {
		const startups: number[] = [];
		for (let round = 0; round < ROUNDS; round += 1) {
			const began = performance.now();
			const child = startProcess(children, 'sandbox/main.mts', '--port', '0');
			await addressOf(child);
			startups.push(performance.now() - began);
			child.kill('SIGKILL');
		}
		const sandboxUrl = await addressOf(
			startProcess(children, 'sandbox/main.mts', '--port', '0', '--data', join(folder, 'data.sqlite')),
		);
		const bareUrl = await addressOf(startProcess(children, 'test/bench/bare.mts', 'route'));
		await call(sandboxUrl, '/_sandbox/inbound', { channelId: DEMO_CHANNEL_ID, from: CUSTOMER, text: 'Hello' });
		const sends: Pair[] = [];
		const deliveries: Pair[] = [];
		for (let round = 0; round < ROUNDS; round += 1) {
			sends.push(await measureSends(sandboxUrl, bareUrl));
			deliveries.push(await measureDeliveries(sandboxUrl, children));
		}
		const medians = {
			sends: spreadOf(sends.map(({ sandbox }) => sandbox)).median,
			deliveries: spreadOf(deliveries.map(({ sandbox }) => sandbox)).median,
			startup: spreadOf(startups).median,
		};
		if (medians.sends < PROMISED.sends || medians.deliveries < PROMISED.deliveries || medians.startup > PROMISED.startup) {
			throw new Error(`The sandbox is slower than promised (${JSON.stringify(PROMISED)}): ${JSON.stringify(medians)}`);
		}
		return [
			'## Sandbox',
			'',
			[
				'In a process of its own with its state on disk, under load from a second one.',
				`${ROUNDS} rounds by turns of ${SENDS} sends, ${CONCURRENCY} at once, each found stored afterwards,`,
				`and of ${DELIVERIES} signed deliveries, half of them gzipped, ${DELIVERY_CONCURRENCY} at once, each signature checked afterwards.`,
				`Promised are ${PROMISED.sends} sends and ${PROMISED.deliveries} deliveries a second,`,
				`and a start in ${PROMISED.startup / 1000} s: it took ${showSpread(spreadOf(startups), 0)} ms.`,
			].join(' '),
			'',
			table(
				['', 'Sandbox, a second', 'Beside it, a second', 'Ratio'],
				[row('Sends accepted and stored', 'bare fastify route', sends), row('Signed deliveries', 'bare undici loop', deliveries)],
			),
		].join('\n');
	} finally {
		for (const child of children) child.kill('SIGKILL');
		rmSync(folder, { recursive: true, force: true });
	}
}

if (process.argv[1] === import.meta.filename) console.log(await benchSandbox());
