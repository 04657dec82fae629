import { connect } from '../../sandbox/client/index.mts';
import { DEMO_CHANNEL_ID } from '../../sandbox/seed.mts';
import type { StateFile } from '../../sandbox/stateFile.mts';
import { type Client, startReceiver, startTestSandbox, until } from './helpers.mts';

const CUSTOMER = '5500000000101';
const CHANNEL = `/v1/channels/${DEMO_CHANNEL_ID}`;

let from: Awaited<ReturnType<typeof startTestSandbox>>;
let to: Awaited<ReturnType<typeof startTestSandbox>>;
beforeAll(async () => {
	from = await startTestSandbox({ seed: 'travels' });
	to = await startTestSandbox();
});
afterAll(async () => {
	await from.close();
	await to.close();
});

const exportOf = (sandbox: Client) => sandbox.control<StateFile>('/export');
const everything = async (sandbox: Client) => ({
	...(await sandbox.control<Record<string, unknown>>('/state')),
	...{ clock: null, requests: null },
	messages: await sandbox.control('/messages'),
	templates: await sandbox.control('/message-templates'),
	deliveries: await sandbox.control('/deliveries'),
});

it('continues from an exported state', async () => {
	const receiver = await startReceiver();
	try {
		await from.call(`${CHANNEL}/webhooks`, {
			body: { url: receiver.url, events: ['MESSAGE_RECEIVED'], signing: true },
		});
		await from.inbound(CUSTOMER, 'Hello "you"\n');
		await until('it is delivered', async () => {
			const { counts } = await from.control<{ counts: Record<string, number> }>('/deliveries');
			return counts.DELIVERED === 1;
		});
		const picture = await fetch(`${from.url}/_sandbox/media?channelId=${DEMO_CHANNEL_ID}`, {
			method: 'POST',
			headers: { 'content-type': 'image/png' },
			body: Buffer.from([0, 255, 10]),
		});
		const { url } = (await picture.json()) as { url: string };
		await from.inbound(CUSTOMER, 'Look', { type: 'IMAGE', url });
		await until('both are delivered', () => receiver.received.length === 2);
		await from.control('/settings', { method: 'PATCH', body: { firstPage: 1 } });
		await from.control('/faults', { body: { on: 'route', kind: 'latency', ms: 1, every: 2 } });
		await until('all is written down', async () => {
			const { counts } = await from.control<{ counts: Record<string, number> }>('/deliveries');
			return counts.DELIVERED === 2;
		});

		const state = await (await connect(from.url)).exportState();
		await (await connect(to.url)).importState(JSON.parse(JSON.stringify(state)));
		expect(await everything(to)).toEqual(await everything(from));
		expect(await exportOf(to)).toEqual(await exportOf(from));
		const file = await fetch(to.url + url);
		expect([...Buffer.from(await file.arrayBuffer())]).toEqual([0, 255, 10]);

		// Each continues with the next id and the next offset, and signs with the same secret.
		const ids = [];
		for (const sandbox of [from, to]) ids.push((await sandbox.inbound(CUSTOMER, 'Next')).messageId);
		expect(ids[0]).toBe(ids[1]);
		await until('both have delivered it', () => receiver.received.length === 4);
		const [one, other] = receiver.received
			.slice(2)
			.map(({ headers }) => headers['x-idempotency-key']);
		expect(one).toMatch(/:\d+:\d+$/);
		expect(other).toBe(one);
	} finally {
		await receiver.close();
	}
});

it.each<[string, (state: StateFile) => unknown, number, RegExp]>([
	[
		'of an older version',
		(state) => ({ ...state, version: 2 }),
		422,
		/^version: the state has version 2, and this sandbox needs version \d+\. .*start this one with the same data folder/,
	],
	[
		'of a newer version',
		(state) => ({ ...state, version: 1000 }),
		422,
		/^version: the state has version 1000, .* Update this one$/,
	],
	[
		'that was changed',
		(state) => ({ ...state, tables: { ...state.tables, messages: [['x']] } }),
		400,
		/^checksum: the state was changed after its export/,
	],
	['of another form', () => ({ tenants: [] }), 400, /^format/],
	[
		'with unknown tables',
		(state) => ({ ...state, tables: { other: [[1.5]] } }),
		400,
		/^tables\.other\.0\.0/,
	],
])('refuses a state %s, and changes nothing', async (_name, change, status, message) => {
	await to.control('/reset', { body: {} });
	await to.inbound(CUSTOMER, 'Kept');
	const before = await exportOf(to);
	const response = await to.call<{ error: string }>('/_sandbox/import', {
		key: null,
		body: change(await exportOf(from)),
	});
	expect(response).toMatchObject({ status, body: { error: expect.stringMatching(message) } });
	expect(await exportOf(to)).toEqual(before);
});

it('refuses to export too much data, with the remedy', async () => {
	const sandbox = await startTestSandbox();
	try {
		const body = Buffer.alloc(16 * 1024 * 1024);
		for (let n = 0; n < 4; n += 1) {
			const kept = await fetch(`${sandbox.url}/_sandbox/media?channelId=${DEMO_CHANNEL_ID}`, {
				method: 'POST',
				headers: { 'content-type': 'video/mp4' },
				body,
			});
			expect(kept.status).toBe(201);
		}
		expect(await sandbox.call('/_sandbox/export', { key: null })).toMatchObject({
			status: 422,
			body: { error: expect.stringMatching(/^The state has \d+ bytes, .* copy its data file/) },
		});
	} finally {
		await sandbox.close();
	}
});
