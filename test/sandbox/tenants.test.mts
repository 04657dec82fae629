import { CUSTOMER, testSandbox } from './deliveryHarness.mts';
import { until } from './helpers.mts';

/** A separate tenant in the sandbox, with one channel. */
interface Account {
	id: string;
	channelId: string;
	key: string;
}

const sandbox = testSandbox();
let one: Account;
let other: Account;
beforeEach(async () => {
	[one, other] = [await addAccount('one'), await addAccount('other')];
});

async function addAccount(name: string): Promise<Account> {
	const key = `sandbox_sk_${name}`;
	const tenant = { name, secretKey: key, publicKey: `sandbox_pk_${name}`, channels: [{ name }] };
	const { tenants } = await sandbox.control<{ tenants: Array<{ id: string; channels: string[] }> }>(
		'/seed',
		{ body: { tenants: [tenant] } },
	);
	const { id, channels } = tenants[0]!;
	return { id, channelId: channels[0]!, key };
}

const writes = ({ channelId }: Account, text = 'Hello') =>
	sandbox.inbound(CUSTOMER, text, { channelId });

/** The status of a content that an account sends to the customer. */
const sends = async (
	{ channelId, key }: Account,
	content: object = { type: 'TEXT', body: { message: 'Welcome' } },
): Promise<number> => {
	const body = { recipient: { identifier: CUSTOMER }, content };
	return (await sandbox.call(`/v1/channels/${channelId}/messages`, { key, body })).status;
};

const inject = (fault: Record<string, unknown>) => sandbox.control('/faults', { body: fault });

const addWebhook = async ({ channelId, key }: Account, url: string) =>
	await sandbox.call<{ id: string }>(`/v1/channels/${channelId}/webhooks`, {
		key,
		body: { url, events: ['MESSAGE_RECEIVED'] },
	});

describe('a fault for a tenant', () => {
	it('strikes only the requests of that tenant', async () => {
		await Promise.all([writes(one), writes(other)]);
		await inject({ on: 'route', kind: 'status', status: 503, tenant: one.id });
		expect(await sends(one)).toBe(503);
		expect(await sends(other)).toBe(200);
		// A request without a key has no tenant.
		expect((await sandbox.call('/v1/webhooks', { key: null })).status).toBe(400);
	});

	it('strikes only its sends of media', async () => {
		await Promise.all([writes(one), writes(other)]);
		const media = { on: 'route', kind: 'media', subCode: 'MEDIA_UPLOAD_FAILED' };
		await inject({ ...media, tenant: one.id });
		const image = { type: 'IMAGE', attachments: [{ url: 'https://media.example/1.png' }] };
		expect([await sends(one, image), await sends(other, image)]).toEqual([502, 200]);
	});

	it('strikes only the deliveries to its webhooks', async () => {
		const sink = await sandbox.receiver();
		for (const account of [one, other]) await addWebhook(account, `${sink.url}/${account.id}`);
		await inject({ on: 'webhook', kind: 'duplicate', copies: 1, tenant: one.id });
		await writes(other, 'Once');
		await writes(one, 'Twice');
		await until('three came', () => sink.received.length >= 3);
		const texts = sink.received.map(({ json }) =>
			JSON.stringify(json).includes('Twice') ? 'Twice' : 'Once',
		);
		expect(texts.sort()).toEqual(['Once', 'Twice', 'Twice']);
	});
});

it('a fault with `every` strikes every n-th time, `times` times', async () => {
	await writes(one);
	const failing = { on: 'route', operation: 'sendMessage', kind: 'status', status: 500 };
	await inject({ ...failing, every: 3, times: 2 });
	const statuses: number[] = [];
	for (let n = 0; n < 10; n += 1) statuses.push(await sends(one));
	expect(statuses).toEqual([200, 200, 500, 200, 200, 500, 200, 200, 200, 200]);
	expect(await sandbox.control('/faults')).toEqual({ faults: [] });
});

it('closes the window of one customer, and nothing else', async () => {
	await Promise.all([writes(one), writes(other)]);
	const body = { channelId: one.channelId, customer: CUSTOMER };
	await sandbox.control('/close-window', { body });
	expect([await sends(one), await sends(other)]).toEqual([422, 200]);
	await writes(one);
	expect(await sends(one)).toBe(200);
	// It was never open for a customer who has not written.
	await sandbox.control('/close-window', { body: { ...body, customer: '5500000000999' } });
});

it('removes a tenant with everything in it', async () => {
	// Never responds, so that a delivery is in flight when its tenant is removed.
	const sink = await sandbox.receiver(() => ({ held: new Promise(() => undefined) }));
	await addWebhook(one, sink.url);
	await addWebhook(other, sink.url);
	for (const account of [one, other]) {
		await writes(account);
		await inject({ on: 'route', kind: 'latency', ms: 1, tenant: account.id });
	}
	await until('both deliveries are under way', () => sink.received.length === 2);
	const remove = () => sandbox.attempt(`/tenants/${one.id}`, undefined, 'DELETE');
	expect((await remove()).status).toBeLessThan(300);
	expect([await sends(one), await sends(other)]).toEqual([401, 200]);
	const { tenants, webhooks, faults, ...rest } = await sandbox.control<{
		tenants: object[];
		webhooks: object[];
		faults: object[];
	}>('/state');
	expect(tenants).toMatchObject([{ name: 'Demo Company' }, { name: 'other' }]);
	expect(webhooks).toMatchObject([{ tenantId: other.id }]);
	expect(faults).toMatchObject([{ fault: { tenant: other.id } }]);
	expect(rest).toMatchObject({ messages: 2, deliveries: { PENDING: 1, CANCELLED: 1 } });
	expect((await remove()).status).toBe(404);
	// Its keys are free again.
	await addAccount('one');
});
