import { DEMO_CHANNEL_ID, DEMO_PUBLIC_KEY, DEMO_SECRET_KEY } from '../../sandbox/seed.mts';
import { CHANNEL, testSandbox } from './deliveryHarness.mts';
import { until } from './helpers.mts';

const sandbox = testSandbox();

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
const phonesOf = async (channelId: string) => {
	type Phone = { phoneId: string; number: string };
	const path = `/channels/${channelId}/phones`;
	return (await sandbox.control<{ phones: [Phone, Phone] }>(path)).phones;
};
const create = async (name: string) => {
	const body = { name, type: 'OFFICIAL_CHATAPP' };
	return (await sandbox.call<{ id: string }>('/v1/channels', { body })).body.id;
};

it('connects a new channel from the SDK’s result, which was posted to a backend', async () => {
	const id = await create('Shop');
	expect(await stateOf(id)).toMatchObject({ connected: false });
	const [, { phoneId, number }] = await phonesOf(id);
	const sdk = await runSdk(id, DEMO_PUBLIC_KEY, { phoneId, coexistence: true });
	expect(sdk.body).toEqual({
		...{ success: true, channelId: id, code: expect.any(String) },
		...{ wabaId: expect.any(String), phoneId, coexistence: true },
	});
	const backend = await sandbox.receiver(() => ({ status: 202, body: 'thanks' }));
	const given = { url: backend.url, answer: sdk.body };
	const posted = await sandbox.control('/sdk/post', { body: given });
	expect(posted).toMatchObject({ status: 202, body: 'thanks' });
	expect(backend.received[0]!.json).toEqual(sdk.body);
	const connected = await connect(backend.received[0]!.json as SdkResult, id);
	expect(connected).toMatchObject({ status: 200, body: { success: true } });
	expect(await stateOf(id)).toMatchObject({
		...{ connected: true, phoneId, businessNumber: number, coexistence: true },
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
	expect(await connect((await runSdk()).body, await create('Other'))).toMatchObject(refused);
	const late = (await runSdk()).body;
	await sandbox.advance(601);
	expect(await connect(late)).toMatchObject(refused);
	await sandbox.set({ connectRefusal: 'ERROR' });
	const body = { error: 422, message: expect.stringContaining('refused') };
	expect(await connect(late)).toMatchObject({ status: 422, body });
});

it('needs the public key, which allows nothing else', async () => {
	expect((await runSdk(DEMO_CHANNEL_ID, 'sandbox_pk_wrong')).status).toBe(401);
	expect((await runSdk(DEMO_CHANNEL_ID, DEMO_SECRET_KEY)).status).toBe(401);
	expect((await sandbox.call(`${CHANNEL}/webhooks`, { key: DEMO_PUBLIC_KEY })).status).toBe(401);
	const other = { name: 'Other', secretKey: 'sandbox_sk_o', publicKey: 'sandbox_pk_o' };
	await sandbox.control('/seed', { body: { tenants: [other] } });
	expect((await runSdk(DEMO_CHANNEL_ID, 'sandbox_pk_o')).status).toBe(404);
});

it("posts only to this machine, and only the SDK's result", async () => {
	const answer = (await runSdk()).body;
	const post = (url: string, given: object = answer) =>
		sandbox.attempt('/sdk/post', { url, answer: given });
	const error = expect.stringContaining('--allow-delivery-to');
	expect(await post('http://198.51.100.7/x')).toMatchObject({ status: 403, body: { error } });
	expect((await post('file:///etc/passwd')).status).toBe(400);
	expect((await post('http://127.0.0.1:9/', { anything: true })).status).toBe(400);
});

it('leaves a channel its number when it is connected again by the same phone', async () => {
	const before = await stateOf(DEMO_CHANNEL_ID);
	const path = `/channels/${DEMO_CHANNEL_ID}`;
	const [first, second] = await phonesOf(DEMO_CHANNEL_ID);
	await sandbox.control(`${path}/disconnect`, { method: 'POST' });
	await sandbox.control(`${path}/connect`, { body: { phoneId: first.phoneId } });
	expect(await stateOf(DEMO_CHANNEL_ID)).toEqual(before);
	await sandbox.control(`${path}/connect`, { body: { phoneId: second.phoneId } });
	expect(await stateOf(DEMO_CHANNEL_ID)).toMatchObject({ businessNumber: second.number });
});

it('tells the channel’s webhooks when it is connected and disconnected', async () => {
	const sink = await sandbox.receiver();
	const events = ['CONNECTED', 'DISCONNECTED'];
	await sandbox.call(`${CHANNEL}/webhooks`, { body: { url: sink.url, events } });
	const path = `/channels/${DEMO_CHANNEL_ID}/disconnect`;
	expect((await sandbox.attempt(path, undefined, 'POST')).status).toBe(200);
	await until('DISCONNECTED arrived', () => sink.received.length === 1);
	expect((await sandbox.attempt(path, undefined, 'POST')).status).toBe(422);
	await connect((await runSdk()).body);
	await until('CONNECTED arrived', () => sink.received.length === 2);
	expect(sink.received.map(({ json }) => json)).toMatchObject([
		{ channel_id: DEMO_CHANNEL_ID, connection_event: 'DISCONNECTED' },
		{ channel_id: DEMO_CHANNEL_ID, connection_event: 'CONNECTED' },
	]);
});
