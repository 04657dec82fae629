/**
 * How much the sandbox takes and delivers, in a process of its own, by turns with what it is
 * measured beside: sends accepted and stored, a bare route of its framework, and an OpenAPI mock
 * server with the sandbox's own document; signed deliveries, and a bare undici loop.
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { DEMO_CHANNEL_ID, DEMO_SECRET_KEY } from '../../sandbox/seed.mts';
import type { BareLoop } from './bare.mts';
import { addressOf, resultOf, startScript } from './children.mts';
import { load } from './load.mts';
import { PRISM_VERSION, startPrism } from './prism.mts';
import { atLeast, atMost, type Measured } from './report.mts';
import { Sink } from './sink.mts';
import { medianOf, showSpread, spreadOf, table } from './statistics.mts';

/** A second, on two cores; and milliseconds until it listens. */
const PROMISED = { sends: 2000, deliveries: 1000, startup: 2000 };
const ROUNDS = 5;
const SENDS = 10_000;
/** The mock server takes longer; a rate needs no more. */
const MOCKED_SENDS = 1_000;
const DELIVERIES = 5_000;
const CUSTOMER = '5500000000101';
const CONCURRENCY = 32;
/** How many deliveries the sandbox has under way to one webhook: the bare loop gets the same. */
const DELIVERY_CONCURRENCY = 16;

const SEND = `/v1/channels/${DEMO_CHANNEL_ID}/messages`;
const WEBHOOKS = `/v1/channels/${DEMO_CHANNEL_ID}/webhooks`;
const HEADERS = { 'content-type': 'application/json', authorization: `Bearer ${DEMO_SECRET_KEY}` };

const sendBody = (n: number) =>
	JSON.stringify({
		recipient: { identifier: CUSTOMER },
		content: { type: 'TEXT', body: { message: `Message number ${n}` } },
	});
/** Every other one is so long that its delivery is gzipped. */
const inboundBody = (n: number) =>
	JSON.stringify({
		channelId: DEMO_CHANNEL_ID,
		from: CUSTOMER,
		text: `Message ${n} `.repeat(1 + (n % 2) * 20),
	});

async function call<T>(url: string, path: string, body?: unknown, method = 'POST'): Promise<T> {
	const response = await fetch(
		url + path,
		body === undefined
			? { headers: HEADERS }
			: { method, headers: HEADERS, body: JSON.stringify(body) },
	);
	if (!response.ok)
		throw new Error(`${path} responded ${response.status}: ${await response.text()}`);
	return (await response.json()) as T;
}

const storedMessages = async (url: string) =>
	(await call<{ messages: number }>(url, '/_sandbox/state')).messages;

interface Sends {
	sandbox: number;
	bare: number;
	mock: number;
}

async function send(url: string, count: number) {
	return await load(url, count, CONCURRENCY, (n) => ({
		path: SEND,
		headers: HEADERS,
		body: sendBody(n),
	}));
}

const idsIn = (bodies: string[]) =>
	bodies.map((body) => (JSON.parse(body) as { messageId: string }).messageId);

async function measureSends(sandboxUrl: string, bareUrl: string, mockUrl: string): Promise<Sends> {
	const mock = await send(mockUrl, MOCKED_SENDS);
	if (idsIn(mock.bodies).some((id) => typeof id !== 'string'))
		throw new Error('the mock server does not respond to sends');
	const bare = await send(bareUrl, SENDS);
	const before = await storedMessages(sandboxUrl);
	const { bodies, perSecond } = await send(sandboxUrl, SENDS);
	const stored = (await storedMessages(sandboxUrl)) - before;
	const ids = new Set(idsIn(bodies)).size;
	if (stored !== SENDS || ids !== SENDS)
		throw new Error(`${SENDS} sends gave ${ids} ids and ${stored} stored messages`);
	return { sandbox: perSecond, bare: bare.perSecond, mock: mock.perSecond };
}

async function measureDeliveries(sandboxUrl: string): Promise<{ sandbox: number; bare: number }> {
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
		await load(sandboxUrl, DELIVERIES, CONCURRENCY, (n) => ({
			path: '/_sandbox/inbound',
			headers: HEADERS,
			body: inboundBody(n),
		}));
		const sandbox = await sink.rateOf(DELIVERIES, () =>
			call(sandboxUrl, hook, { status: 'ENABLED' }, 'PATCH'),
		);
		if (sink.check(DELIVERIES, secret) !== DELIVERIES / 2)
			throw new Error('not every other delivery was gzipped');
		await fetch(sandboxUrl + hook, {
			method: 'DELETE',
			headers: { authorization: HEADERS.authorization },
		});
		const loop: BareLoop = { url, count: DELIVERIES, concurrency: DELIVERY_CONCURRENCY };
		const runLoop = async () =>
			await resultOf(startScript('test/bench/bare.mts', ['loop', JSON.stringify(loop)]));
		return { sandbox, bare: await sink.rateOf(DELIVERIES, runLoop) };
	} finally {
		sink.close();
	}
}

/** Milliseconds until a new sandbox listens. */
async function measureStart(): Promise<number> {
	const began = performance.now();
	const child = startScript('sandbox/main.mts', ['--port', '0']);
	await addressOf(child);
	const milliseconds = performance.now() - began;
	child.kill('SIGKILL');
	return milliseconds;
}

const row = (name: string, beside: string, pairs: Array<[sandbox: number, beside: number]>) => [
	name,
	showSpread(spreadOf(pairs.map(([sandbox]) => sandbox)), 0),
	`${beside}: ${showSpread(spreadOf(pairs.map(([, other]) => other)), 0)}`,
	showSpread(spreadOf(pairs.map(([sandbox, other]) => sandbox / other))),
];

export async function benchSandbox(): Promise<Measured> {
	const folder = mkdtempSync(join(tmpdir(), 'sandbox-bench-'));
	const startups: number[] = [];
	for (let round = 0; round < ROUNDS; round += 1) startups.push(await measureStart());
	const sandbox = startScript('sandbox/main.mts', [
		'--port',
		'0',
		'--data',
		join(folder, 'data.sqlite'),
	]);
	const route = startScript('test/bench/bare.mts', ['route']);
	try {
		const sandboxUrl = await addressOf(sandbox);
		const bareUrl = await addressOf(route);
		const document = join(folder, 'openapi.json');
		writeFileSync(document, JSON.stringify(await call(sandboxUrl, '/openapi.json')));
		const mock = await startPrism(document);
		await call(sandboxUrl, '/_sandbox/inbound', {
			channelId: DEMO_CHANNEL_ID,
			from: CUSTOMER,
			text: 'Hello',
		});
		const sends: Sends[] = [];
		const deliveries: Array<{ sandbox: number; bare: number }> = [];
		try {
			await send(mock.url, MOCKED_SENDS);
			for (let round = 0; round < ROUNDS; round += 1) {
				sends.push(await measureSends(sandboxUrl, bareUrl, mock.url));
				deliveries.push(await measureDeliveries(sandboxUrl));
			}
		} finally {
			mock.stop();
		}
		return {
			blocks: [
				[
					'In a process of its own with its state on disk, under load from a second one.',
					`${ROUNDS} rounds by turns of ${SENDS} sends, ${CONCURRENCY} at once, each found stored afterwards (${MOCKED_SENDS} to the mock server),`,
					`and of ${DELIVERIES} signed deliveries, half of them gzipped, ${DELIVERY_CONCURRENCY} at once, each signature checked afterwards.`,
					`The mock server is Prism ${PRISM_VERSION} with the document that the sandbox serves: it checks requests, and makes up responses.`,
				].join(' '),
				table(
					['', 'Sandbox, a second', 'Beside it, a second', 'Ratio'],
					[
						row(
							'Sends accepted and stored',
							'bare fastify route',
							sends.map(({ sandbox, bare }) => [sandbox, bare]),
						),
						row(
							'',
							'OpenAPI mock server',
							sends.map(({ sandbox, mock }) => [sandbox, mock]),
						),
						row(
							'Signed deliveries',
							'bare undici loop',
							deliveries.map(({ sandbox, bare }) => [sandbox, bare]),
						),
					],
				),
			],
			bounds: [
				atLeast('Sends', medianOf(sends.map(({ sandbox }) => sandbox)), PROMISED.sends, {
					unit: ' a second',
					decimals: 0,
				}),
				atLeast(
					'Deliveries',
					medianOf(deliveries.map(({ sandbox }) => sandbox)),
					PROMISED.deliveries,
					{ unit: ' a second', decimals: 0 },
				),
				atMost('Start', medianOf(startups), PROMISED.startup, { unit: ' ms', decimals: 0 }),
			],
		};
	} finally {
		sandbox.kill('SIGKILL');
		route.kill('SIGKILL');
		rmSync(folder, { recursive: true, force: true });
	}
}
