import { CHANNEL, CUSTOMER, deliveryHarness, isGenuine, signedAt } from './deliveryHarness.mts';
import { type Receiver, until } from './helpers.mts';

const harness = deliveryHarness();
const { sandbox } = harness;
let sink: Receiver;
let hook: { id: string; secret: string };
beforeEach(async () => {
	sink = await harness.receiver();
	hook = await harness.subscribe(sink.url, { signing: true });
});

const inject = (fault: Record<string, unknown>) =>
	sandbox.control<{ id: string }>('/faults', { body: fault });
const arrived = (count: number) => harness.arrived(sink, count);
const removeFault = (id: string) => sandbox.control(`/faults/${id}`, { method: 'DELETE' });
const sentTexts = async () =>
	(await sandbox.messages())
		.filter(({ direction }) => direction === 'out')
		.map(({ content }) => content.text);

describe('on a route', () => {
	beforeEach(() => sandbox.inbound(CUSTOMER, 'Hello'));

	it('responds with a status and Retry-After, this many times, in the shape of the route', async () => {
		await inject({
			...{ on: 'route', operation: 'sendMessage', kind: 'status', status: 429, times: 2 },
			...{ retryAfter: 7, message: 'Slow down' },
		});
		for (let time = 0; time < 2; time += 1) {
			const response = await sandbox.send(CUSTOMER, 'Refused');
			expect(response).toMatchObject({ status: 429, body: { error: 429, message: 'Slow down' } });
			expect(response.headers.get('retry-after')).toBe('7');
		}
		expect((await sandbox.send(CUSTOMER, 'Taken')).status).toBe(200);
		expect(await sentTexts()).toEqual(['Taken']);
		expect(await sandbox.control('/faults')).toEqual({ faults: [] });
		await inject({ on: 'route', kind: 'status', status: 503 });
		const body = { error: expect.any(String) };
		expect(await sandbox.call('/v1/webhooks')).toMatchObject({ status: 503, body });
	});

	it('closes the window', async () => {
		const { id } = await inject({ on: 'route', kind: 'windowClosed' });
		const body = { message: 'Conversation window is closed' };
		expect(await sandbox.send(CUSTOMER, 'Refused')).toMatchObject({ status: 422, body });
		expect((await sandbox.call(`${CHANNEL}/webhooks`)).status).toBe(200);
		await removeFault(id);
		expect((await sandbox.send(CUSTOMER, 'Taken')).status).toBe(200);
	});

	it.each([
		['before', 'dropBefore', []],
		['after', 'dropAfter', ['Kept']],
	])('cuts the connection %s the request is carried out', async (_when, kind, kept) => {
		await inject({ on: 'route', operation: 'sendMessage', kind, times: 1 });
		await expect(sandbox.send(CUSTOMER, 'Kept')).rejects.toThrow('fetch failed');
		expect(await sentTexts()).toEqual(kept);
		interface Log {
			requests: object[];
			inFlight: number;
		}
		const { requests, inFlight } = await sandbox.control<Log>('/requests');
		const cut = { method: 'POST', path: `${CHANNEL}/messages`, status: null };
		expect([requests.at(-1), inFlight]).toMatchObject([cut, 0]);
	});

	const framework = { status: 500, error: 'Internal Server Error', path: `${CHANNEL}/messages` };
	it.each([
		['A', false, { error: 500, message: 'Failed' }],
		['B', true, { error: 'Failed' }],
		['framework', true, { timestamp: expect.any(String), ...framework }],
	])('fails in the form %s, after the request was carried out: %s', async (shape, after, body) => {
		await inject({
			...{ on: 'route', operation: 'sendMessage', kind: 'status', status: 500, times: 1 },
			...{ message: 'Failed', shape, after },
		});
		expect(await sandbox.send(CUSTOMER, 'Kept')).toMatchObject({ status: 500, body });
		expect(await sentTexts()).toEqual(after ? ['Kept'] : []);
		const { requests } = await sandbox.control<{ requests: object[] }>('/requests');
		expect(requests.at(-1)).toMatchObject({ status: 500, refusal: 'Failed' });
	});

	it('leaves a refusal as it is, because what was refused was not carried out', async () => {
		await inject({ on: 'route', kind: 'status', status: 500, after: true });
		expect(await sandbox.send('5500000000999', 'Refused')).toMatchObject({ status: 422 });
	});

	it('delays the response', async () => {
		await inject({ on: 'route', operation: 'sendMessage', kind: 'latency', ms: 200, times: 1 });
		const began = Date.now();
		expect((await sandbox.send(CUSTOMER, 'Slow')).status).toBe(200);
		expect(Date.now() - began).toBeGreaterThanOrEqual(195);
	});
});

describe('on a webhook', () => {
	it('signs wrongly, or with an old time', async () => {
		await inject({ on: 'webhook', webhookId: hook.id, kind: 'badSignature', times: 1 });
		await sandbox.inbound(CUSTOMER, 'Forged');
		const [forged] = await arrived(1);
		expect(isGenuine(forged!, hook.secret)).toBe(false);
		await inject({ on: 'webhook', kind: 'staleSignature', seconds: 4000, times: 1 });
		await sandbox.inbound(CUSTOMER, 'Stale');
		const [, stale] = await arrived(2);
		expect(isGenuine(stale!, hook.secret)).toBe(true);
		expect(Date.now() / 1000 - signedAt(stale!)).toBeGreaterThan(3990);
		await sandbox.inbound(CUSTOMER, 'Genuine');
		expect((await arrived(3)).map((one) => isGenuine(one, hook.secret))).toEqual([
			false,
			true,
			true,
		]);
	});

	it.each([
		['always', 'short', 'gzip'],
		['never', 'x'.repeat(3000), undefined],
	])('compresses %s', async (mode, text, encoding) => {
		await inject({ on: 'webhook', kind: 'gzip', mode });
		await sandbox.inbound(CUSTOMER, text);
		const [received] = await arrived(1);
		expect(received!.headers['content-encoding']).toBe(encoding);
		expect(isGenuine(received!, hook.secret)).toBe(true);
	});

	/** Waits until the oldest waiting delivery was attempted. */
	const failed = (count = 1) =>
		until('the attempt was recorded', async () => {
			const path = '/deliveries?state=PENDING&limit=100';
			const { deliveries } = await sandbox.control<{
				deliveries: Array<{ attempts: number; nextAt: string }>;
			}>(path);
			const oldest = deliveries.at(-1);
			return deliveries.length >= count && oldest?.attempts === 1 && deliveries;
		});

	it('repeats a delivery with the same key: duplicated, or with its response dropped', async () => {
		await inject({ on: 'webhook', kind: 'duplicate', copies: 2, times: 1 });
		await sandbox.inbound(CUSTOMER, 'Thrice');
		await arrived(3);
		await inject({ on: 'webhook', kind: 'dropAfter', times: 1 });
		await sandbox.inbound(CUSTOMER, 'Twice');
		await failed();
		await sandbox.advance(10);
		const keys = (await arrived(5)).map(({ headers }) => headers['x-idempotency-key']);
		expect(new Set(keys.slice(0, 3)).size).toBe(1);
		expect(new Set(keys.slice(3)).size).toBe(1);
		expect(keys[0]).not.toBe(keys[3]);
	});

	it('fails without calling the receiver: dropped before, or counted as a response with a status', async () => {
		await inject({ on: 'webhook', kind: 'dropBefore', times: 1 });
		await sandbox.inbound(CUSTOMER, 'First');
		await failed();
		await inject({ on: 'webhook', kind: 'status', status: 503, retryAfter: 100, times: 1 });
		await sandbox.inbound(CUSTOMER, 'Second');
		const [second] = await until('the second failed', async () => {
			const list = await failed(2);
			return list[0]!.attempts === 1 && list;
		});
		expect(Date.parse(second!.nextAt) - Date.now()).toBeGreaterThan(95_000);
		expect(sink.received).toHaveLength(0);
		await sandbox.advance(101);
		await arrived(2);
	});

	it('delivers out of order, or in order if set', async () => {
		const texts = Array.from({ length: 12 }, (_, n) => `m${n}`);
		type Event = { message: { contents: Array<{ message: string }> } };
		const received = () =>
			sink.received.map(({ json }) => (json as Event).message.contents[0]!.message);
		const { id } = await inject({ on: 'webhook', kind: 'reorder', withinMs: 150 });
		for (const text of texts) await sandbox.inbound(CUSTOMER, text);
		await arrived(texts.length);
		expect(received().sort()).toEqual([...texts].sort());
		expect(received()).not.toEqual(texts);

		await removeFault(id);
		await sandbox.control(`/webhooks/${hook.id}`, { method: 'PATCH', body: { order: 'kept' } });
		sink.received.length = 0;
		await inject({ on: 'webhook', kind: 'dropBefore', times: 1 });
		for (const text of texts) await sandbox.inbound(CUSTOMER, text);
		await failed();
		expect(sink.received).toHaveLength(0);
		await sandbox.advance(10);
		await arrived(texts.length);
		expect(received()).toEqual(texts);
	});

	it('delays a delivery', async () => {
		await inject({ on: 'webhook', kind: 'latency', ms: 150, times: 1 });
		const began = Date.now();
		await sandbox.inbound(CUSTOMER, 'Slow');
		await arrived(1);
		expect(Date.now() - began).toBeGreaterThanOrEqual(145);
	});
});

it.each([
	[{ on: 'nowhere', kind: 'status', status: 500 }, /on/],
	[{ on: 'route', kind: 'status', status: 200 }, /status/],
	[{ on: 'route', kind: 'badSignature' }, /kind/],
	[{ on: 'webhook', kind: 'latency', ms: 10_000_000 }, /ms/],
	[{ on: 'route', kind: 'latency', ms: 1, operation: 'noSuch' }, /operation/],
	[{ on: 'route', kind: 'windowClosed', unknown: true }, /unknown/],
])('refuses an unknown fault: %j', async (fault, message) => {
	const error = expect.stringMatching(message);
	expect(await sandbox.attempt('/faults', fault)).toMatchObject({ status: 400, body: { error } });
	expect(await sandbox.control('/faults')).toEqual({ faults: [] });
});
