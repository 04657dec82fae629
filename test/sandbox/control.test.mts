import { DEMO_CHANNEL_ID } from '#sandbox/seed.mts';
import { messageEventSchema } from '#sandbox/contract.mts';
import { CHANNEL, CUSTOMER, testSandbox } from './deliveryHarness.mts';
import { until } from './helpers.mts';

const sandbox = testSandbox({ allowHosts: ['sandbox.example'] });

describe('the control API and the page', () => {
	it('takes no body that is not declared as JSON', async () => {
		const headers = { 'content-type': 'text/plain' };
		const given = { key: null, body: '{"advance":1}', headers };
		expect(await sandbox.call('/_sandbox/clock', given)).toMatchObject({ status: 415 });
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

	const from = { channelId: DEMO_CHANNEL_ID, from: '1' };
	it.each<[string, string, unknown, RegExp]>([
		['POST', '/inbound', { from: '1', text: 'x' }, /channelId/],
		['POST', '/inbound', { ...from, from: '', text: 'x' }, /from/],
		['POST', '/inbound', from, /text/],
		['POST', '/inbound', { ...from, type: 'FAX' }, /type/],
		['POST', '/inbound', { ...from, type: 'IMAGE', url: 'no' }, /url/],
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
		const error = expect.stringMatching(message);
		expect(await sandbox.attempt(path, body, method)).toMatchObject({
			status: 400,
			body: { error },
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
		const refused = await sandbox.attempt(path, body, method);
		expect(refused).toMatchObject({ status: 404, body: { error: expect.any(String) } });
	});
});

it('replaces the secret key of a tenant, and refuses a live key and that of another', async () => {
	const replace = (secretKey: string, tenant?: string) =>
		sandbox.attempt('/secret-key', { secretKey, ...(tenant ? { tenant } : {}) });
	const opens = async (key: string) => (await sandbox.call('/v1/webhooks', { key })).status === 200;
	const other = { name: 'Other', secretKey: 'sandbox_sk_other', publicKey: 'sandbox_pk_other' };
	const before = await sandbox.control<{ tenants: Array<{ id: string }> }>('/state');
	await sandbox.control('/seed', { body: { tenants: [other] } });
	const tenant = before.tenants[0]!.id;
	expect((await replace('sandbox_sk_new', tenant)).status).toBe(200);
	expect([await opens(sandbox.secretKey!), await opens('sandbox_sk_new')]).toEqual([false, true]);
	expect(await replace('sk_live_1', tenant)).toMatchObject({
		...{ status: 400, body: { error: expect.stringContaining('live key') } },
	});
	expect((await replace('sandbox_sk_other', tenant)).status).toBe(409);
	expect([await opens('sandbox_sk_new'), await opens('sandbox_sk_other')]).toEqual([true, true]);
});

it('logs requests with their times and numbers in flight, and never a key', async () => {
	await sandbox.inbound(CUSTOMER, 'Hello');
	await sandbox.control('/requests', { method: 'DELETE' });
	const slow = { on: 'route', operation: 'sendMessage', kind: 'latency', ms: 200 };
	await sandbox.control('/faults', { body: slow });
	await Promise.all([1, 2, 3].map((n) => sandbox.send(CUSTOMER, `m${n}`)));
	await sandbox.call('/v1/webhooks?key=in-the-query', { key: 'sandbox_sk_wrong' });
	interface Log {
		total: number;
		maxInFlight: number;
		requests: Array<{ method: string; path: string; status: number }>;
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
	await sandbox.advance(3600);
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
	const sink = await sandbox.listener(['MESSAGE_RECEIVED']);
	const url = 'http://127.0.0.1:9/file';
	const bo = { name: 'Bo Example', first_name: 'Bo', last_name: 'Example', phones: ['55'] };
	const thumbnail = { thumbnailUrl: `${url}-small` };
	/** What a customer sends, and its differences in `contents` or `attachments`. */
	const kinds: Array<[object, 'contents' | 'attachments', object]> = [
		[{ type: 'TEXT', text: 'Hello' }, 'contents', { message: 'Hello', text: undefined }],
		[{ type: 'IMAGE', url, ...thumbnail }, 'attachments', { thumbnail_url: `${url}-small` }],
		[{ type: 'IMAGE', url }, 'attachments', { thumbnail_url: url }],
		[{ type: 'AUDIO', url }, 'attachments', {}],
		[{ type: 'VIDEO', url, caption: 'Watch' }, 'attachments', {}],
		[{ type: 'STICKER', url }, 'attachments', {}],
		[
			{ type: 'CONTACT_ARRAY', contacts: [{ name: 'Bo Example', phones: ['55'] }] },
			'contents',
			{ contacts: [expect.objectContaining(bo)] },
		],
		[
			{ type: 'BUTTON_REPLY', text: 'Yes', id: 'y' },
			'contents',
			{ type: 'INTERACTIVE_BUTTON', message: 'Yes', button: { id: 'y', title: 'Yes' } },
		],
	];
	for (const [index, [content, place, different]] of kinds.entries()) {
		const { messageId } = await sandbox.inbound(CUSTOMER, '', { text: undefined, ...content });
		const { json } = await until('it arrived', () => sink.received[index]);
		const { message } = messageEventSchema.parse(json);
		expect(message._id).toBe(messageId);
		const {
			text: _text,
			id: _id,
			thumbnailUrl: _url,
			...same
		} = content as Record<string, unknown>;
		const { text: _none, ...told } = { ...same, ...different } as Record<string, unknown>;
		expect(message[place]).toEqual([expect.objectContaining(told)]);
		expect(message[place === 'contents' ? 'attachments' : 'contents']).toEqual([]);
	}
});

it('tells webhooks of the business’s messages and their status, if subscribed', async () => {
	const expected = {
		MESSAGE_STATUS: ['SENT', 'DELIVERED', 'READ'],
		MESSAGE_DELIVERY: ['PENDING'],
		RECEIVED_AND_DELIVERY: ['customer', 'PENDING'],
		RECEIVED_STATUS: ['customer', 'SENT', 'DELIVERED', 'READ'],
		BLOCK: [],
	};
	const sinks = [];
	for (const [event, statuses] of Object.entries(expected)) {
		sinks.push({ event, statuses, sink: await sandbox.listener([event]) });
	}
	await sandbox.set({ progression: { upTo: 'READ', stepMs: 20 } });
	await sandbox.inbound(CUSTOMER, 'Hello', { name: 'Ana Example' });
	const { body } = await sandbox.send(CUSTOMER, 'Hi');
	for (const { event, statuses, sink } of sinks) {
		await until(`${event} arrived`, () => sink.received.length >= statuses.length);
		const seen = sink.received.map(({ json }) => {
			const { message, messageEventType } = messageEventSchema.parse(json);
			if (message.metadata?.from_me === false) return 'customer';
			expect(message).toMatchObject({
				_id: body.messageId,
				recipient: { identifier: CUSTOMER, name: 'Ana Example' },
				metadata: { from_api: true },
			});
			expect(messageEventType).toBe('NEW_MESSAGE');
			return message.contents![0]!.state_items!.at(-1)!.state!.name;
		});
		// Deliveries are parallel, so their order is not fixed.
		expect({ event, seen: seen.sort() }).toEqual({ event, seen: [...statuses].sort() });
	}
});
