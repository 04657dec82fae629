import { gzipSync } from 'node:zlib';

import { computeSignature, messageEventSchema, templateCategoryEventSchema, templateStatusEventSchema } from '../../sandbox/contract.mts';
import { DEMO_CHANNEL_ID } from '../../sandbox/seed.mts';
import { type Received, startReceiver, startTestSandbox, until } from './helpers.mts';

const WEBHOOKS = `/v1/channels/${DEMO_CHANNEL_ID}/webhooks`;
const CUSTOMER = '5500000000101';

let sandbox: Awaited<ReturnType<typeof startTestSandbox>>;
const receivers: Array<{ close(): Promise<void> }> = [];

beforeAll(async () => {
	sandbox = await startTestSandbox({ deliveryTimeout: 300 });
});
beforeEach(() => sandbox.control('/reset', { body: {} }));
afterEach(async () => {
	for (const receiver of receivers.splice(0)) await receiver.close();
});
afterAll(() => sandbox.close());

async function receiver(...args: Parameters<typeof startReceiver>) {
	const started = await startReceiver(...args);
	receivers.push(started);
	return started;
}

const subscribe = async (url: string, more: Record<string, unknown> = {}) =>
	(await sandbox.call<{ id: string; secret: string }>(WEBHOOKS, { body: { url, events: ['MESSAGE_RECEIVED'], ...more } })).body;

const arrived = (sink: { received: Received[] }, count: number) => until(`${count} deliveries arrived`, () => sink.received.length >= count && sink.received);

interface DeliveryList {
	counts: Record<string, number>;
	deliveries: Array<{ id: number; state: string; attempts: number; nextAt: string | null; idempotencyKey: string }>;
}
const deliveries = () => sandbox.control<DeliveryList>('/deliveries');
const finished = (state: string, count = 1) =>
	until(`${count} deliveries are ${state}`, async () => {
		const list = await deliveries();
		return list.counts[state] === count && list;
	});
const text = (received: Received) => messageEventSchema.parse(received.json).message.contents?.[0]?.message;
const headersOf = (received: Received) => received.headers as Record<string, string>;

describe('a delivery', () => {
	it('carries the message as published, and no proof where none was asked for', async () => {
		const sink = await receiver();
		await subscribe(sink.url);
		const { messageId } = await sandbox.inbound(CUSTOMER, 'Hello!', { name: 'Ana Example' });
		const [received] = await arrived(sink, 1);
		const { message, messageEventType } = messageEventSchema.parse(received!.json);
		expect(messageEventType).toBe('NEW_MESSAGE');
		expect(message).toMatchObject({
			_id: messageId,
			channel_id: DEMO_CHANNEL_ID,
			metadata: { from_me: false },
			sender: { identifier: CUSTOMER, name: 'Ana Example' },
			contents: [{ type: 'TEXT', message: 'Hello!' }],
			attachments: [],
		});
		expect(received!.headers['x-webhook-signature']).toBeUndefined();
		expect(received!.headers['authorization']).toBeUndefined();
		expect(received!.headers['x-idempotency-key']).toMatch(/^webhook\.delivery\.event:\d+:\d+$/);
	});

	it.each([
		['small, as it is', 'Hi', undefined],
		['from 1024 bytes on, gzipped', 'x'.repeat(1024), 'gzip'],
	])('is signed over the plain bytes: %s', async (_name, message, encoding) => {
		const sink = await receiver();
		const { secret } = await subscribe(sink.url, { signing: true });
		expect(secret).toMatch(/^[0-9a-f]{64}$/);
		await sandbox.inbound(CUSTOMER, message);
		const [received] = await arrived(sink, 1);
		const headers = headersOf(received!);
		const [, timestamp, signature] = /^t=(\d+),v1=([0-9a-f]{64})$/.exec(headers['x-webhook-signature']!)!;
		expect(Math.abs(Number(timestamp) - Date.now() / 1000)).toBeLessThan(5);
		const parts = { timestamp: timestamp!, idempotencyKey: headers['x-idempotency-key']!, body: received!.body };
		expect(computeSignature(secret, 'fiveField', parts)).toBe(signature);
		expect(received!.headers['content-encoding']).toBe(encoding);
		expect(received!.body.length >= 1024).toBe(encoding === 'gzip');
	});

	it.each([
		['BEARER', { type: 'BEARER', token: 'tok' }, { authorization: 'Bearer tok' }],
		['BASIC', { type: 'BASIC', username: 'me', password: 'pw' }, { authorization: `Basic ${Buffer.from('me:pw').toString('base64')}` }],
		['API_KEY', { type: 'API_KEY', key: 'k' }, { 'x-api-key': 'k' }],
		['CUSTOM_HEADER', { type: 'CUSTOM_HEADER', headerName: 'X-Mine', headerValue: 'v' }, { 'x-mine': 'v' }],
		['NONE', { type: 'NONE' }, {}],
	])('proves itself with %s, and no list shows the credential', async (type, auth, expected) => {
		const sink = await receiver();
		await subscribe(sink.url, { auth });
		await sandbox.inbound(CUSTOMER, 'Hello');
		const [received] = await arrived(sink, 1);
		expect(received!.headers).toMatchObject(expected);
		expect((await sandbox.call(WEBHOOKS)).body).toEqual([expect.objectContaining({ auth: { type, configured: type !== 'NONE' } })]);
	});
});

describe('after a failure', () => {
	it.each([
		['an error status', { status: 500 }, /answered 500/],
		['a redirect, which is not followed', { status: 302, headers: { location: 'http://127.0.0.1:9/' } }, /answered 302/],
		['a cut connection', null, /other side closed|ECONNRESET|UND_ERR_SOCKET/],
		['no answer in time', { delay: 60_000 }, /no answer within 300 ms/],
	])('%s: tried again by the schedule, same key, signed afresh', async (_name, failure, reason) => {
		const sink = await receiver((_received, count) => (count === 1 ? failure : {}));
		await subscribe(sink.url, { signing: true });
		await sandbox.inbound(CUSTOMER, 'Hello');
		const pending = await until('the first attempt failed', async () => {
			const list = await deliveries();
			return list.deliveries[0]?.attempts === 1 && list.deliveries[0];
		});
		const detail = await sandbox.control<{ attemptList: Array<{ error: string }> }>(`/deliveries/${pending.id}`);
		expect(detail.attemptList[0]!.error).toMatch(reason);
		await sandbox.control('/clock', { body: { advance: 10 } });
		await finished('DELIVERED');
		const [first, second] = await arrived(sink, 2);
		expect(headersOf(second!)['x-idempotency-key']).toBe(headersOf(first!)['x-idempotency-key']);
		expect(second!.body).toEqual(first!.body);
	});

	it('waits as the schedule says, and gives up after its end', async () => {
		const sink = await receiver(() => ({ status: 500 }));
		await subscribe(sink.url);
		await sandbox.control('/clock', { body: { speed: 0 } });
		await sandbox.inbound(CUSTOMER, 'Hello');
		const waits: number[] = [];
		for (let attempt = 1; attempt < 10; attempt += 1) {
			const { nextAt } = await until(`attempt ${attempt} was recorded`, async () => {
				const { deliveries: list } = await deliveries();
				return list[0]?.attempts === attempt && list[0];
			});
			const { clock } = await sandbox.control<{ clock: { now: string } }>('/state');
			waits.push((Date.parse(nextAt!) - Date.parse(clock.now)) / 1000);
			await sandbox.control('/clock', { body: { now: nextAt } });
		}
		await finished('FAILED');
		expect(sink.received).toHaveLength(10);
		[5, 300, 1800, 7200, 18000, 36000, 50400, 72000, 86400].forEach((seconds, index) => {
			expect(waits[index]).toBeGreaterThanOrEqual(seconds * 0.9);
			expect(waits[index]).toBeLessThanOrEqual(seconds * 1.1);
		});
	});

	it('goes through the whole schedule by itself when the clock is hurried', async () => {
		const sink = await receiver(() => ({ status: 500 }));
		await subscribe(sink.url);
		await sandbox.control('/clock', { body: { speed: 86_400 } });
		await sandbox.inbound(CUSTOMER, 'Hello');
		await finished('FAILED');
		expect(sink.received).toHaveLength(10);
		expect(new Set(sink.received.map((received) => headersOf(received)['x-idempotency-key'])).size).toBe(1);
	});

	it('honours Retry-After', async () => {
		const sink = await receiver((_received, count) => (count === 1 ? { status: 429, headers: { 'retry-after': '120' } } : {}));
		await subscribe(sink.url);
		await sandbox.control('/clock', { body: { speed: 0 } });
		await sandbox.inbound(CUSTOMER, 'Hello');
		await until('the attempt was recorded', async () => (await deliveries()).deliveries[0]?.attempts === 1);
		await sandbox.control('/clock', { body: { advance: 119 } });
		await sandbox.inbound(CUSTOMER, 'Another');
		await finished('DELIVERED');
		expect(sink.received.map(text)).toEqual(['Hello', 'Another']);
		await sandbox.control('/clock', { body: { advance: 2 } });
		await finished('DELIVERED', 2);
		expect(sink.received.map(text)).toEqual(['Hello', 'Another', 'Hello']);
	});

	it('stays on this machine unless told otherwise', async () => {
		await subscribe('http://198.51.100.7/hook');
		await sandbox.inbound(CUSTOMER, 'Hello');
		const delivery = await until('the attempt was recorded', async () => {
			const { deliveries: list } = await deliveries();
			return list[0]?.attempts === 1 && list[0];
		});
		const detail = await sandbox.control<{ attemptList: unknown[] }>(`/deliveries/${delivery.id}`);
		expect(detail.attemptList).toEqual([expect.objectContaining({ status: null, error: expect.stringContaining('--allow-delivery-to 198.51.100.7') })]);
	});
});

describe('a webhook', () => {
	it('holds its deliveries while DISABLED and lets them go when ENABLED', async () => {
		const sink = await receiver();
		const hook = await subscribe(sink.url);
		await sandbox.call(`${WEBHOOKS}/${hook.id}`, { method: 'PATCH', body: { status: 'DISABLED' } });
		await sandbox.inbound(CUSTOMER, 'Held');
		// Another webhook shows that the worker has been at work since.
		const other = await receiver();
		await subscribe(other.url);
		await sandbox.inbound(CUSTOMER, 'Next');
		await arrived(other, 1);
		expect(sink.received).toHaveLength(0);
		await sandbox.call(`${WEBHOOKS}/${hook.id}`, { method: 'PATCH', body: { status: 'ENABLED' } });
		expect((await arrived(sink, 2)).map(text).sort()).toEqual(['Held', 'Next']);
	});

	it('gets nothing more once deleted, not even what was waiting', async () => {
		const sink = await receiver(() => ({ status: 503 }));
		const hook = await subscribe(sink.url);
		await sandbox.inbound(CUSTOMER, 'Hello');
		await arrived(sink, 1);
		expect(await sandbox.call(`${WEBHOOKS}/${hook.id}`, { method: 'DELETE' })).toMatchObject({ status: 204, body: undefined });
		await sandbox.control('/clock', { body: { advance: 100_000 } });
		const other = await receiver();
		await subscribe(other.url);
		await sandbox.inbound(CUSTOMER, 'Next');
		await arrived(other, 1);
		expect(sink.received).toHaveLength(1);
		expect((await deliveries()).counts).toMatchObject({ CANCELLED: 1 });
	});

	it('shows its secret only when made, and makes a new one with every update that says signing', async () => {
		const sink = await receiver();
		const hook = await subscribe(sink.url, { signing: true });
		const one = `${WEBHOOKS}/${hook.id}`;
		const plain = await sandbox.call<Record<string, unknown>>(one, { method: 'PATCH', body: { description: 'changed' } });
		expect(plain.body).toMatchObject({ description: 'changed', signing: true });
		expect(plain.body).not.toHaveProperty('secret');
		const rotated = await sandbox.call<{ secret: string }>(one, { method: 'PATCH', body: { signing: true } });
		expect(rotated.body.secret).toMatch(/^[0-9a-f]{64}$/);
		expect(rotated.body.secret).not.toBe(hook.secret);
		const shown = JSON.stringify([await sandbox.call(one), await sandbox.call(WEBHOOKS), await sandbox.control('/state')]);
		expect(shown).not.toContain(rotated.body.secret);
		await sandbox.inbound(CUSTOMER, 'Hello');
		const [received] = await arrived(sink, 1);
		const headers = headersOf(received!);
		const timestamp = /^t=(\d+)/.exec(headers['x-webhook-signature']!)![1]!;
		const signature = computeSignature(rotated.body.secret, 'fiveField', { timestamp, idempotencyKey: headers['x-idempotency-key']!, body: received!.body });
		expect(headers['x-webhook-signature']).toBe(`t=${timestamp},v1=${signature}`);
	});

	it.each([
		['a template event', { events: ['UPDATE_TEMPLATE_STATUS'] }, 422, /template events/],
		['an unknown event', { events: ['NO_SUCH_EVENT'] }, 400, /NO_SUCH_EVENT/],
		['a URL that is not http', { url: 'ftp://127.0.0.1/x' }, 400, /http/],
		['too long a URL', { url: `http://127.0.0.1/${'x'.repeat(2048)}` }, 400, /url/],
		['a header with a line break', { auth: { type: 'BEARER', token: 'a\r\nb: c' } }, 400, /auth\.token/],
		['a header of the call itself', { auth: { type: 'CUSTOM_HEADER', headerName: 'Content-Length', headerValue: '1' } }, 400, /headerName/],
		['credentials of another type', { auth: { type: 'BASIC', token: 'x' } }, 400, /auth\.username/],
		['another payload format', { payloadFormat: 'OTHER' }, 400, /payloadFormat/],
	])('refuses %s, at create and at update', async (_name, wrong, status, message) => {
		const hook = await subscribe('http://127.0.0.1:9/hook');
		const before = await sandbox.call(WEBHOOKS);
		const refusal = { status, body: { error: status, message: expect.stringMatching(message) } };
		expect(await sandbox.call(WEBHOOKS, { body: { url: 'http://127.0.0.1:9/', events: ['CONNECTED'], ...wrong } })).toMatchObject(refusal);
		expect(await sandbox.call(`${WEBHOOKS}/${hook.id}`, { method: 'PATCH', body: wrong })).toMatchObject(refusal);
		expect((await sandbox.call(WEBHOOKS)).body).toEqual(before.body);
	});

	it('writes its dates in the form of its kind', async () => {
		await subscribe('http://127.0.0.1:9/hook');
		await sandbox.call('/v1/webhooks', { body: { url: 'http://127.0.0.1:9/hook', events: ['UPDATE_TEMPLATE_STATUS'] } });
		const dates = { createdAt: expect.stringMatching(/\d\+0000$/), updatedAt: expect.stringMatching(/\d\+0000$/) };
		expect((await sandbox.call(WEBHOOKS)).body).toEqual([expect.objectContaining({ ...dates, channelId: DEMO_CHANNEL_ID, instanceId: DEMO_CHANNEL_ID })]);
		const templateDates = { createdAt: expect.stringMatching(/\d\+00:00$/), updatedAt: expect.stringMatching(/\d\+00:00$/) };
		expect((await sandbox.call('/v1/webhooks')).body).toEqual([expect.objectContaining({ ...templateDates, channelId: null, instanceId: null })]);
	});
});

describe('template webhooks', () => {
	const create = (url: string, events: string[]) => sandbox.call<{ id: string }>('/v1/webhooks', { body: { url, events } });

	it('accept only template events, and list only the enabled', async () => {
		expect(await create('http://127.0.0.1:9/', ['MESSAGE_RECEIVED'])).toMatchObject({
			status: 422,
			body: { error: 'Global webhooks (without instance) accept only template events' },
		});
		const { body } = await create('http://127.0.0.1:9/', ['UPDATE_TEMPLATE_STATUS']);
		await sandbox.call(`/v1/webhooks/${body.id}`, { method: 'PATCH', body: { status: 'DISABLED' } });
		expect((await sandbox.call('/v1/webhooks')).body).toEqual([]);
		expect((await sandbox.call(`/v1/webhooks/${body.id}`)).body).toMatchObject({ status: 'DISABLED' });
	});

	it('get the events as published', async () => {
		const sink = await receiver();
		await create(sink.url, ['UPDATE_TEMPLATE_STATUS', 'UPDATE_TEMPLATE_CATEGORY']);
		await sandbox.control('/templates', { body: { field: 'status', status: 'APPROVED' } });
		await arrived(sink, 1);
		await sandbox.control('/templates', { body: { field: 'category', newCategory: 'MARKETING' } });
		const [status, category] = (await arrived(sink, 2)).map((received) => received.json as unknown[]);
		expect(status).toHaveLength(1);
		expect(templateStatusEventSchema.parse(status![0]).value).toMatchObject({ event: 'APPROVED', reason: 'NONE' });
		expect(templateCategoryEventSchema.parse(category![0]).value).toMatchObject({ previous_category: 'UTILITY', new_category: 'MARKETING' });
	});

	it('take effect after the routing lag, when one is set', async () => {
		const sink = await receiver();
		await sandbox.control('/settings', { method: 'PATCH', body: { templateRoutingLag: 300 } });
		await create(sink.url, ['UPDATE_TEMPLATE_STATUS']);
		const change = { field: 'status', status: 'REJECTED' };
		expect(await sandbox.control('/templates', { body: change })).toEqual({ webhooks: 0 });
		await sandbox.control('/clock', { body: { advance: 301 } });
		expect(await sandbox.control('/templates', { body: change })).toEqual({ webhooks: 1 });
		await arrived(sink, 1);
	});
});

describe('the inspector', () => {
	it('shows the exact bytes, headers and signed text of every attempt, and sends again', async () => {
		const sink = await receiver();
		await subscribe(sink.url, { signing: true, auth: { type: 'BEARER', token: 'tok' } });
		await sandbox.inbound(CUSTOMER, 'y'.repeat(2000));
		const { deliveries: list } = await finished('DELIVERED');
		await sandbox.control(`/deliveries/${list[0]!.id}/redeliver`, { method: 'POST' });
		await arrived(sink, 2);
		interface Detail {
			attemptList: Array<{ requestBodyBase64: string; requestHeaders: Record<string, string>; signedText: string; status: number }>;
		}
		const detail = await until('both attempts are recorded', async () => {
			const found = await sandbox.control<Detail>(`/deliveries/${list[0]!.id}`);
			return found.attemptList.length === 2 && found;
		});
		detail.attemptList.forEach((attempt, index) => {
			const received = sink.received[index]!;
			expect(Buffer.from(attempt.requestBodyBase64, 'base64')).toEqual(received.wire);
			expect(received.wire).toEqual(gzipSync(received.body));
			expect(received.headers).toMatchObject(attempt.requestHeaders);
			const [topic, partition, offset] = headersOf(received)['x-idempotency-key']!.split(':');
			const timestamp = /^t=(\d+)/.exec(headersOf(received)['x-webhook-signature']!)![1];
			expect(attempt.signedText).toBe([timestamp, topic, partition, offset, received.body.toString()].join('\n'));
			expect(attempt.status).toBe(200);
		});
	});
});
