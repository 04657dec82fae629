import { DEMO_BUSINESS_NUMBER, DEMO_CHANNEL_ID } from '../../sandbox/seed.mts';
import { startReceiver, startTestSandbox, until } from './helpers.mts';

const CHANNEL = `/v1/channels/${DEMO_CHANNEL_ID}`;
const UUID = '5a4db0c0-de5a-4db0-c0de-5a4db0c0de01';

let sandbox: Awaited<ReturnType<typeof startTestSandbox>>;
let sink: Awaited<ReturnType<typeof startReceiver>>;
beforeAll(async () => {
	sandbox = await startTestSandbox();
	sink = await startReceiver();
});
beforeEach(async () => {
	await sandbox.control('/reset', { body: {} });
	sink.received.length = 0;
});
afterAll(async () => {
	await sandbox.close();
	await sink.close();
});

const CHANNEL_FORM = {
	id: DEMO_CHANNEL_ID,
	name: 'Demo Channel',
	type: 'OFFICIAL_CHATAPP',
	token: expect.any(String),
	tenant: expect.stringMatching(/^[0-9A-F]{32}$/),
	created: expect.stringMatching(/^\d{4}-\d\d-\d\dT/),
	due: null,
	paymentStatus: 'PAID',
	trial: false,
	phoneConnected: true,
	phoneNumberConnected: DEMO_BUSINESS_NUMBER,
	businessId: expect.any(String),
	webhooksCount: 1,
};
const subscribe = (events: string[]) =>
	sandbox.call<{ id: string }>(`${CHANNEL}/webhooks`, { body: { url: sink.url, events } });

it('is listed and got in the published form, the latter with its webhooks', async () => {
	const { body: hook } = await subscribe(['MESSAGE_RECEIVED']);
	const { body } = await sandbox.call<{ content: unknown[] }>('/v1/channels');
	expect(body.content).toEqual([CHANNEL_FORM]);
	const webhooks = [{ id: hook.id, url: sink.url, events: ['MESSAGE_RECEIVED'] }];
	expect((await sandbox.call(CHANNEL)).body).toEqual({ ...CHANNEL_FORM, webhooks });
});

it('can be seeded without a window', async () => {
	const tenant = { name: 'Other', secretKey: 'sandbox_sk_other', publicKey: 'sandbox_pk_other' };
	const seeded = await sandbox.control<{ tenants: Array<{ channels: string[] }> }>('/seed', {
		body: { tenants: [{ ...tenant, channels: [{ name: 'Always open', hasWindow: false }] }] },
	});
	const sent = await sandbox.call(`/v1/channels/${seeded.tenants[0]!.channels[0]}/messages`, {
		key: tenant.secretKey,
		body: {
			recipient: { identifier: '5500000000101' },
			content: { type: 'TEXT', body: { message: 'Hello' } },
		},
	});
	expect(sent.status).toBe(200);
});

it.each([
	['GET', `/v1/channels/${UUID}`],
	['GET', `/v1/channels/${UUID}/webhooks`],
	['POST', `/_sandbox/channels/${UUID}/disconnect`],
])('is known by its id with hyphens: %s %s', async (method, path) => {
	expect((await sandbox.call(path, { method })).status).toBe(200);
});

it('is searched by name and id, and by the types that there are', async () => {
	const found = async (query: string) =>
		(await sandbox.call<{ total: number }>(`/v1/channels?${query}`)).body.total;
	expect([
		await found('query=5a4db0c0'),
		await found('query=demo'),
		await found('query=zz'),
	]).toEqual([1, 1, 0]);
	expect(await sandbox.call('/v1/channels?type=NONE')).toMatchObject({
		status: 400,
		body: { error: expect.stringContaining('type') },
	});
});

it('is disconnected, which its webhooks are told, and is then what it was before', async () => {
	await subscribe(['DISCONNECTED']);
	const disconnect = () => sandbox.call(`${CHANNEL}/disconnect`, { method: 'PUT' });
	expect(await disconnect()).toMatchObject({ status: 200, body: true });
	await until('it arrived', () => sink.received[0]);
	expect(await disconnect()).toMatchObject({ status: 200, body: true });
	expect((await sandbox.call(CHANNEL)).body).toMatchObject({
		...{ phoneConnected: false, phoneNumberConnected: null },
	});
	expect((await sandbox.control<{ deliveries: object }>('/state')).deliveries).toMatchObject({
		DELIVERED: 1,
	});
});

it('is deleted only when it is not connected, with all that it had', async () => {
	const remove = (body?: object) =>
		sandbox.call(CHANNEL, { method: 'DELETE', ...(body ? { body } : {}) });
	expect(await remove()).toMatchObject({
		status: 422,
		body: { error: 422, message: 'INSTANCE_STILL_CONNECTED' },
	});
	await subscribe(['MESSAGE_RECEIVED']);
	await sandbox.inbound('5500000000101', 'Hello');
	await sandbox.call(`${CHANNEL}/disconnect`, { method: 'PUT' });
	expect((await remove({ cancelReason: 7 })).status).toBe(400);
	expect(await remove({ cancelReason: 'Moved' })).toMatchObject({ status: 204, body: undefined });
	expect(await remove()).toMatchObject({
		status: 404,
		body: { error: 404, message: 'Instance not found' },
	});
	expect(await sandbox.control('/state')).toMatchObject({ webhooks: [], messages: 0 });
});
