import { DEMO_CHANNEL_ID, DEMO_PUBLIC_KEY, DEMO_SECRET_KEY } from '#sandbox/seed.mts';
import type { SandboxOptions } from '#sandbox/server.mts';
import { CHANNEL, testSandbox } from './deliveryHarness.mts';
import { startTestSandbox, until } from './helpers.mts';

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
	const url = backend.url.replace('127.0.0.1', 'localhost');
	const posted = await postedBy({ n8n: backend.url }, { url, answer: sdk.body });
	expect(posted).toMatchObject({ status: 200, body: { status: 202, body: 'thanks' } });
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
});

it('needs the public key, which allows nothing else', async () => {
	expect((await runSdk(DEMO_CHANNEL_ID, 'sandbox_pk_wrong')).status).toBe(401);
	expect((await runSdk(DEMO_CHANNEL_ID, DEMO_SECRET_KEY)).status).toBe(401);
	expect((await sandbox.call(`${CHANNEL}/webhooks`, { key: DEMO_PUBLIC_KEY })).status).toBe(401);
	const other = { name: 'Other', secretKey: 'sandbox_sk_o', publicKey: 'sandbox_pk_o' };
	await sandbox.control('/seed', { body: { tenants: [other] } });
	expect((await runSdk(DEMO_CHANNEL_ID, 'sandbox_pk_o')).status).toBe(404);
});

/** What a sandbox that was started so answers to the page's post. */
async function postedBy(options: SandboxOptions, body: object) {
	const started = await startTestSandbox(options);
	try {
		return await started.call<{ error: string }>('/_sandbox/sdk/post', { key: null, body });
	} finally {
		await started.close();
	}
}

describe("the page's post", () => {
	const answer = { success: true, channelId: DEMO_CHANNEL_ID, code: 'x' };

	it('goes to the n8n that the sandbox was started with, and to no other server', async () => {
		const other = await sandbox.receiver();
		const n8n = 'http://127.0.0.1:9';
		const error = expect.stringContaining('Start the sandbox with --n8n http');
		const refused = { status: 403, body: { error } };
		const { port } = new URL(other.url);
		const allowDeliveryTo = ['*'];
		for (const url of [
			...[other.url, `http://localhost:${port}/x`, `http://127.0.0.2:${port}/x`],
			...[`https://127.0.0.1:9/x`, 'http://127.0.0.1.example:9/x', 'http://198.51.100.7:9/x'],
		]) {
			expect(await postedBy({}, { url, answer })).toMatchObject(refused);
			expect(await postedBy({ n8n, allowDeliveryTo }, { url, answer })).toMatchObject(refused);
		}
		expect(other.received).toEqual([]);
	});

	it('follows no redirect', async () => {
		const other = await sandbox.receiver();
		const headers = { location: other.url };
		const n8n = await sandbox.receiver(() => ({ status: 307, headers }));
		const posted = await postedBy({ n8n: n8n.url }, { url: n8n.url, answer });
		expect(posted).toMatchObject({ status: 200, body: { status: 307 } });
		expect(other.received).toEqual([]);
	});

	it("holds the SDK's result alone", async () => {
		const n8n = 'http://127.0.0.1:9';
		const statusOf = async (body: object) => (await postedBy({ n8n }, body)).status;
		expect(await statusOf({ url: 'file:///etc/passwd', answer })).toBe(403);
		expect(await statusOf({ url: `${n8n}/x`, answer: { anything: true } })).toBe(400);
	});

	it.each(['127.0.0.1:5678', 'file:///tmp', 'http://127.0.0.1.example:5678', 'http://10.0.0.1/'])(
		'--n8n refuses %s',
		async (n8n) => {
			await expect(startTestSandbox({ n8n })).rejects.toThrow('--n8n needs the address of an n8n');
		},
	);
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
	const sink = await sandbox.listener(['CONNECTED', 'DISCONNECTED']);
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
