import { gzipSync } from 'node:zlib';

import { messageEventSchema } from '#sandbox/contract.mts';
import { DEMO_CHANNEL_ID } from '#sandbox/seed.mts';
import {
	CUSTOMER,
	deliveryHarness,
	headersOf,
	isGenuine,
	signedAt,
	textIn,
	WEBHOOKS,
} from './deliveryHarness.mts';
import { until } from './helpers.mts';

const { sandbox, receiver, subscribe, attempted, arrived, deliveries, finished } = deliveryHarness({
	deliveryTimeout: 300,
});

describe('a delivery', () => {
	it('has the message in the published form, and no signature if none was requested', async () => {
		const sink = await receiver();
		await subscribe(sink.url);
		const { messageId } = await sandbox.inbound(CUSTOMER, 'Hello!', {
			name: 'Ana Example',
		});
		const [received] = await arrived(sink, 1);
		const { message, messageEventType } = messageEventSchema.parse(received!.json);
		expect(messageEventType).toBe('NEW_MESSAGE');
		expect(message).toMatchObject({
			_id: messageId,
			channel_id: DEMO_CHANNEL_ID,
			metadata: { from_me: false },
			sender: { identifier: CUSTOMER, name: 'Ana Example' },
			contents: [{ type: 'TEXT', message: 'Hello!' }],
			attachments: [],
		});
		expect(received!.headers['x-webhook-signature']).toBeUndefined();
		expect(received!.headers['authorization']).toBeUndefined();
		expect(received!.headers['x-idempotency-key']).toMatch(/^webhook\.delivery\.event:\d+:\d+$/);
	});

	it.each([
		['small, as it is', 'Hi', undefined],
		['from 1024 bytes on, gzipped', 'x'.repeat(1024), 'gzip'],
	])('has a signature over the uncompressed bytes: %s', async (_name, message, encoding) => {
		const sink = await receiver();
		const { secret } = await subscribe(sink.url, { signing: true });
		expect(secret).toMatch(/^[0-9a-f]{64}$/);
		await sandbox.inbound(CUSTOMER, message);
		const [received] = await arrived(sink, 1);
		expect(Math.abs(signedAt(received!) - Date.now() / 1000)).toBeLessThan(5);
		expect(isGenuine(received!, secret)).toBe(true);
		expect(received!.headers['content-encoding']).toBe(encoding);
		expect(received!.body.length >= 1024).toBe(encoding === 'gzip');
	});

	it.each([
		['BEARER', { type: 'BEARER', token: 'tok' }, { authorization: 'Bearer tok' }],
		[
			'BASIC',
			{ type: 'BASIC', username: 'me', password: 'pw' },
			{ authorization: `Basic ${Buffer.from('me:pw').toString('base64')}` },
		],
		['API_KEY', { type: 'API_KEY', key: 'k' }, { 'x-api-key': 'k' }],
		[
			'CUSTOM_HEADER',
			{ type: 'CUSTOM_HEADER', headerName: 'X-Mine', headerValue: 'v' },
			{ 'x-mine': 'v' },
		],
		['NONE', { type: 'NONE' }, {}],
	])('authenticates with %s, and no list shows the credential', async (type, auth, expected) => {
		const sink = await receiver();
		await subscribe(sink.url, { auth });
		await sandbox.inbound(CUSTOMER, 'Hello');
		const [received] = await arrived(sink, 1);
		expect(received!.headers).toMatchObject(expected);
		expect((await sandbox.call(WEBHOOKS)).body).toEqual([
			expect.objectContaining({ auth: { type, configured: type !== 'NONE' } }),
		]);
	});
});

const REDIRECT = { location: 'http://127.0.0.1:9/' };

describe('after a failure', () => {
	it.each([
		['an error status', { status: 500 }, /answered 500/],
		['a redirect, which is not followed', { status: 302, headers: REDIRECT }, /answered 302/],
		['a cut connection', null, /other side closed|ECONNRESET|UND_ERR_SOCKET/],
		['no response in time', { delay: 60_000 }, /no response within 300 ms/],
	])(
		'retries after %s by the schedule, with the same key and a new signature',
		async (_name, failure, reason) => {
			const sink = await receiver((_received, count) => (count === 1 ? failure : {}));
			await subscribe(sink.url, { signing: true });
			await sandbox.inbound(CUSTOMER, 'Hello');
			const pending = await attempted();
			const detail = await sandbox.control<{ attemptList: Array<{ error: string }> }>(
				`/deliveries/${pending.id}`,
			);
			expect(detail.attemptList[0]!.error).toMatch(reason);
			await sandbox.advance(10);
			await finished('DELIVERED');
			const [first, second] = await arrived(sink, 2);
			expect(headersOf(second!)['x-idempotency-key']).toBe(headersOf(first!)['x-idempotency-key']);
			expect(second!.body).toEqual(first!.body);
		},
	);

	it('follows the schedule, and gives up at its end', async () => {
		const sink = await receiver(() => ({ status: 500 }));
		await subscribe(sink.url);
		await sandbox.control('/clock', { body: { speed: 0 } });
		await sandbox.inbound(CUSTOMER, 'Hello');
		const waits: number[] = [];
		for (let attempt = 1; attempt < 10; attempt += 1) {
			const { nextAt } = await until(`attempt ${attempt} was recorded`, async () => {
				const [first] = (await deliveries()).deliveries;
				return first?.attempts === attempt && first;
			});
			const { clock } = await sandbox.control<{ clock: { now: string } }>('/state');
			waits.push((Date.parse(nextAt!) - Date.parse(clock.now)) / 1000);
			await sandbox.control('/clock', { body: { now: nextAt } });
		}
		await finished('FAILED');
		expect(sink.received).toHaveLength(10);
		[5, 300, 1800, 7200, 18000, 36000, 50400, 72000, 86400].forEach((seconds, index) => {
			expect(waits[index]).toBeGreaterThanOrEqual(seconds * 0.9);
			expect(waits[index]).toBeLessThanOrEqual(seconds * 1.1);
		});
	});

	it('honours Retry-After', async () => {
		const sink = await receiver((_received, count) =>
			count === 1 ? { status: 429, headers: { 'retry-after': '120' } } : {},
		);
		await subscribe(sink.url);
		await sandbox.control('/clock', { body: { speed: 0 } });
		await sandbox.inbound(CUSTOMER, 'Hello');
		await attempted();
		await sandbox.advance(119);
		await sandbox.inbound(CUSTOMER, 'Another');
		await finished('DELIVERED');
		expect(sink.received.map(textIn)).toEqual(['Hello', 'Another']);
		await sandbox.advance(2);
		await finished('DELIVERED', 2);
		expect(sink.received.map(textIn)).toEqual(['Hello', 'Another', 'Hello']);
	});

	it('delivers only to this machine by default', async () => {
		await subscribe('http://198.51.100.7/hook');
		await sandbox.inbound(CUSTOMER, 'Hello');
		const delivery = await attempted();
		const detail = await sandbox.control<{ attemptList: unknown[] }>(`/deliveries/${delivery.id}`);
		expect(detail.attemptList).toEqual([
			expect.objectContaining({
				status: null,
				error: expect.stringContaining('--allow-delivery-to 198.51.100.7'),
			}),
		]);
	});
});

describe('the inspector', () => {
	it('lists the result of the last attempt', async () => {
		const sink = await receiver((_received, count) => ({ status: count > 1 ? 200 : 401 }));
		const { id } = await subscribe(sink.url);
		const change = (status: string) =>
			sandbox.control(`/webhooks/${id}`, { method: 'PATCH', body: { status } });
		const first = async () => (await deliveries()).deliveries[0];
		await change('DISABLED');
		await sandbox.inbound(CUSTOMER, 'Hello');
		expect(await first()).toMatchObject({ state: 'PENDING', lastAttempt: null });
		await change('ENABLED');
		const refused = await attempted();
		expect(refused.lastAttempt).toEqual({ status: 401, error: 'answered 401' });
		await sandbox.control(`/deliveries/${refused.id}/redeliver`, { method: 'POST' });
		await finished('DELIVERED');
		expect((await first())?.lastAttempt).toEqual({ status: 200, error: null });
	});

	it('says with a customer’s message what became of its deliveries', async () => {
		const read = async () => await sandbox.messages('deliveries=true');
		await sandbox.inbound(CUSTOMER, 'Nobody listens');
		const sink = await receiver();
		const description = 'n8n workflow "Shop", node "Message"';
		const { id } = await subscribe(sink.url, { description });
		await sandbox.inbound(CUSTOMER, 'Hello');
		await sandbox.send(CUSTOMER, 'Hi');
		await finished('DELIVERED');
		const taken = {
			...{ webhookId: id, description, webhookStatus: 'ENABLED', state: 'DELIVERED' },
			...{ attempts: 1, nextAt: null, lastAttempt: { status: 200, error: null } },
		};
		expect(await read()).toMatchObject([
			{ deliveries: [] },
			{ deliveries: [taken] },
			{ direction: 'out' },
		]);
		expect((await read())[2]).not.toHaveProperty('deliveries');
		// A test run of a workflow removes its webhook once it has the message.
		await sandbox.call(`${WEBHOOKS}/${id}`, { method: 'DELETE' });
		expect((await read())[1]).toMatchObject({ deliveries: [{ ...taken, webhookStatus: null }] });
		expect((await sandbox.messages())[1]).not.toHaveProperty('deliveries');
	});

	it('shows the exact bytes, headers and signed text of every attempt, and sends again', async () => {
		const sink = await receiver();
		await subscribe(sink.url, { signing: true, auth: { type: 'BEARER', token: 'tok' } });
		await sandbox.inbound(CUSTOMER, 'y'.repeat(2000));
		const { deliveries: list } = await finished('DELIVERED');
		await sandbox.control(`/deliveries/${list[0]!.id}/redeliver`, { method: 'POST' });
		await arrived(sink, 2);
		interface Detail {
			attemptList: Array<{
				requestBodyBase64: string;
				requestHeaders: Record<string, string>;
				signedText: string;
				status: number;
			}>;
		}
		const detail = await until('both attempts are recorded', async () => {
			const found = await sandbox.control<Detail>(`/deliveries/${list[0]!.id}`);
			return found.attemptList.length === 2 && found;
		});
		detail.attemptList.forEach((attempt, index) => {
			const received = sink.received[index]!;
			expect(Buffer.from(attempt.requestBodyBase64, 'base64')).toEqual(received.wire);
			expect(received.wire).toEqual(gzipSync(received.body));
			expect(received.headers).toMatchObject(attempt.requestHeaders);
			const [topic, partition, offset] = headersOf(received)['x-idempotency-key']!.split(':');
			expect(attempt.signedText).toBe(
				[signedAt(received), topic, partition, offset, received.body.toString()].join('\n'),
			);
			expect(attempt.status).toBe(200);
		});
	});
});
