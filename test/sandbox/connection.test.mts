import { DEMO_CHANNEL_ID, DEMO_PUBLIC_KEY, DEMO_SECRET_KEY } from '../../sandbox/seed.mts';
import { startReceiver, startTestSandbox, until } from './helpers.mts';

const CHANNEL = `/v1/channels/${DEMO_CHANNEL_ID}`;

let sandbox: Awaited<ReturnType<typeof startTestSandbox>>;
beforeAll(async () => {
	sandbox = await startTestSandbox();
});
beforeEach(() => sandbox.control('/reset', { body: {} }));
afterAll(() => sandbox.close());

interface SdkResult {
	success: boolean;
	channelId: string;
	code: string;
	wabaId: string;
	phoneId: string;
	coexistence: boolean;
}
const runSdk = (channelId = DEMO_CHANNEL_ID, key = DEMO_PUBLIC_KEY, more = {}) =>
	sandbox.call<SdkResult>('/_sandbox/sdk/connect', { key, body: { channelId, ...more } });
const connect = ({ code, wabaId, phoneId, coexistence }: SdkResult, channelId = DEMO_CHANNEL_ID) =>
	sandbox.call(`/v1/channels/${channelId}/connect`, {
		body: { code, wabaId, phoneId, coexistence },
	});
const stateOf = async (channelId: string) => {
	const { tenants } = await sandbox.control<{
		tenants: Array<{ channels: Array<{ id: string; connected: boolean }> }>;
	}>('/state');
	return tenants[0]!.channels.find(({ id }) => id === channelId);
};

it('connects a new channel from the SDK’s result, which was posted to a backend', async () => {
	const { body: created } = await sandbox.call<{ id: string }>('/v1/channels', {
		body: { name: 'Shop', type: 'OFFICIAL_CHATAPP' },
	});
	expect(await stateOf(created.id)).toMatchObject({ connected: false });
	const { phones } = await sandbox.control<{ phones: Array<{ phoneId: string; number: string }> }>(
		`/channels/${created.id}/phones`,
	);
	const sdk = await runSdk(created.id, DEMO_PUBLIC_KEY, {
		phoneId: phones[1]!.phoneId,
		coexistence: true,
	});
	expect(sdk.body).toEqual({
		...{ success: true, channelId: created.id, code: expect.any(String) },
		...{ wabaId: expect.any(String), phoneId: phones[1]!.phoneId, coexistence: true },
	});
	const backend = await startReceiver(() => ({ status: 202, body: 'thanks' }));
	try {
		const posted = await sandbox.control('/sdk/post', {
			body: { url: backend.url, answer: sdk.body },
		});
		expect(posted).toMatchObject({ status: 202, body: 'thanks' });
		expect(backend.received[0]!.json).toEqual(sdk.body);
		expect(await connect(backend.received[0]!.json as SdkResult, created.id)).toMatchObject({
			status: 200,
			body: { success: true },
		});
	} finally {
		await backend.close();
	}
	expect(await stateOf(created.id)).toMatchObject({
		connected: true,
		phoneId: phones[1]!.phoneId,
		businessNumber: phones[1]!.number,
		coexistence: true,
	});
});

it('accepts a code once, in time, for its channel and number', async () => {
	const refused = { status: 200, body: { success: false } };
	const once = (await runSdk()).body;
	expect(await connect(once)).toMatchObject({ body: { success: true } });
	expect(await connect(once)).toMatchObject(refused);
	expect(await connect({ ...once, code: 'never given' })).toMatchObject(refused);
	for (const change of [{ wabaId: '1' }, { phoneId: '1' }, { coexistence: true }])
		expect(await connect({ ...(await runSdk()).body, ...change })).toMatchObject(refused);
	const { body: other } = await sandbox.call<{ id: string }>('/v1/channels', {
		body: { name: 'Other', type: 'OFFICIAL_CHATAPP' },
	});
	expect(await connect((await runSdk()).body, other.id)).toMatchObject(refused);
	const late = (await runSdk()).body;
	await sandbox.control('/clock', { body: { advance: 601 } });
	expect(await connect(late)).toMatchObject(refused);
	await sandbox.control('/settings', { method: 'PATCH', body: { connectRefusal: 'ERROR' } });
	expect(await connect(late)).toMatchObject({
		status: 422,
		body: { error: 422, message: expect.stringContaining('refused') },
	});
});

it('needs the public key, which allows nothing else', async () => {
	expect((await runSdk(DEMO_CHANNEL_ID, 'sandbox_pk_wrong')).status).toBe(401);
	expect((await runSdk(DEMO_CHANNEL_ID, DEMO_SECRET_KEY)).status).toBe(401);
	expect((await sandbox.call(`${CHANNEL}/webhooks`, { key: DEMO_PUBLIC_KEY })).status).toBe(401);
	await sandbox.control('/seed', {
		body: { tenants: [{ name: 'Other', secretKey: 'sandbox_sk_o', publicKey: 'sandbox_pk_o' }] },
	});
	expect((await runSdk(DEMO_CHANNEL_ID, 'sandbox_pk_o')).status).toBe(404);
});

it("posts only to this machine, and only the SDK's result", async () => {
	const answer = (await runSdk()).body;
	const post = (body: unknown) =>
		sandbox.call<{ error: string }>('/_sandbox/sdk/post', { key: null, body });
	expect(await post({ url: 'http://198.51.100.7/x', answer })).toMatchObject({
		status: 403,
		body: { error: expect.stringContaining('--allow-delivery-to') },
	});
	expect((await post({ url: 'file:///etc/passwd', answer })).status).toBe(400);
	expect((await post({ url: 'http://127.0.0.1:9/', answer: { anything: true } })).status).toBe(400);
});

it('leaves a channel its number when it is connected again by the same phone', async () => {
	const before = await stateOf(DEMO_CHANNEL_ID);
	const path = `/channels/${DEMO_CHANNEL_ID}`;
	const { phones } = await sandbox.control<{ phones: Array<{ phoneId: string; number: string }> }>(
		`${path}/phones`,
	);
	await sandbox.control(`${path}/disconnect`, { method: 'POST' });
	await sandbox.control(`${path}/connect`, { body: { phoneId: phones[0]!.phoneId } });
	expect(await stateOf(DEMO_CHANNEL_ID)).toEqual(before);
	await sandbox.control(`${path}/connect`, { body: { phoneId: phones[1]!.phoneId } });
	expect(await stateOf(DEMO_CHANNEL_ID)).toMatchObject({ businessNumber: phones[1]!.number });
});

it('tells the channel’s webhooks when it is connected and disconnected', async () => {
	const sink = await startReceiver();
	try {
		await sandbox.call(`${CHANNEL}/webhooks`, {
			body: { url: sink.url, events: ['CONNECTED', 'DISCONNECTED'] },
		});
		await sandbox.control(`/channels/${DEMO_CHANNEL_ID}/disconnect`, { method: 'POST' });
		await until('DISCONNECTED arrived', () => sink.received.length === 1);
		expect(
			await sandbox.call(`/_sandbox/channels/${DEMO_CHANNEL_ID}/disconnect`, {
				method: 'POST',
				key: null,
			}),
		).toMatchObject({
			status: 422,
		});
		await connect((await runSdk()).body);
		await until('CONNECTED arrived', () => sink.received.length === 2);
		expect(sink.received.map(({ json }) => json)).toEqual([
			expect.objectContaining({ channel_id: DEMO_CHANNEL_ID, connection_event: 'DISCONNECTED' }),
			expect.objectContaining({ channel_id: DEMO_CHANNEL_ID, connection_event: 'CONNECTED' }),
		]);
	} finally {
		await sink.close();
	}
});
