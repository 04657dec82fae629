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
])('accepts an id with hyphens: %s %s', async (method, path) => {
	expect((await sandbox.call(path, { method })).status).toBe(200);
});

const TYPES = ['OFFICIAL_CHATAPP', 'WEB_CHATAPP', 'PHOTO_INBOX', 'PAGE_INBOX', 'MESSENGER_BOT'];
const REFUSED_TYPE = {
	status: 400,
	body: { error: `type must be one of [${TYPES.join(', ')}]` },
};
const create = (name: string, type: string) =>
	sandbox.call<{ id: string }>('/v1/channels', { body: { name, type } });

it('refuses an unknown type in the published words', async () => {
	for (const type of TYPES) expect((await create(type, type)).status).toBe(201);
	for (const type of ['OFFICIAL', 'official_chatapp', 'constructor', 'x'.repeat(5000)])
		expect(await create('Other', type)).toMatchObject(REFUSED_TYPE);
	expect((await sandbox.call<{ total: number }>('/v1/channels')).body.total).toBe(6);
	expect(await sandbox.control('/state')).toMatchObject({ channelTypes: TYPES });
	const tenant = { name: 'O', secretKey: 'sandbox_sk_other', publicKey: 'sandbox_pk_other' };
	const seeded = await sandbox.call('/_sandbox/seed', {
		body: { tenants: [{ ...tenant, channels: [{ name: 'Other', type: 'OFFICIAL' }] }] },
	});
	expect(seeded).toMatchObject({
		status: 400,
		body: { error: expect.stringContaining('must be one of') },
	});
});

it('lists newer channels first, on every page', async () => {
	for (const name of ['Second', 'Third']) await create(name, 'WEB_CHATAPP');
	const names = async (query: string) =>
		(
			await sandbox.call<{ content: Array<{ name: string }> }>(`/v1/channels?${query}`)
		).body.content.map(({ name }) => name);
	expect(await names('')).toEqual(['Third', 'Second', 'Demo Channel']);
	expect(await names('pageSize=2&page=1')).toEqual(['Demo Channel']);
	expect(await names('type=WEB_CHATAPP')).toEqual(['Third', 'Second']);
});

it('disconnects without the role, and needs it to get, list and delete, with an error of its own for each', async () => {
	await sandbox.control('/role', { body: { enterprise: false } });
	expect(await sandbox.call(`${CHANNEL}/disconnect`, { method: 'PUT' })).toMatchObject({
		...{ status: 200, body: true },
	});
	expect(await sandbox.call(CHANNEL)).toMatchObject({
		status: 422,
		body: { error: 'Channel listing requires ENTERPRISE role' },
	});
	expect(await sandbox.call('/v1/channels')).toMatchObject({
		status: 422,
		body: { error: 'Channel listing requires ENTERPRISE role' },
	});
	expect(await sandbox.call(CHANNEL, { method: 'DELETE' })).toMatchObject({
		status: 422,
		body: { error: 422, message: 'Channel deletion requires ENTERPRISE role' },
	});
});

it('finds channels by name, id and type', async () => {
	const found = async (query: string) =>
		(await sandbox.call<{ total: number }>(`/v1/channels?${query}`)).body.total;
	expect([
		await found('query=5a4db0c0'),
		await found('query=demo'),
		await found('query=zz'),
	]).toEqual([1, 1, 0]);
	expect(await sandbox.call('/v1/channels?type=NONE')).toMatchObject(REFUSED_TYPE);
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

it.each(['PAID', 'CANCELLATION_PROCESS'])(
	'is not deleted while its subscription is %s, and first refuses if it is connected',
	async (paymentStatus) => {
		const remove = () => sandbox.call(CHANNEL, { method: 'DELETE' });
		const set = (status: string) =>
			sandbox.control(`/channels/${DEMO_CHANNEL_ID}`, {
				method: 'PATCH',
				body: { paymentStatus: status },
			});
		await set(paymentStatus);
		expect((await sandbox.call(CHANNEL)).body).toMatchObject({ paymentStatus, trial: false });
		expect(await remove()).toMatchObject({ body: { message: 'INSTANCE_STILL_CONNECTED' } });
		await sandbox.call(`${CHANNEL}/disconnect`, { method: 'PUT' });
		expect(await remove()).toMatchObject({
			status: 422,
			body: { error: 422, message: 'INSTANCE_HAS_ACTIVE_SUBSCRIPTION' },
		});
		await set('CANCELED');
		expect((await remove()).status).toBe(204);
	},
);

it('is deleted only once disconnected, with everything in it', async () => {
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
