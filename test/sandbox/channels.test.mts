import { DEMO_BUSINESS_NUMBER, DEMO_CHANNEL_ID } from '#sandbox/seed.mts';
import { CHANNEL, testSandbox } from './deliveryHarness.mts';
import { type Receiver, until } from './helpers.mts';

const UUID = '5a4db0c0-de5a-4db0-c0de-5a4db0c0de01';

const sandbox = testSandbox();
let sink: Receiver;
beforeEach(async () => {
	sink = await sandbox.receiver();
});

const CHANNEL_FORM = {
	id: DEMO_CHANNEL_ID,
	name: 'Demo Channel',
	type: 'OFFICIAL_CHATAPP',
	token: expect.any(String),
	tenant: expect.stringMatching(/^[0-9A-F]{32}$/),
	created: expect.stringMatching(/^\d{4}-\d\d-\d\dT/),
	due: null,
	paymentStatus: 'TRIAL',
	trial: true,
	phoneConnected: true,
	phoneNumberConnected: DEMO_BUSINESS_NUMBER,
	businessId: expect.any(String),
	webhooksCount: 1,
};
const subscribe = (events: string[]) =>
	sandbox.call<{ id: string }>(`${CHANNEL}/webhooks`, { body: { url: sink.url, events } });

it('lists and gets a channel in the published form, with webhooks when got', async () => {
	const { body: hook } = await subscribe(['MESSAGE_RECEIVED']);
	const { body } = await sandbox.call<{ content: unknown[] }>('/v1/channels');
	expect(body.content).toEqual([CHANNEL_FORM]);
	const webhooks = [{ id: hook.id, url: sink.url, events: ['MESSAGE_RECEIVED'] }];
	const { webhooksCount: _ofTheList, ...form } = CHANNEL_FORM;
	expect((await sandbox.call(CHANNEL)).body).toEqual({ ...form, webhooks });
});

it.each([
	['GET', `/v1/channels/${UUID}`],
	['GET', `/v1/channels/${UUID}/webhooks`],
	['POST', `/_sandbox/channels/${UUID}/disconnect`],
])('accepts an id with hyphens: %s %s', async (method, path) => {
	expect((await sandbox.call(path, { method })).status).toBe(200);
});

const TYPES = ['OFFICIAL_CHATAPP', 'WEB_CHATAPP', 'PHOTO_INBOX', 'PAGE_INBOX', 'MESSENGER_BOT'];
const REFUSED_TYPE = { status: 400, body: { error: `type must be one of [${TYPES.join(', ')}]` } };
const create = (name: string, type: string) =>
	sandbox.call<{ id: string }>('/v1/channels', { body: { name, type } });

it('refuses an unknown type in the published words', async () => {
	for (const type of TYPES) expect((await create(type, type)).status).toBe(201);
	for (const type of ['OFFICIAL', 'official_chatapp', 'constructor', 'x'.repeat(5000)])
		expect(await create('Other', type)).toMatchObject(REFUSED_TYPE);
	expect(await sandbox.call('/v1/channels?type=NONE')).toMatchObject(REFUSED_TYPE);
	expect((await sandbox.call<{ total: number }>('/v1/channels')).body.total).toBe(6);
	expect(await sandbox.control('/state')).toMatchObject({ channelTypes: TYPES });
	const tenant = { name: 'O', secretKey: 'sandbox_sk_other', publicKey: 'sandbox_pk_other' };
	const tenants = [{ ...tenant, channels: [{ name: 'Other', type: 'OFFICIAL' }] }];
	expect(await sandbox.attempt('/seed', { tenants })).toMatchObject({
		...{ status: 400, body: { error: expect.stringContaining('must be one of') } },
	});
});

it('tells its webhooks of a disconnect, and stays otherwise unchanged', async () => {
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

it('is deleted only once disconnected, with everything in it', async () => {
	const remove = (body?: object) =>
		sandbox.call(CHANNEL, { method: 'DELETE', ...(body ? { body } : {}) });
	expect(await remove()).toMatchObject({
		...{ status: 422, body: { error: 422, message: 'INSTANCE_STILL_CONNECTED' } },
	});
	await subscribe(['MESSAGE_RECEIVED']);
	await sandbox.inbound('5500000000101', 'Hello');
	await sandbox.call(`${CHANNEL}/disconnect`, { method: 'PUT' });
	expect((await remove({ cancelReason: 7 })).status).toBe(400);
	expect(await remove({ cancelReason: 'Moved' })).toMatchObject({ status: 204, body: undefined });
	expect(await remove()).toMatchObject({ status: 404 });
	expect(await sandbox.control('/state')).toMatchObject({ webhooks: [], messages: 0 });
});
