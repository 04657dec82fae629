import { connect } from '../../sandbox/client/index.mts';
import { DEMO_CHANNEL_ID } from '../../sandbox/seed.mts';
import type { StateFile } from '../../sandbox/stateFile.mts';
import { CHANNEL, CUSTOMER, testSandbox } from './deliveryHarness.mts';
import { type Client, startTestSandbox, until } from './helpers.mts';

const from = testSandbox({ seed: 'travels' }, { isKept: true });
const to = testSandbox({}, { isKept: true });

const exportOf = (sandbox: Client) => sandbox.control<StateFile>('/export');
const upload = (sandbox: Client, type: string, body: Buffer<ArrayBuffer>) =>
	fetch(`${sandbox.url}/_sandbox/media?channelId=${DEMO_CHANNEL_ID}`, {
		...{ method: 'POST', headers: { 'content-type': type }, body },
	});
const everything = async (sandbox: Client) => ({
	...(await sandbox.control<Record<string, unknown>>('/state')),
	...{ clock: null, requests: null },
	messages: await sandbox.control('/messages'),
	templates: await sandbox.control('/message-templates'),
	deliveries: await sandbox.control('/deliveries'),
});

const delivered = (count: number) =>
	until(`${count} are delivered`, async () => {
		const { counts } = await from.control<{ counts: Record<string, number> }>('/deliveries');
		return counts.DELIVERED === count;
	});

it('continues from an exported state', async () => {
	const receiver = await from.receiver();
	await from.call(`${CHANNEL}/webhooks`, {
		body: { url: receiver.url, events: ['MESSAGE_RECEIVED'], signing: true },
	});
	await from.inbound(CUSTOMER, 'Hello "you"\n');
	await delivered(1);
	const picture = await upload(from, 'image/png', Buffer.from([0, 255, 10]));
	const { url } = (await picture.json()) as { url: string };
	await from.inbound(CUSTOMER, 'Look', { type: 'IMAGE', url });
	await until('both are delivered', () => receiver.received.length === 2);
	await from.control('/settings', { method: 'PATCH', body: { firstPage: 1 } });
	await from.control('/faults', { body: { on: 'route', kind: 'latency', ms: 1, every: 2 } });
	await delivered(2);

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
});

const needs =
	/^version: the state has version 2, and this sandbox needs version \d+\. .*start this/;
it.each<[string, (state: StateFile) => unknown, number, RegExp]>([
	['of an older version', (state) => ({ ...state, version: 2 }), 422, needs],
	[
		'of a newer version',
		(state) => ({ ...state, version: 1000 }),
		422,
		/1000, .* Update this one$/,
	],
	[
		'that was changed',
		(state) => ({ ...state, tables: { ...state.tables, messages: [['x']] } }),
		...([400, /^checksum: the state was changed after its export/] as const),
	],
	['of another form', () => ({ tenants: [] }), 400, /^format/],
	[
		'with unknown tables',
		(state) => ({ ...state, tables: { other: [[1.5]] } }),
		400,
		/^tables\.other/,
	],
])('refuses a state %s, and changes nothing', async (_name, change, status, message) => {
	await to.control('/reset', { body: {} });
	await to.inbound(CUSTOMER, 'Kept');
	const before = await exportOf(to);
	const body = change(await exportOf(from));
	const response = await to.call('/_sandbox/import', { key: null, body });
	expect(response).toMatchObject({ status, body: { error: expect.stringMatching(message) } });
	expect(await exportOf(to)).toEqual(before);
});

it('refuses to export too much data, with the remedy', async () => {
	const sandbox = await startTestSandbox();
	try {
		const body = Buffer.alloc(16 * 1024 * 1024);
		for (let n = 0; n < 4; n += 1) {
			expect((await upload(sandbox, 'video/mp4', body)).status).toBe(201);
		}
		expect(await sandbox.call('/_sandbox/export', { key: null })).toMatchObject({
			status: 422,
			body: { error: expect.stringMatching(/^The state has \d+ bytes, .* copy its data file/) },
		});
	} finally {
		await sandbox.close();
	}
});
