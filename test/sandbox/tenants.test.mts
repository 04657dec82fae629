import { startReceiver, startTestSandbox, until } from './helpers.mts';

const CUSTOMER = '5500000000101';

/** A separate tenant in the sandbox, with one channel. */
interface Account {
	id: string;
	channelId: string;
	key: string;
}

let sandbox: Awaited<ReturnType<typeof startTestSandbox>>;
let one: Account;
let other: Account;
beforeAll(async () => {
	sandbox = await startTestSandbox();
});
beforeEach(async () => {
	await sandbox.control('/reset', { body: {} });
	[one, other] = [await addAccount('one'), await addAccount('other')];
});
afterAll(() => sandbox.close());

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

/** The status of a text that an account sends to the customer. */
const sends = async ({ channelId, key }: Account, message = 'Welcome'): Promise<number> =>
	(
		await sandbox.call(`/v1/channels/${channelId}/messages`, {
			key,
			body: { recipient: { identifier: CUSTOMER }, content: { type: 'TEXT', body: { message } } },
		})
	).status;

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
		await inject({
			...{ on: 'route', kind: 'media', subCode: 'MEDIA_UPLOAD_FAILED', tenant: one.id },
		});
		const sendImage = async ({ channelId, key }: Account) =>
			await sandbox.call(`/v1/channels/${channelId}/messages`, {
				key,
				body: {
					recipient: { identifier: CUSTOMER },
					content: { type: 'IMAGE', attachments: [{ url: 'https://media.example/1.png' }] },
				},
			});
		expect((await sendImage(one)).status).toBe(502);
		expect((await sendImage(other)).status).toBe(200);
	});

	it('strikes only the deliveries to its webhooks', async () => {
		const sink = await startReceiver();
		try {
			for (const account of [one, other]) await addWebhook(account, `${sink.url}/${account.id}`);
			await inject({ on: 'webhook', kind: 'duplicate', copies: 1, tenant: one.id });
			await writes(other, 'Once');
			await writes(one, 'Twice');
			await until('three came', () => sink.received.length >= 3);
			const texts = sink.received.map(({ json }) =>
				JSON.stringify(json).includes('Twice') ? 'Twice' : 'Once',
			);
			expect(texts.sort()).toEqual(['Once', 'Twice', 'Twice']);
		} finally {
			await sink.close();
		}
	});
});

it('a fault with `every` strikes every n-th time, `times` times', async () => {
	await writes(one);
	await inject({
		on: 'route',
		operation: 'sendMessage',
		kind: 'status',
		status: 500,
		every: 3,
		times: 2,
	});
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
	const sink = await startReceiver(() => ({ held: new Promise(() => undefined) }));
	try {
		await addWebhook(one, sink.url);
		await addWebhook(other, sink.url);
		for (const account of [one, other]) {
			await writes(account);
			await inject({ on: 'route', kind: 'latency', ms: 1, tenant: account.id });
		}
		await until('both deliveries are under way', () => sink.received.length === 2);
		await sandbox.control(`/tenants/${one.id}`, { method: 'DELETE' });
		expect(await sends(one)).toBe(401);
		expect(await sends(other)).toBe(200);
		const state = await sandbox.control<{
			tenants: Array<{ id: string; name: string }>;
			webhooks: Array<{ tenantId: string }>;
			faults: Array<{ fault: { tenant: string } }>;
			messages: number;
			deliveries: Record<string, number>;
		}>('/state');
		expect(state.tenants.map(({ name }) => name)).toEqual(['Demo Company', 'other']);
		expect(state.webhooks.map(({ tenantId }) => tenantId)).toEqual([other.id]);
		expect(state.faults.map(({ fault }) => fault.tenant)).toEqual([other.id]);
		expect(state.messages).toBe(2);
		expect(state.deliveries).toMatchObject({ PENDING: 1, CANCELLED: 1 });
		const again = await sandbox.call(`/_sandbox/tenants/${one.id}`, {
			method: 'DELETE',
			key: null,
		});
		expect(again.status).toBe(404);
		// Its keys are free again.
		await addAccount('one');
	} finally {
		await sink.close();
	}
});
