import { request } from 'node:http';

import { DEMO_CHANNEL_ID } from '../../sandbox/seed.mts';
import { messageEventSchema } from '../../sandbox/contract.mts';
import { startReceiver, startTestSandbox, until } from './helpers.mts';

const CHANNEL = `/v1/channels/${DEMO_CHANNEL_ID}`;
const CUSTOMER = '5500000000101';

let sandbox: Awaited<ReturnType<typeof startTestSandbox>>;
beforeAll(async () => {
	sandbox = await startTestSandbox({ allowHosts: ['sandbox.example'] });
});
beforeEach(() => sandbox.control('/reset', { body: {} }));
afterAll(() => sandbox.close());

/** A call with any Host and Origin, which fetch does not allow. */
function statusOf(
	path: string,
	headers: Record<string, string>,
	method = 'GET',
): Promise<number | undefined> {
	return new Promise((resolve, reject) => {
		const all = { 'x-sandbox-token': sandbox.token!, ...headers };
		const call = request(sandbox.url + path, { method, headers: all }, (response) => {
			response.destroy();
			resolve(response.statusCode);
		});
		call.on('error', reject).end();
	});
}

describe('the control API and the page', () => {
	const port = () => new URL(sandbox.url).port;

	it.each(['/_sandbox/state', '/_sandbox/events', '/', '/page/app.js', '/openapi.json'])(
		"refuses %s to other sites' pages",
		async (path) => {
			const own = `127.0.0.1:${port()}`;
			expect(await statusOf(path, { host: own })).toBe(200);
			expect(await statusOf(path, { host: own, origin: `http://${own}` })).toBe(200);
			expect(await statusOf(path, { host: `localhost:${port()}` })).toBe(200);
			expect(await statusOf(path, { host: 'sandbox.example' })).toBe(200);
			expect(await statusOf(path, { host: `rebound.example:${port()}` })).toBe(403);
			expect(await statusOf(path, { host: '127.0.0.1.example' })).toBe(403);
			expect(await statusOf(path, { host: own, origin: 'http://evil.example' })).toBe(403);
			expect(await statusOf(path, { host: own, origin: 'http://127.0.0.1:1' })).toBe(403);
			expect(await statusOf(path, { host: own, origin: 'null' })).toBe(403);
			// A delivery. Otherwise a webhook at the sandbox's own address could control the sandbox.
			expect(await statusOf(path, { host: own, 'x-idempotency-key': 'topic:0:1' })).toBe(403);
		},
	);

	it("changes nothing for another site's page", async () => {
		await statusOf(
			'/_sandbox/reset',
			{ origin: 'http://evil.example', 'content-type': 'application/json' },
			'POST',
		);
		await sandbox.inbound(CUSTOMER, 'Kept');
		expect(
			await statusOf(
				'/_sandbox/reset',
				{ origin: 'http://evil.example', 'content-type': 'application/json' },
				'POST',
			),
		).toBe(403);
		expect(
			await sandbox.call('/_sandbox/clock', {
				key: null,
				body: '{"advance":1}',
				headers: { 'content-type': 'text/plain' },
			}),
		).toMatchObject({ status: 415 });
		expect((await sandbox.control<{ messages: unknown[] }>('/messages')).messages).toHaveLength(1);
	});

	it('serves a page that loads only its own files', async () => {
		const response = await fetch(sandbox.url, { headers: { 'x-sandbox-token': sandbox.token! } });
		const policy = response.headers.get('content-security-policy')?.split('; ') ?? [];
		expect(policy).toEqual(
			expect.arrayContaining(["default-src 'none'", "script-src 'self'", "connect-src 'self'"]),
		);
		// Only images and videos in messages may come from any host.
		expect(policy.filter((part) => part.includes('http'))).toEqual([
			"img-src 'self' http: https:",
			"media-src 'self' http: https:",
		]);
		expect(await response.text()).not.toMatch(/(?:src|href)="(?:https?:)?\/\//);
	});

	it.each<[string, string, unknown, RegExp]>([
		['POST', '/inbound', { from: '1', text: 'x' }, /channelId/],
		['POST', '/inbound', { channelId: DEMO_CHANNEL_ID, from: '', text: 'x' }, /from/],
		['POST', '/inbound', { channelId: DEMO_CHANNEL_ID, from: '1' }, /text/],
		['POST', '/inbound', { channelId: DEMO_CHANNEL_ID, from: '1', type: 'FAX' }, /type/],
		[
			'POST',
			'/inbound',
			{ channelId: DEMO_CHANNEL_ID, from: '1', type: 'IMAGE', url: 'no' },
			/url/,
		],
		['POST', '/clock', {}, /advance/],
		['POST', '/clock', { advance: -1 }, /advance/],
		['POST', '/clock', { now: 'tomorrow' }, /now/],
		['POST', '/clock', { now: '1970-01-01T00:00:00Z' }, /2000/],
		['POST', '/role', { enterprise: 'yes' }, /enterprise/],
		['POST', '/secret-key', {}, /secretKey/],
		['POST', '/reset', { unknown: 1 }, /unknown/],
		['PATCH', '/settings', { templateRoutingLag: 1e9 }, /templateRoutingLag/],
		['POST', '/seed', { tenants: [] }, /tenants/],
		['POST', '/templates', { field: 'colour' }, /field/],
	])('%s %s refuses %j and names the field', async (method, path, body, message) => {
		const response = await sandbox.call(`/_sandbox${path}`, { method, body, key: null });
		expect(response).toMatchObject({
			status: 400,
			body: { error: expect.stringMatching(message) },
		});
	});

	it.each([
		['GET', '/deliveries/1'],
		['POST', '/deliveries/1/redeliver'],
		['GET', `/messages/${'0'.repeat(32)}`],
		['DELETE', `/faults/${'0'.repeat(32)}`],
		['PATCH', `/webhooks/${'0'.repeat(32)}`],
		['GET', '/nothing'],
	])('%s %s refuses an unknown id', async (method, path) => {
		const body = method === 'PATCH' ? { order: 'kept' } : undefined;
		expect(await sandbox.call(`/_sandbox${path}`, { method, body, key: null })).toMatchObject({
			status: 404,
			body: { error: expect.any(String) },
		});
	});
});

it('replaces the secret key of a tenant, and then refuses the old one', async () => {
	const replace = (secretKey: string) =>
		sandbox.call('/_sandbox/secret-key', { key: null, body: { secretKey } });
	expect((await replace('sandbox_sk_new')).status).toBe(200);
	expect((await sandbox.call('/v1/webhooks')).status).toBe(401);
	expect((await sandbox.call('/v1/webhooks', { key: 'sandbox_sk_new' })).status).toBe(200);
	expect(await replace('sk_live_1')).toMatchObject({
		status: 400,
		body: { error: expect.stringContaining('live key') },
	});
	expect((await sandbox.call('/v1/webhooks', { key: 'sandbox_sk_new' })).status).toBe(200);
});

describe('another secret key', () => {
	it('replaces the old one, for the same account', async () => {
		const secretKey = 'sandbox_sk_rotated';
		await sandbox.control('/secret-key', { body: { secretKey } });
		expect(await sandbox.call(`${CHANNEL}/webhooks`)).toMatchObject({ status: 401 });
		expect(await sandbox.call(`${CHANNEL}/webhooks`, { key: secretKey })).toMatchObject({
			status: 200,
		});
	});

	it.each<[string, number, string]>([
		['a live key', 400, 'live_key'],
		["another tenant's key", 409, 'sandbox_sk_other'],
	])('is refused if it is %s', async (_name, status, secretKey) => {
		await sandbox.control('/seed', {
			body: {
				tenants: [{ name: 'Other', secretKey: 'sandbox_sk_other', publicKey: 'sandbox_pk_other' }],
			},
		});
		const { tenants } = await sandbox.control<{ tenants: Array<{ id: string }> }>('/state');
		const response = await sandbox.call('/_sandbox/secret-key', {
			body: { secretKey, tenant: tenants[0]?.id },
			key: null,
		});
		expect(response).toMatchObject({ status, body: { error: expect.any(String) } });
		expect(await sandbox.call(`${CHANNEL}/webhooks`)).toMatchObject({ status: 200 });
	});
});

describe('the log of requests', () => {
	it('shows requests with their times and numbers in flight, and never a key', async () => {
		await sandbox.inbound(CUSTOMER, 'Hello');
		await sandbox.control('/requests', { method: 'DELETE' });
		await sandbox.control('/faults', {
			body: { on: 'route', operation: 'sendMessage', kind: 'latency', ms: 200 },
		});
		await Promise.all([1, 2, 3].map((n) => sandbox.send(CUSTOMER, `m${n}`)));
		await sandbox.call('/v1/webhooks?key=in-the-query', { key: 'sandbox_sk_wrong' });
		interface Log {
			total: number;
			maxInFlight: number;
			requests: Array<{ time: string; method: string; path: string; status: number }>;
		}
		const log = await sandbox.control<Log>('/requests');
		expect(log).toMatchObject({ total: 4, maxInFlight: 3 });
		expect(log.requests.map(({ method, path, status }) => `${method} ${path} ${status}`)).toEqual([
			...Array.from({ length: 3 }, () => `POST ${CHANNEL}/messages 200`),
			'GET /v1/webhooks 401',
		]);
		expect(JSON.stringify(log)).not.toMatch(/sandbox_sk|in-the-query/);
		expect((await sandbox.control<Log>('/requests?method=GET')).requests).toHaveLength(1);
	});
});

it('streams events to watchers', async () => {
	const abort = new AbortController();
	const response = await fetch(`${sandbox.url}/_sandbox/events`, {
		signal: abort.signal,
		headers: { 'x-sandbox-token': sandbox.token! },
	});
	const seen: string[] = [];
	const reading = (async () => {
		let rest = '';
		for await (const chunk of response.body!.pipeThrough(new TextDecoderStream())) {
			const blocks = (rest + chunk).split('\n\n');
			rest = blocks.pop()!;
			for (const block of blocks) {
				const [, event, data] = /event: (\w+)\ndata: (.*)/s.exec(block) ?? [];
				if (event) seen.push(`${event} ${data}`);
			}
		}
	})().catch(() => undefined);
	await until('the stream is ready', () => seen.some((event) => event.startsWith('ready')));
	await sandbox.inbound(CUSTOMER, 'Hello');
	await sandbox.send(CUSTOMER, 'Hi');
	await sandbox.control('/clock', { body: { advance: 3600 } });
	await until('the message was delivered', () =>
		seen.some((event) => event.startsWith('status') && event.includes('"DELIVERED"')),
	);
	const names = seen.map((event) => event.split(' ')[0]);
	expect(names).toEqual(expect.arrayContaining(['message', 'request', 'clock', 'status']));
	expect(seen.join('\n')).not.toContain(sandbox.secretKey);
	abort.abort();
	await reading;
});

it('sends every kind of content in the published form', async () => {
	const sink = await startReceiver();
	const url = 'http://127.0.0.1:9/file';
	const state_items = expect.any(Array);
	const kinds: Array<
		[Record<string, unknown>, 'contents' | 'attachments', Record<string, unknown>]
	> = [
		[{ type: 'TEXT', text: 'Hello' }, 'contents', { type: 'TEXT', message: 'Hello', state_items }],
		[
			{ type: 'IMAGE', url, caption: 'Look', thumbnailUrl: `${url}-small` },
			'attachments',
			{ type: 'IMAGE', url, caption: 'Look', thumbnail_url: `${url}-small` },
		],
		[{ type: 'IMAGE', url }, 'attachments', { type: 'IMAGE', url, thumbnail_url: url }],
		[{ type: 'AUDIO', url }, 'attachments', { type: 'AUDIO', url }],
		[
			{ type: 'VIDEO', url, caption: 'Watch' },
			'attachments',
			{ type: 'VIDEO', url, caption: 'Watch' },
		],
		[{ type: 'STICKER', url }, 'attachments', { type: 'STICKER', url }],
		[
			{ type: 'CONTACT_ARRAY', contacts: [{ name: 'Bo Example', phones: ['55'] }] },
			'contents',
			{
				type: 'CONTACT_ARRAY',
				contacts: [
					expect.objectContaining({
						...{ name: 'Bo Example', first_name: 'Bo', last_name: 'Example', phones: ['55'] },
					}),
				],
			},
		],
		[
			{ type: 'BUTTON_REPLY', text: 'Yes', id: 'y' },
			'contents',
			{ type: 'INTERACTIVE_BUTTON', message: 'Yes', button: { id: 'y', title: 'Yes' } },
		],
	];
	try {
		await sandbox.call(`${CHANNEL}/webhooks`, {
			body: { url: sink.url, events: ['MESSAGE_RECEIVED'] },
		});
		for (const [index, [content, place, expected]] of kinds.entries()) {
			const { messageId } = await sandbox.control<{ messageId: string }>('/inbound', {
				body: { channelId: DEMO_CHANNEL_ID, from: CUSTOMER, ...content },
			});
			const { json } = await until('it arrived', () => sink.received[index]);
			const { message } = messageEventSchema.parse(json);
			expect(message._id).toBe(messageId);
			expect(message[place]).toEqual([expect.objectContaining(expected)]);
			expect(message[place === 'contents' ? 'attachments' : 'contents']).toEqual([]);
		}
	} finally {
		await sink.close();
	}
});

it('tells webhooks of the business’s messages and their status, if subscribed', async () => {
	const sinks = await Promise.all(
		['MESSAGE_STATUS', 'MESSAGE_DELIVERY', 'RECEIVED_AND_DELIVERY', 'RECEIVED_STATUS', 'BLOCK'].map(
			async (event) => ({
				event,
				sink: await startReceiver(),
			}),
		),
	);
	try {
		for (const { event, sink } of sinks)
			await sandbox.call(`${CHANNEL}/webhooks`, { body: { url: sink.url, events: [event] } });
		await sandbox.control('/settings', {
			method: 'PATCH',
			body: { progression: { upTo: 'READ', stepMs: 20 } },
		});
		await sandbox.inbound(CUSTOMER, 'Hello', { name: 'Ana Example' });
		const { body } = await sandbox.send(CUSTOMER, 'Hi');
		const expected: Record<string, string[]> = {
			MESSAGE_STATUS: ['SENT', 'DELIVERED', 'READ'],
			MESSAGE_DELIVERY: ['PENDING'],
			RECEIVED_AND_DELIVERY: ['customer', 'PENDING'],
			RECEIVED_STATUS: ['customer', 'SENT', 'DELIVERED', 'READ'],
			BLOCK: [],
		};
		for (const { event, sink } of sinks) {
			await until(`${event} arrived`, () => sink.received.length >= expected[event]!.length);
			const seen = sink.received.map(({ json }) => {
				const { message, messageEventType } = messageEventSchema.parse(json);
				if (message.metadata?.from_me === false) return 'customer';
				expect(message).toMatchObject({
					_id: body.messageId,
					recipient: { identifier: CUSTOMER, name: 'Ana Example' },
					metadata: { from_api: true },
				});
				const status = message.contents![0]!.state_items!.at(-1)!.state!.name;
				expect(messageEventType).toBe('NEW_MESSAGE');
				return status;
			});
			// Deliveries are parallel, so their order is not fixed.
			expect({ event, seen: [...seen].sort() }).toEqual({
				event,
				seen: [...expected[event]!].sort(),
			});
		}
	} finally {
		for (const { sink } of sinks) await sink.close();
	}
});
