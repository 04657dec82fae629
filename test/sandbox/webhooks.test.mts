import {
	computeSignature,
	messageEventSchema,
	templateCategoryEventSchema,
	templateStatusEventSchema,
} from '../../sandbox/contract.mts';
import { DEMO_CHANNEL_ID } from '../../sandbox/seed.mts';
import { CUSTOMER, deliveryHarness, headersOf, WEBHOOKS } from './deliveryHarness.mts';
import type { Received } from './helpers.mts';

const harness = deliveryHarness();
const text = (received: Received) =>
	messageEventSchema.parse(received.json).message.contents?.[0]?.message;

describe('a webhook', () => {
	it('keeps its deliveries while DISABLED and sends them when ENABLED', async () => {
		const sink = await harness.receiver();
		const hook = await harness.subscribe(sink.url);
		await harness.sandbox.call(`${WEBHOOKS}/${hook.id}`, {
			method: 'PATCH',
			body: { status: 'DISABLED' },
		});
		await harness.sandbox.inbound(CUSTOMER, 'Held');
		// Another webhook shows that the worker has run since.
		const other = await harness.receiver();
		await harness.subscribe(other.url);
		await harness.sandbox.inbound(CUSTOMER, 'Next');
		await harness.arrived(other, 1);
		expect(sink.received).toHaveLength(0);
		await harness.sandbox.call(`${WEBHOOKS}/${hook.id}`, {
			method: 'PATCH',
			body: { status: 'ENABLED' },
		});
		expect((await harness.arrived(sink, 2)).map(text).sort()).toEqual(['Held', 'Next']);
	});

	it('gets nothing after it is deleted, not even waiting deliveries', async () => {
		const sink = await harness.receiver(() => ({ status: 503 }));
		const hook = await harness.subscribe(sink.url);
		await harness.sandbox.inbound(CUSTOMER, 'Hello');
		await harness.arrived(sink, 1);
		expect(
			await harness.sandbox.call(`${WEBHOOKS}/${hook.id}`, { method: 'DELETE' }),
		).toMatchObject({
			status: 204,
			body: undefined,
		});
		await harness.sandbox.control('/clock', { body: { advance: 100_000 } });
		const other = await harness.receiver();
		await harness.subscribe(other.url);
		await harness.sandbox.inbound(CUSTOMER, 'Next');
		await harness.arrived(other, 1);
		expect(sink.received).toHaveLength(1);
		expect((await harness.deliveries()).counts).toMatchObject({ CANCELLED: 1 });
	});

	it.each([
		[{ authType: 'BEARER', token: 't' }, 'authorization', 'Bearer t'],
		[{ authType: 'API_KEY', key: 'k' }, 'x-api-key', 'k'],
		[{ authType: 'BASIC', username: 'u', password: 'p' }, 'authorization', 'Basic dTpw'],
		[{ authType: 'CUSTOM_HEADER', headerName: 'x-own', headerValue: 'v' }, 'x-own', 'v'],
	])('accepts flat credentials in the body: %j', async (auth, header, value) => {
		const sink = await harness.receiver();
		const hook = await harness.subscribe(sink.url, auth);
		expect(hook).toMatchObject({ auth: { type: auth.authType, configured: true } });
		await harness.sandbox.inbound(CUSTOMER, 'Hello');
		const [received] = await harness.arrived(sink, 1);
		expect(received!.headers[header]).toBe(value);
		const changed = await harness.sandbox.call(`${WEBHOOKS}/${hook.id}`, {
			method: 'PATCH',
			body: { authType: 'NONE' },
		});
		expect(changed.body).toMatchObject({ auth: { type: 'NONE', configured: false } });
		const incomplete = await harness.sandbox.call(`${WEBHOOKS}/${hook.id}`, {
			method: 'PATCH',
			body: { authType: 'BEARER' },
		});
		expect(incomplete).toMatchObject({ status: 400, body: { message: 'auth.token is required' } });
	});

	it('is created with a null secret without signing', async () => {
		const body = { url: 'http://127.0.0.1:9/', events: ['MESSAGE_RECEIVED'] };
		const created = await harness.sandbox.call(WEBHOOKS, { body });
		expect(created).toMatchObject({ status: 201, body: { signing: false, secret: null } });
		const template = { ...body, events: ['UPDATE_TEMPLATE_STATUS'] };
		expect((await harness.sandbox.call('/v1/webhooks', { body: template })).body).toMatchObject({
			secret: null,
		});
	});

	it('shows its secret only when created, and makes a new one with every update with signing', async () => {
		const sink = await harness.receiver();
		const hook = await harness.subscribe(sink.url, { signing: true });
		const one = `${WEBHOOKS}/${hook.id}`;
		const plain = await harness.sandbox.call<Record<string, unknown>>(one, {
			method: 'PATCH',
			body: { description: 'changed' },
		});
		expect(plain.body).toMatchObject({ description: 'changed', signing: true });
		expect(plain.body).not.toHaveProperty('secret');
		const rotated = await harness.sandbox.call<{ secret: string }>(one, {
			method: 'PATCH',
			body: { signing: true },
		});
		expect(rotated.body.secret).toMatch(/^[0-9a-f]{64}$/);
		expect(rotated.body.secret).not.toBe(hook.secret);
		const shown = JSON.stringify([
			await harness.sandbox.call(one),
			await harness.sandbox.call(WEBHOOKS),
			await harness.sandbox.control('/state'),
		]);
		expect(shown).not.toContain(rotated.body.secret);
		await harness.sandbox.inbound(CUSTOMER, 'Hello');
		const [received] = await harness.arrived(sink, 1);
		const headers = headersOf(received!);
		const timestamp = /^t=(\d+)/.exec(headers['x-webhook-signature']!)![1]!;
		const signature = computeSignature(rotated.body.secret, 'fiveField', {
			timestamp,
			idempotencyKey: headers['x-idempotency-key']!,
			body: received!.body,
		});
		expect(headers['x-webhook-signature']).toBe(`t=${timestamp},v1=${signature}`);
	});

	it.each([
		['a template event', { events: ['UPDATE_TEMPLATE_STATUS'] }, 422, /template events/],
		['an unknown event', { events: ['NO_SUCH_EVENT'] }, 400, /NO_SUCH_EVENT/],
		['a URL that is not http', { url: 'ftp://127.0.0.1/x' }, 400, /http/],
		['too long a URL', { url: `http://127.0.0.1/${'x'.repeat(2048)}` }, 400, /url/],
		[
			'a header with a line break',
			{ auth: { type: 'BEARER', token: 'a\r\nb: c' } },
			400,
			/auth\.token/,
		],
		[
			'a header of the call itself',
			{ auth: { type: 'CUSTOM_HEADER', headerName: 'Content-Length', headerValue: '1' } },
			400,
			/headerName/,
		],
		['credentials of another type', { auth: { type: 'BASIC', token: 'x' } }, 400, /auth\.username/],
		['another payload format', { payloadFormat: 'OTHER' }, 400, /payloadFormat/],
	])('refuses %s, at create and at update', async (_name, wrong, status, message) => {
		const hook = await harness.subscribe('http://127.0.0.1:9/hook');
		const before = await harness.sandbox.call(WEBHOOKS);
		const refusal = { status, body: { error: status, message: expect.stringMatching(message) } };
		expect(
			await harness.sandbox.call(WEBHOOKS, {
				body: { url: 'http://127.0.0.1:9/', events: ['CONNECTED'], ...wrong },
			}),
		).toMatchObject(refusal);
		expect(
			await harness.sandbox.call(`${WEBHOOKS}/${hook.id}`, { method: 'PATCH', body: wrong }),
		).toMatchObject(refusal);
		expect((await harness.sandbox.call(WEBHOOKS)).body).toEqual(before.body);
	});

	it('writes its dates in the form of its kind', async () => {
		await harness.subscribe('http://127.0.0.1:9/hook');
		await harness.sandbox.call('/v1/webhooks', {
			body: { url: 'http://127.0.0.1:9/hook', events: ['UPDATE_TEMPLATE_STATUS'] },
		});
		const dates = {
			createdAt: expect.stringMatching(/\d\+0000$/),
			updatedAt: expect.stringMatching(/\d\+0000$/),
		};
		expect((await harness.sandbox.call(WEBHOOKS)).body).toEqual([
			expect.objectContaining({
				...dates,
				channelId: DEMO_CHANNEL_ID,
				instanceId: DEMO_CHANNEL_ID,
			}),
		]);
		const templateDates = {
			createdAt: expect.stringMatching(/\d\+00:00$/),
			updatedAt: expect.stringMatching(/\d\+00:00$/),
		};
		expect((await harness.sandbox.call('/v1/webhooks')).body).toEqual([
			expect.objectContaining({ ...templateDates, channelId: null, instanceId: null }),
		]);
	});
});

describe('template webhooks', () => {
	const create = (url: string, events: string[]) =>
		harness.sandbox.call<{ id: string }>('/v1/webhooks', { body: { url, events } });

	it('accept only template events, and list only enabled webhooks', async () => {
		expect(await create('http://127.0.0.1:9/', ['MESSAGE_RECEIVED'])).toMatchObject({
			status: 422,
			body: { error: 'Global webhooks (without instance) accept only template events' },
		});
		const { body } = await create('http://127.0.0.1:9/', ['UPDATE_TEMPLATE_STATUS']);
		await harness.sandbox.call(`/v1/webhooks/${body.id}`, {
			method: 'PATCH',
			body: { status: 'DISABLED' },
		});
		expect((await harness.sandbox.call('/v1/webhooks')).body).toEqual([]);
		expect((await harness.sandbox.call(`/v1/webhooks/${body.id}`)).body).toMatchObject({
			status: 'DISABLED',
		});
	});

	it('get the events in the published form', async () => {
		const sink = await harness.receiver();
		await create(sink.url, ['UPDATE_TEMPLATE_STATUS', 'UPDATE_TEMPLATE_CATEGORY']);
		await harness.sandbox.control('/templates', { body: { field: 'status', status: 'APPROVED' } });
		await harness.arrived(sink, 1);
		await harness.sandbox.control('/templates', {
			body: { field: 'category', newCategory: 'MARKETING' },
		});
		const [status, category] = (await harness.arrived(sink, 2)).map(
			(received) => received.json as unknown[],
		);
		expect(status).toHaveLength(1);
		expect(templateStatusEventSchema.parse(status![0]).value).toMatchObject({
			event: 'APPROVED',
			reason: 'NONE',
		});
		expect(templateCategoryEventSchema.parse(category![0]).value).toMatchObject({
			previous_category: 'UTILITY',
			new_category: 'MARKETING',
		});
	});

	it('take effect after the routing lag, if one is set', async () => {
		const sink = await harness.receiver();
		await harness.sandbox.control('/settings', {
			method: 'PATCH',
			body: { templateRoutingLag: 300 },
		});
		await create(sink.url, ['UPDATE_TEMPLATE_STATUS']);
		const change = { field: 'status', status: 'REJECTED' };
		expect(await harness.sandbox.control('/templates', { body: change })).toEqual({ webhooks: 0 });
		await harness.sandbox.control('/clock', { body: { advance: 301 } });
		expect(await harness.sandbox.control('/templates', { body: change })).toEqual({ webhooks: 1 });
		await harness.arrived(sink, 1);
	});
});
