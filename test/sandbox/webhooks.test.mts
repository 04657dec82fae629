import { DEMO_CHANNEL_ID } from '#sandbox/seed.mts';
import { CUSTOMER, deliveryHarness, isGenuine, textIn, WEBHOOKS } from './deliveryHarness.mts';

const { sandbox, receiver, subscribe, arrived, deliveries } = deliveryHarness();

describe('a webhook', () => {
	const change = (id: string, body: object) =>
		sandbox.call<Record<string, unknown>>(`${WEBHOOKS}/${id}`, { method: 'PATCH', body });
	/** Another webhook shows that the worker has run since. */
	const otherGets = async (message: string) => {
		const other = await receiver();
		await subscribe(other.url);
		await sandbox.inbound(CUSTOMER, message);
		await arrived(other, 1);
	};

	it('keeps its deliveries while DISABLED and sends them when ENABLED', async () => {
		const sink = await receiver();
		const hook = await subscribe(sink.url);
		await change(hook.id, { status: 'DISABLED' });
		await sandbox.inbound(CUSTOMER, 'Held');
		await otherGets('Next');
		expect(sink.received).toHaveLength(0);
		await change(hook.id, { status: 'ENABLED' });
		expect((await arrived(sink, 2)).map(textIn).sort()).toEqual(['Held', 'Next']);
	});

	it('gets nothing after it is deleted, not even waiting deliveries', async () => {
		const sink = await receiver(() => ({ status: 503 }));
		const hook = await subscribe(sink.url);
		await sandbox.inbound(CUSTOMER, 'Hello');
		await arrived(sink, 1);
		const removed = await sandbox.call(`${WEBHOOKS}/${hook.id}`, { method: 'DELETE' });
		expect(removed).toMatchObject({ status: 204, body: undefined });
		await sandbox.advance(100_000);
		await otherGets('Next');
		expect(sink.received).toHaveLength(1);
		expect((await deliveries()).counts).toMatchObject({ CANCELLED: 1 });
	});

	it.each([
		[{ authType: 'BEARER', token: 't' }, 'authorization', 'Bearer t'],
		[{ authType: 'API_KEY', key: 'k' }, 'x-api-key', 'k'],
	])('of templates accepts flat credentials in the body: %j', async (auth, header, value) => {
		const { call, control } = sandbox;
		const sink = await receiver();
		const body = { url: sink.url, events: ['UPDATE_TEMPLATE_STATUS'], ...auth };
		const hook = (await call<{ id: string }>('/v1/webhooks', { body })).body;
		expect(hook).toMatchObject({ auth: { type: auth.authType, configured: true } });
		await control('/templates', { body: { field: 'status', status: 'APPROVED' } });
		const [received] = await arrived(sink, 1);
		expect(received!.headers[header]).toBe(value);
		const changed = async (given: object) =>
			await call(`/v1/webhooks/${hook.id}`, { method: 'PATCH', body: given });
		const none = { auth: { type: 'NONE', configured: false } };
		expect((await changed({ authType: 'NONE' })).body).toMatchObject(none);
		const incomplete = { status: 400, body: { error: 'auth.token is required' } };
		expect(await changed({ authType: 'BEARER' })).toMatchObject(incomplete);
		// That of a channel has none published.
		expect(await subscribe(sink.url, auth)).toMatchObject({ auth: { type: 'NONE' } });
	});

	it('shows its secret only when created, and makes a new one with every update with signing', async () => {
		const sink = await receiver();
		const hook = await subscribe(sink.url, { signing: true });
		const plain = await change(hook.id, { description: 'changed' });
		expect(plain.body).toMatchObject({ description: 'changed', signing: true });
		expect(plain.body).not.toHaveProperty('secret');
		const secret = String((await change(hook.id, { signing: true })).body.secret);
		expect(secret).toMatch(/^[0-9a-f]{64}$/);
		expect(secret).not.toBe(hook.secret);
		const shown = JSON.stringify([
			await sandbox.call(`${WEBHOOKS}/${hook.id}`),
			await sandbox.call(WEBHOOKS),
			await sandbox.control('/state'),
		]);
		expect(shown).not.toContain(secret);
		await sandbox.inbound(CUSTOMER, 'Hello');
		const [received] = await arrived(sink, 1);
		expect(isGenuine(received!, secret)).toBe(true);
	});

	const custom = (headerName: string) => ({
		auth: { type: 'CUSTOM_HEADER', headerName, headerValue: '1' },
	});
	it.each<[string, object, number, RegExp]>([
		['a template event', { events: ['UPDATE_TEMPLATE_STATUS'] }, 422, /template events/],
		['an unknown event', { events: ['NO_SUCH_EVENT'] }, 400, /NO_SUCH_EVENT/],
		['a URL that is not http', { url: 'ftp://127.0.0.1/x' }, 400, /http/],
		['too long a URL', { url: `http://127.0.0.1/${'x'.repeat(2048)}` }, 400, /url/],
		['a line break', { auth: { type: 'BEARER', token: 'a\r\nb: c' } }, 400, /auth\.token/],
		['a header of the call itself', custom('Content-Length'), 400, /headerName/],
		['credentials of another type', { auth: { type: 'BASIC', token: 'x' } }, 400, /auth\.username/],
		['another payload format', { payloadFormat: 'OTHER' }, 400, /payloadFormat/],
	])('refuses %s, at create and at update', async (_name, wrong, status, message) => {
		const hook = await subscribe('http://127.0.0.1:9/hook');
		const before = await sandbox.call(WEBHOOKS);
		const refusal = { status, body: { error: status, message: expect.stringMatching(message) } };
		const body = { url: 'http://127.0.0.1:9/', events: ['CONNECTED'], ...wrong };
		expect(await sandbox.call(WEBHOOKS, { body })).toMatchObject(refusal);
		expect(await change(hook.id, wrong)).toMatchObject(refusal);
		expect((await sandbox.call(WEBHOOKS)).body).toEqual(before.body);
	});

	it.each([
		[WEBHOOKS, 'MESSAGE_RECEIVED', /\d\+0000$/, DEMO_CHANNEL_ID],
		['/v1/webhooks', 'UPDATE_TEMPLATE_STATUS', /\d\+00:00$/, null],
	])('has at %s the dates of its kind, and no secret without signing', async (...given) => {
		const [path, event, form, channelId] = given;
		const body = { url: 'http://127.0.0.1:9/hook', events: [event] };
		const created = await sandbox.call(path, { body });
		expect(created).toMatchObject({ status: 201, body: { signing: false, secret: null } });
		const [createdAt, updatedAt] = [expect.stringMatching(form), expect.stringMatching(form)];
		expect((await sandbox.call(path)).body).toEqual([
			expect.objectContaining({ createdAt, updatedAt, channelId, instanceId: channelId }),
		]);
	});
});

describe('template webhooks', () => {
	const create = (url: string, events: string[]) =>
		sandbox.call<{ id: string }>('/v1/webhooks', { body: { url, events } });

	it('accept only template events, and list only enabled webhooks', async () => {
		expect(await create('http://127.0.0.1:9/', ['MESSAGE_RECEIVED'])).toMatchObject({
			status: 422,
			body: { error: 'Global webhooks (without instance) accept only template events' },
		});
		const { body } = await create('http://127.0.0.1:9/', ['UPDATE_TEMPLATE_STATUS']);
		const path = `/v1/webhooks/${body.id}`;
		const disabled = { status: 'DISABLED' };
		await sandbox.call(path, { method: 'PATCH', body: disabled });
		expect((await sandbox.call('/v1/webhooks')).body).toEqual([]);
		expect((await sandbox.call(path)).body).toMatchObject(disabled);
	});

	it('take effect after the routing lag, if one is set', async () => {
		const sink = await receiver();
		await sandbox.set({ templateRoutingLag: 300 });
		await create(sink.url, ['UPDATE_TEMPLATE_STATUS']);
		const change = { field: 'status', status: 'REJECTED' };
		expect(await sandbox.control('/templates', { body: change })).toEqual({ webhooks: 0 });
		await sandbox.advance(301);
		expect(await sandbox.control('/templates', { body: change })).toEqual({ webhooks: 1 });
		await arrived(sink, 1);
	});
});
