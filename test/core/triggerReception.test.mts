/**
 * Runs `webhook()` in n8n-core's WebhookContext, behind a real HTTP server that responds as n8n
 * does.
 */
import type { IDataObject } from 'n8n-workflow';

import {
	deliver,
	type DeliveryOptions,
	gzipped,
	messageBody,
	signed,
} from './harness/deliveries.mts';
import { type FakeService, SECRET_KEY, startFakeService } from './harness/fakeService.mts';
import { CHANNEL_ID } from './harness/n8n.mts';
import {
	heldStore,
	type ReceivingOptions,
	startPublished,
	urls,
} from './harness/publishedReceiver.mts';
import { type Receiver, startReceiver } from './harness/receiver.mts';

let service: FakeService;
let receiver: Receiver | undefined;
let secret: string;
let token: string;
let workflowId: string;
/** What n8n stores of the trigger when it is published. */
let published: IDataObject;

beforeEach(async () => {
	service = await startFakeService();
});
afterEach(async () => {
	await receiver?.stop();
	receiver = undefined;
	await service.close();
});

/** Publishes a workflow and receives for it. */
async function receiving(...given: ReceivingOptions): Promise<Receiver> {
	({ receiver, secret, token, workflowId, published } = await startPublished(service, ...given));
	return receiver;
}

const bearer = (value = token) => ({ authorization: `Bearer ${value}` });
/** As the service delivers to a webhook that the trigger registered: signed, and with the token. */
const proven = (body: unknown, { headers = {}, ...options }: DeliveryOptions = {}) =>
	signed(body, { secret, ...options, headers: { ...bearer(), ...headers } });

describe('proof', () => {
	it('starts an execution for a signed delivery', async () => {
		const { url, executions } = await receiving();
		expect(await deliver(url, proven(messageBody()))).toMatchObject({ status: 200 });
		expect(executions).toMatchObject([
			[
				{
					json: {
						event: 'MESSAGE_RECEIVED',
						channelId: CHANNEL_ID,
						text: 'Hello!',
						sender: { identifier: '5511999990000' },
					},
				},
			],
		]);
	});

	it('checks the signature of a compressed delivery over its uncompressed bytes', async () => {
		const { url, executions } = await receiving();
		expect(
			await deliver(url, gzipped(proven(messageBody({ text: 'long '.repeat(400) })))),
		).toMatchObject({ status: 200 });
		expect(executions).toHaveLength(1);
	});

	it.each([
		['no proof', () => signed(messageBody())],
		['the right token and no signature', () => signed(messageBody(), { headers: bearer() })],
		[
			'the right token and a wrong signature',
			() => signed(messageBody(), { secret: 'wrong', headers: bearer() }),
		],
		[
			'a changed body',
			() => ({ ...proven(messageBody()), body: JSON.stringify(messageBody({ text: 'Pay me' })) }),
		],
		[
			'another key',
			() => ({
				body: proven(messageBody()).body,
				headers: { ...proven(messageBody()).headers, 'x-idempotency-key': 'messages:0:2' },
			}),
		],
		['an old timestamp', () => proven(messageBody(), { at: Math.floor(Date.now() / 1000) - 301 })],
		[
			'a timestamp in the future',
			() => proven(messageBody(), { at: Math.floor(Date.now() / 1000) + 310 }),
		],
		[
			'two signature headers',
			() =>
				proven(messageBody(), {
					headers: {
						'x-webhook-signature': [
							String(proven(messageBody()).headers['x-webhook-signature']),
							't=1,v1=00',
						],
					},
				}),
		],
	])('refuses with 401: %s', async (_name, make) => {
		const { url, executions } = await receiving();
		expect(await deliver(url, make())).toEqual(
			expect.objectContaining({ status: 401, body: '{"message":"Unauthorized"}' }),
		);
		expect(executions).toEqual([]);
	});

	it.each([
		['none', {}],
		['bytes', { 'content-type': 'application/octet-stream' }],
	])('reads the body itself if n8n does not read its content type: %s', async (_name, typed) => {
		const { url, executions } = await receiving();
		const { body, headers } = proven(messageBody());
		const { 'content-type': _json, ...rest } = headers;
		expect(await deliver(url, { body, headers: { ...rest, ...typed } })).toMatchObject({
			status: 200,
		});
		expect(executions).toHaveLength(1);
	});

	it('refuses an upload, because nothing in it can be checked', async () => {
		const { url, executions } = await receiving();
		const headers = { 'content-type': 'multipart/form-data; boundary=x', ...bearer() };
		expect(
			await deliver(url, {
				body: '--x\r\nContent-Disposition: form-data; name="a"\r\n\r\n1\r\n--x--\r\n',
				headers,
			}),
		).toMatchObject({ status: 422, body: '{"message":"Unprocessable body"}' });
		expect(executions).toEqual([]);
	});

	it('refuses a signed body with extreme nesting', async () => {
		const { url, executions } = await receiving();
		expect(await deliver(url, proven('['.repeat(200_000) + ']'.repeat(200_000)))).toMatchObject({
			status: 422,
			body: '{"message":"Unprocessable body"}',
		});
		expect(executions).toEqual([]);
	});

	it('takes only the token while the secret is not stored', async () => {
		const { url, executions } = await receiving({}, { keepState: false });
		expect(await deliver(url, signed(messageBody(), { headers: bearer() }))).toMatchObject({
			status: 200,
		});
		expect(
			await deliver(
				url,
				signed(messageBody(), { key: 'messages:0:2', headers: bearer('0'.repeat(64)) }),
			),
		).toMatchObject({ status: 401 });
		expect(await deliver(url, signed(messageBody(), { key: 'messages:0:3' }))).toMatchObject({
			status: 401,
		});
		expect(
			await deliver(
				url,
				signed(messageBody(), {
					key: 'messages:0:4',
					headers: { authorization: [`Bearer ${token}`, 'Bearer x'] },
				}),
			),
		).toMatchObject({ status: 401 });
		expect(executions).toHaveLength(1);
	});

	it('takes the token of the test webhook, too', async () => {
		const test = await receiving({}, { keepState: false, isTest: true });
		test.mode = 'manual';
		expect(await deliver(test.url, signed(messageBody(), { headers: bearer() }))).toMatchObject({
			status: 200,
		});
		expect(test.executions).toHaveLength(1);
	});

	it('accepts the signature after the secret key changed', async () => {
		const { staticData } = await receiving();
		await receiver?.stop();
		receiver = await startReceiver({ baseUrl: service.url, secretKey: 'another' }, urls, {
			workflowId,
			staticData,
		});
		expect(await deliver(receiver.url, proven(messageBody()))).toMatchObject({ status: 200 });
	});

	it("checks a webhook registered by hand with the credential's secret, or else its token", async () => {
		const manual = { registration: 'manual' };
		const bySecret = await receiving(manual, {
			credential: { webhookSecret: 'old new', webhookToken: 'by-hand' },
		});
		expect(await deliver(bySecret.url, signed(messageBody(), { secret: 'new' }))).toMatchObject({
			status: 200,
		});
		expect(
			await deliver(
				bySecret.url,
				signed(messageBody(), { key: 'messages:0:2', headers: bearer('by-hand') }),
			),
		).toMatchObject({ status: 401 });
		await bySecret.stop();
		const byToken = await receiving(manual, { credential: { webhookToken: 'by-hand' } });
		expect(
			await deliver(byToken.url, signed(messageBody(), { headers: bearer('by-hand') })),
		).toMatchObject({ status: 200 });
		await byToken.stop();
		const byNothing = await receiving(manual);
		expect(
			await deliver(
				byNothing.url,
				signed(messageBody(), { headers: { authorization: 'Bearer ' } }),
			),
		).toMatchObject({ status: 401 });
	});

	it('checks the body alone if a webhook registered by hand signs this way', async () => {
		const options = { signatureScheme: 'bodyOnly' };
		const { createHmac } = await import('node:crypto');
		const { url, executions } = await receiving(
			{ registration: 'manual', options },
			{ credential: { webhookSecret: 'by-hand' } },
		);
		const secret = 'by-hand';
		const body = JSON.stringify(messageBody());
		const signature = createHmac('sha256', secret).update(body).digest('hex');
		expect(
			await deliver(url, {
				body,
				headers: {
					...bearer(),
					'content-type': 'application/json',
					'x-webhook-signature': `sha256=${signature}`,
				},
			}),
		).toMatchObject({ status: 200 });
		expect(
			await deliver(url, {
				body: `${body} `,
				headers: {
					...bearer(),
					'content-type': 'application/json',
					'x-webhook-signature': signature,
				},
			}),
		).toMatchObject({ status: 401 });
		expect(executions).toHaveLength(1);
	});

	it('does not write static data, because an old state could replace a new one', async () => {
		const { url, staticDataWrites } = await receiving({}, { keepState: false });
		expect(await deliver(url, signed(messageBody(), { headers: bearer() }))).toMatchObject({
			status: 200,
		});
		expect(await deliver(url, signed(messageBody()))).toMatchObject({ status: 401 });
		expect(staticDataWrites).toEqual([undefined, undefined]);
	});
});

describe('redeliveries', () => {
	it('responds 200 to a redelivery and starts nothing', async () => {
		const { url, executions } = await receiving();
		expect(await deliver(url, proven(messageBody()))).toMatchObject({ status: 200 });
		expect(
			await deliver(url, proven(messageBody(), { at: Math.floor(Date.now() / 1000) + 1 })),
		).toMatchObject({ status: 200, body: '{"message":"Received before"}' });
		expect(executions).toHaveLength(1);
	});

	it('knows a redelivery whose first delivery came before n8n stored the state', async () => {
		const { url, executions, staticData } = await receiving({}, { keepState: false });
		expect(await deliver(url, proven(messageBody()))).toMatchObject({ status: 200 });
		Object.assign(staticData, published);
		expect(await deliver(url, proven(messageBody()))).toMatchObject({
			status: 200,
			body: '{"message":"Received before"}',
		});
		expect(executions).toHaveLength(1);
	});

	it('processes a redelivered event if the first delivery got no 2xx', async () => {
		const running = await receiving();
		running.store = async () => {
			throw new Error('the database is gone');
		};
		expect(await deliver(running.url, proven(messageBody()))).toMatchObject({ status: 500 });
		running.store = async () => {};
		expect(await deliver(running.url, proven(messageBody()))).toMatchObject({
			status: 200,
			body: '{"message":"Workflow was started"}',
		});
		expect(running.executions).toHaveLength(1);
	});

	it('asks a redelivery to come back while the first one is being processed', async () => {
		const running = await receiving();
		const { open, arrived, wait } = heldStore();
		running.store = wait;
		const first = deliver(running.url, proven(messageBody()));
		await arrived;
		expect(await deliver(running.url, proven(messageBody()))).toMatchObject({
			status: 503,
			headers: { 'retry-after': '5' },
		});
		open();
		expect(await first).toMatchObject({ status: 200 });
		expect(await deliver(running.url, proven(messageBody()))).toMatchObject({
			status: 200,
			body: '{"message":"Received before"}',
		});
		expect(running.executions).toHaveLength(1);
	});

	it('processes an event again if the connection ended before its response', async () => {
		const running = await receiving();
		const { open, arrived, wait } = heldStore();
		running.store = async () => {
			await wait();
			throw new Error('stopped');
		};
		const { body, headers } = proven(messageBody());
		const abort = new AbortController();
		const aborted = fetch(running.url, {
			method: 'POST',
			body,
			headers: headers as Record<string, string>,
			signal: abort.signal,
		}).catch((error: unknown) => error);
		await arrived;
		abort.abort();
		expect(await aborted).toMatchObject({ name: 'AbortError' });
		open();
		running.store = async () => {};
		let status = 503;
		while (status === 503) ({ status } = await deliver(running.url, proven(messageBody())));
		expect(status).toBe(200);
		expect(running.executions).toHaveLength(1);
	});

	it('runs an event once if the sender disconnected before the response and n8n stored the execution', async () => {
		const running = await receiving();
		const { open, arrived, wait } = heldStore();
		running.store = wait;
		const { body, headers } = proven(messageBody());
		const abort = new AbortController();
		const aborted = fetch(running.url, {
			method: 'POST',
			body,
			headers: headers as Record<string, string>,
			signal: abort.signal,
		}).catch((error: unknown) => error);
		await arrived;
		abort.abort();
		expect(await aborted).toMatchObject({ name: 'AbortError' });
		expect(await deliver(running.url, proven(messageBody()))).toMatchObject({ status: 503 });
		open();
		let response = { status: 503, body: '' };
		while (response.status === 503) response = await deliver(running.url, proven(messageBody()));
		expect(response).toMatchObject({ status: 200, body: '{"message":"Received before"}' });
		expect(running.executions).toHaveLength(1);
	});

	it('starts each of several nodes that receive the same event', async () => {
		const first = await receiving();
		await deliver(first.url, proven(messageBody()));
		await first.stop();
		const second = await receiving();
		await deliver(second.url, proven(messageBody()));
		expect([first.executions.length, second.executions.length]).toEqual([1, 1]);
	});

	it('starts again if deduplication is off, and in a test', async () => {
		const off = await receiving({ options: { deduplicate: false } });
		for (let time = 0; time < 2; time++) await deliver(off.url, proven(messageBody()));
		expect(off.executions).toHaveLength(2);
		await off.stop();
		const test = await receiving({}, { isTest: true });
		test.mode = 'manual';
		for (let time = 0; time < 2; time++) await deliver(test.url, proven(messageBody()));
		expect(test.executions).toHaveLength(2);
	});

	it('lets a forged delivery block no key', async () => {
		const { url, executions } = await receiving();
		expect(await deliver(url, signed(messageBody(), { secret: 'forged' }))).toMatchObject({
			status: 401,
		});
		expect(await deliver(url, proven(messageBody()))).toMatchObject({ status: 200 });
		expect(executions).toHaveLength(1);
	});
});

describe('items', () => {
	it("leaves out the business's own messages if only received messages are wanted", async () => {
		const { url, executions } = await receiving();
		expect(await deliver(url, proven(messageBody({ fromMe: true })))).toMatchObject({
			status: 200,
			body: '{"message":"Filtered out"}',
		});
		expect(executions).toEqual([]);
	});

	it('gives the body as received', async () => {
		const { url, executions } = await receiving({ options: { output: 'raw' } });
		await deliver(url, proven(messageBody()));
		expect(executions).toEqual([[{ json: messageBody() }]]);
	});

	it('gives one item for each element of an array', async () => {
		const { url, executions } = await receiving({ source: 'template' });
		const element = {
			field: 'message_template_status_update',
			type: 'TEMPLATE_STATUS',
			value: {
				event: 'APPROVED',
				message_template_id: '1',
				message_template_name: 'a',
				message_template_language: 'pt_BR',
				reason: 'NONE',
			},
			waba_id: '9',
		};
		await deliver(url, proven([element, element]));
		expect(executions).toMatchObject([
			[
				{ json: { event: 'UPDATE_TEMPLATE_STATUS', status: 'APPROVED' } },
				{ json: { event: 'UPDATE_TEMPLATE_STATUS' } },
			],
		]);
	});

	it('passes on unrecognised events, and bodies that are not JSON', async () => {
		const { url, executions } = await receiving();
		await deliver(url, proven({ battery: 80 }));
		await deliver(
			url,
			proven('not json', { key: 'messages:0:2', headers: { 'content-type': 'text/plain' } }),
		);
		expect(executions).toEqual([
			[{ json: { event: null, payload: { battery: 80 } } }],
			[{ json: { event: null, payload: 'not json' } }],
		]);
	});

	it('adds the headers without those that prove the sender', async () => {
		const { url, executions } = await receiving({ options: { includeHeaders: true } });
		await deliver(
			url,
			proven(messageBody(), {
				headers: { ...bearer(), cookie: 'a=1', 'x-api-key': 'k', 'x-trace': 'abc' },
			}),
		);
		expect(executions[0]?.[0]?.json.headers).toEqual({
			'content-type': 'application/json',
			'x-idempotency-key': 'messages:0:1',
			'x-trace': 'abc',
			host: expect.any(String),
			connection: expect.any(String),
			'content-length': expect.any(String),
		});
	});
});

it('asks the service to come back, without throwing, if n8n cannot give it the credential', async () => {
	const running = await receiving({ registration: 'manual' });
	await running.stop();
	receiver = await startReceiver({ baseUrl: service.url, secretKey: SECRET_KEY }, urls, {
		parameters: { registration: 'manual' },
		node: { credentials: {} },
	});
	expect(await deliver(receiver.url, signed(messageBody()))).toMatchObject({
		status: 503,
		body: '{"message":"Temporarily unavailable"}',
	});
});
