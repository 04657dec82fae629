/**
 * Runs `webhook()` in n8n-core's WebhookContext, behind a real HTTP server that responds as n8n
 * does.
 */
import { createHmac } from 'node:crypto';

import type { IDataObject } from 'n8n-workflow';

import { BusinessMessagingTrigger } from '#nodes/BusinessMessagingTrigger.node.ts';
import { BoundedMap } from '#nodes/shared/tools/boundedMap.ts';
import { steadyClock } from '#nodes/shared/tools/clock.ts';
import { deriveToken } from '#nodes/trigger/registration/token.ts';
import { CHANNEL, SECRET_KEY } from '../support/constants.mts';
import { deliver, type DeliveryOptions, idOf, messageBody, signed } from './harness/deliveries.mts';
import { fakeServiceOfEachTest } from './harness/fakeService.mts';
import { logged } from './harness/logged.mts';
import { type TriggerOptions, WEBHOOK_ID } from './harness/n8n.mts';
import {
	heldStore,
	type ReceivingOptions,
	startPublished,
	urls,
} from './harness/publishedReceiver.mts';
import { type Receiver, startReceiver } from './harness/receiver.mts';

const MANUAL = { registration: 'manual' };
const TEMPLATE = {
	field: 'message_template_status_update',
	value: { event: 'APPROVED', message_template_id: '1' },
	waba_id: '2',
};

const service = fakeServiceOfEachTest();
const receivers: Receiver[] = [];
/** The trigger that was published last. */
let last: Awaited<ReturnType<typeof startPublished>>;

afterEach(async () => {
	for (const receiver of receivers.splice(0)) await receiver.stop();
});

/** Publishes a workflow and receives for it. */
async function receiving(...given: ReceivingOptions): Promise<Receiver> {
	last = await startPublished(service, ...given);
	receivers.push(last.receiver);
	return last.receiver;
}

let unpublished = 0;
/** A trigger that nobody published. The process remembers its credential. */
async function started(credential: object = {}, options: Parameters<typeof startReceiver>[2] = {}) {
	const credentials = { baseUrl: service.url, secretKey: SECRET_KEY, ...credential };
	const workflowId = `unpublished ${++unpublished}`;
	const receiver = await startReceiver(credentials, urls, { workflowId, ...options });
	receivers.push(receiver);
	return receiver;
}

const bearer = (token = last.token) => ({ authorization: `Bearer ${token}` });
/** As the service delivers to a webhook that the trigger registered: signed, and with the token. */
const proven = (
	body: unknown = messageBody(),
	{ headers = {}, ...options }: DeliveryOptions = {},
) => signed(body, { secret: last.secret, ...options, headers: { ...bearer(), ...headers } });
const REFUSED = { status: 401, body: '{"message":"Unauthorized"}' };
/** Of a trigger whose state is gone. *Webhook Health Check* knows it by this. */
const UNSTORED = { status: 401, body: '{"message":"Unauthorized: no signing secret is stored"}' };
/** What a Code node of a worker leaves of the static data. */
const OTHERS = { global: { count: 1 } };
const GONE = /gone.*accepted by its token alone.*getWorkflowStaticData.*unpublish and publish/;
const STARTED = { status: 200, body: '{"message":"Workflow was started"}' };
const RECEIVED_BEFORE = { status: 200, body: '{"message":"Received before"}' };

describe('a webhook that the trigger registered', () => {
	it('starts an execution for a signed delivery with the token', async () => {
		const { url, executions, staticDataWrites } = await receiving();
		expect(await deliver(url, proven())).toMatchObject(STARTED);
		const sender = { identifier: '5511999990000' };
		expect(executions).toMatchObject([
			[{ json: { event: 'MESSAGE_RECEIVED', channelId: CHANNEL, text: 'Hello!', sender } }],
		]);
		expect(staticDataWrites).toEqual([undefined]);
	});

	it.each<[string, () => DeliveryOptions, RegExp]>([
		['no proof', () => ({}), /signature header is missing/],
		['the token alone', () => ({ headers: bearer() }), /signature header is missing/],
		['the signature alone', () => ({ secret: last.secret }), /authorization header is missing/],
		[
			'a wrong token',
			() => ({ secret: last.secret, headers: bearer('0'.repeat(64)) }),
			/bearer token is wrong/,
		],
		[
			'the token in two headers',
			() => ({
				secret: last.secret,
				headers: { authorization: [`Bearer ${last.token}`, `Bearer ${last.token}`] },
			}),
			/authorization header came more than once/,
		],
	])('refuses %s, and says why only in the log', async (_name, proof, reason) => {
		const { url, executions } = await receiving();
		const said = logged('warn');
		expect(await deliver(url, signed(messageBody(), proof()))).toMatchObject(REFUSED);
		expect(said).toEqual([[expect.stringMatching(reason), expect.anything()]]);
		expect(executions).toEqual([]);
	});

	it('reads the body itself if n8n does not, and refuses an upload', async () => {
		const { url, executions } = await receiving();
		const headers = { 'content-type': 'application/octet-stream' };
		expect(await deliver(url, proven(messageBody(), { headers }))).toMatchObject(STARTED);
		const upload = { 'content-type': 'multipart/form-data; boundary=x', ...bearer() };
		expect(await deliver(url, { body: '--x--\r\n', headers: upload })).toMatchObject({
			status: 422,
			body: '{"message":"Unprocessable body"}',
		});
		expect(executions).toHaveLength(1);
	});

	it('processes two events under one key, if their messages differ, and logs so', async () => {
		const { url, executions } = await receiving();
		const said = logged('warn');
		const [one, other] = ['1', '2'].map((id) =>
			proven(messageBody({ id: id.repeat(32) }), { key: 'messages:0:7' }),
		);
		for (const delivery of [one!, other!])
			expect(await deliver(url, delivery)).toMatchObject(STARTED);
		for (const delivery of [one!, other!])
			expect(await deliver(url, delivery)).toMatchObject(RECEIVED_BEFORE);
		expect(executions).toHaveLength(2);
		const logs = said.map(([words]) => String(words));
		expect(logs).toContainEqual(expect.stringMatching(/^Two events have the idempotency key/));
	});

	it.each<[string, unknown[]]>([
		[
			'states of a message',
			['DELIVERED', 'FAILED'].map((state) => messageBody({ fromMe: true, state })),
		],
		[
			'decisions on a template',
			['APPROVED', 'REJECTED'].map((event) => ({
				...TEMPLATE,
				value: { ...TEMPLATE.value, event },
			})),
		],
	])('processes two %s under one key, and each once', async (_what, bodies) => {
		const { url, executions } = await receiving({ channelEvents: ['MESSAGE_STATUS'] });
		const deliveries = bodies.map((body) => proven(body, { key: 'messages:0:8' }));
		for (const delivery of deliveries) expect(await deliver(url, delivery)).toMatchObject(STARTED);
		for (const delivery of deliveries)
			expect(await deliver(url, delivery)).toMatchObject(RECEIVED_BEFORE);
		expect(executions).toHaveLength(2);
	});

	it('keeps no long text of a delivery', async () => {
		const { url } = await receiving();
		const kept = jest.spyOn(BoundedMap.prototype, 'set');
		const long = messageBody({ id: 'A'.repeat(100_000) });
		expect(await deliver(url, proven(long))).toMatchObject(STARTED);
		const values = kept.mock.calls.flatMap(([, value]) =>
			typeof value === 'string' ? [value] : [],
		);
		expect(values.length).toBeGreaterThan(0);
		for (const value of values) expect(value.length).toBeLessThan(200);
	});

	it('needs no credential to check, so a changed secret key does not matter', async () => {
		const { staticData } = await receiving();
		const node: TriggerOptions['node'] = { credentials: {} };
		const { url } = await started({}, { node, workflowId: last.workflowId, staticData });
		expect(await deliver(url, proven())).toMatchObject(STARTED);
	});

	it('is proven by its signature alone while the token is uncertain', async () => {
		const { url, staticData } = await receiving();
		delete (Object.values(staticData)[0] as IDataObject).tokenHash;
		expect(await deliver(url, signed(messageBody(), { secret: last.secret }))).toMatchObject(
			STARTED,
		);
		expect(await deliver(url, proven(messageBody(), { secret: 'wrong' }))).toMatchObject(REFUSED);
	});

	it('takes only the current token while its state is gone, and says so once an hour', async () => {
		const running = await receiving();
		const { url, staticData, staticDataWrites } = running;
		const said = logged('warn');
		let passed = 0;
		const now = steadyClock.now.bind(steadyClock);
		jest.spyOn(steadyClock, 'now').mockImplementation(() => now() + passed);
		let count = 0;
		const send = async (headers: DeliveryOptions['headers'], state: IDataObject = OTHERS) => {
			running.staticData = state;
			const delivery = signed(messageBody({ id: idOf(++count) }), {
				key: `messages:0:${count}`,
				secret: last.secret,
				headers: headers ?? {},
			});
			const requests = service.requests.length;
			const { status, body } = await deliver(url, delivery);
			// Without proof, nothing is asked.
			if (status === 401) expect(service.requests).toHaveLength(requests);
			const lines = said.splice(0).map(([line]) => String(line));
			return { status, body, tells: lines.filter((line) => GONE.test(line)).length };
		};
		// One without proof tells it, too: it is true whoever comes.
		expect(await send({})).toEqual({ ...UNSTORED, tells: 1 });
		expect(await send(bearer())).toEqual({ ...STARTED, tells: 0 });
		// Of a key that was replaced.
		expect(await send(bearer('0'.repeat(64)))).toEqual({ ...UNSTORED, tells: 0 });
		passed = 3_600_000;
		expect(await send(bearer())).toEqual({ ...STARTED, tells: 1 });
		// Published again, and gone again.
		expect(await send(bearer(), staticData)).toEqual({ ...STARTED, tells: 0 });
		expect(await send({}, staticData)).toEqual({ ...REFUSED, tells: 0 });
		expect(await send(bearer())).toEqual({ ...STARTED, tells: 1 });
		// An old state could replace a new one.
		expect(staticDataWrites).toEqual(Array.from({ length: count }, () => undefined));
	});

	it('refuses a token of the former key, and its signature, while its state is gone', async () => {
		const { token, secret, workflowId } = (await receiving(), last);
		const { url } = await started({ secretKey: 'new' }, { workflowId, staticData: OTHERS });
		const delivery = signed(messageBody(), { secret, headers: bearer(token) });
		expect(await deliver(url, delivery)).toMatchObject(UNSTORED);
	});

	it('takes the token of the test webhook, too', async () => {
		const test = await receiving({}, { keepState: false, isTest: true });
		test.mode = 'manual';
		expect(await deliver(test.url, signed(messageBody(), { headers: bearer() }))).toMatchObject({
			status: 200,
		});
	});

	it.each<[string, unknown, boolean]>([
		['an empty key', '', true],
		['a key that is no text', 7, true],
		['no URL', SECRET_KEY, false],
	])('refuses every delivery with %s and nothing stored', async (_what, secretKey, hasUrl) => {
		const nodeType = new BusinessMessagingTrigger();
		if (!hasUrl) nodeType.description.webhooks = [];
		const { url } = await started({ secretKey }, { nodeType });
		const receiver = JSON.stringify(['http://127.0.0.1:5678', WEBHOOK_ID]);
		for (const token of [deriveToken(String(secretKey), receiver), ''])
			expect(await deliver(url, signed(messageBody(), { headers: bearer(token) }))).toMatchObject(
				UNSTORED,
			);
	});
});

describe('a webhook registered by hand', () => {
	it("is checked with the credential's secrets, or else its token", async () => {
		const sent = async (credential: IDataObject, options: DeliveryOptions) =>
			(await deliver((await receiving(MANUAL, { credential })).url, signed(messageBody(), options)))
				.status;
		const both = { webhookSecret: 'old new', webhookToken: 'by-hand' };
		const headers = bearer('by-hand');
		expect([
			await sent(both, { secret: 'new' }),
			await sent(both, { headers }),
			await sent({ webhookToken: 'by-hand' }, { headers }),
			await sent({}, { headers: { authorization: 'Bearer ' } }),
		]).toEqual([200, 401, 200, 401]);
	});

	it('takes signatures of the body alone, and each delivery without a key as another', async () => {
		const { url, executions } = await receiving(
			{ ...MANUAL, options: { signatureScheme: 'bodyOnly' } },
			{ credential: { webhookSecret: 'by-hand' } },
		);
		const send = async (id: string, more = '') => {
			const body = JSON.stringify(messageBody({ id }));
			const signature = createHmac('sha256', 'by-hand').update(body).digest('hex');
			const type = { 'content-type': 'application/json' };
			const headers = { ...type, 'x-webhook-signature': `sha256=${signature}` };
			return (await deliver(url, { body: body + more, headers })).status;
		};
		expect(await send('A'.repeat(32), ' ')).toBe(401);
		for (const id of ['A', 'B']) expect(await send(id.repeat(32))).toBe(200);
		expect(executions).toHaveLength(2);
	});

	it('takes only what is for its channel, and starts each trigger of a workflow once', async () => {
		const options = { workflowId: 'by hand', parameters: MANUAL };
		for (const id of ['node-1', 'node-2']) {
			const { url, executions } = await started(
				{ webhookSecret: 's' },
				{ ...options, node: { id } },
			);
			for (let time = 0; time < 2; time++)
				await deliver(url, signed(messageBody(), { secret: 's' }));
			expect(executions).toHaveLength(1);
			const said = logged('warn');
			const { message } = messageBody();
			const other = { message: { ...message, channel_id: 'B'.repeat(32) } };
			expect(await deliver(url, signed(other, { secret: 's', key: 'messages:0:2' }))).toMatchObject(
				REFUSED,
			);
			expect(String(said[0]?.[0])).toMatch(/refused with 401: its body names another channel/);
		}
	});

	it('asks the service to come back if n8n cannot give the credential', async () => {
		const { url } = await started({}, { parameters: MANUAL, node: { credentials: {} } });
		expect(await deliver(url, signed(messageBody()))).toMatchObject({
			status: 503,
			body: '{"message":"Temporarily unavailable"}',
		});
	});
});

describe.each([
	['that is delivered again', 'messages:0:1'],
	["of a customer's message under another key", 'statuses:4:1'],
])('an event %s', (_what, key) => {
	const again = () => proven(messageBody({ state: 'READ' }), { key });

	it('starts nothing once the first delivery got a 2xx', async () => {
		const { url, executions } = await receiving();
		expect(await deliver(url, proven())).toMatchObject(STARTED);
		expect(await deliver(url, again())).toMatchObject(RECEIVED_BEFORE);
		expect(executions).toHaveLength(1);
	});

	it('is known, also if the first delivery came before n8n stored the state', async () => {
		const { url, executions, staticData } = await receiving({}, { keepState: false });
		expect(await deliver(url, proven())).toMatchObject(STARTED);
		Object.assign(staticData, last.published);
		expect(await deliver(url, again())).toMatchObject(RECEIVED_BEFORE);
		expect(executions).toHaveLength(1);
	});

	it('is processed if n8n could not store the first one', async () => {
		const running = await receiving();
		running.store = async () => await Promise.reject(new Error('the database is gone'));
		expect(await deliver(running.url, proven())).toMatchObject({ status: 500 });
		running.store = async () => {};
		expect(await deliver(running.url, again())).toMatchObject(STARTED);
		expect(running.executions).toHaveLength(1);
	});

	it.each([false, true])(
		'waits while the first one is processed, whose sender disconnected: %s',
		async (isGone) => {
			const running = await receiving();
			const { open, arrived, wait } = heldStore();
			running.store = wait;
			const { body, headers } = proven();
			const abort = new AbortController();
			const first = fetch(running.url, {
				method: 'POST',
				body: String(body),
				headers: headers as Record<string, string>,
				signal: abort.signal,
			}).catch((error: unknown) => error);
			await arrived;
			if (isGone) abort.abort();
			expect(await deliver(running.url, again())).toMatchObject({
				status: 503,
				headers: { 'retry-after': '5' },
			});
			open();
			await first;
			let response = { status: 503, body: '' };
			while (response.status === 503) response = await deliver(running.url, again());
			expect(response).toMatchObject(RECEIVED_BEFORE);
			expect(running.executions).toHaveLength(1);
		},
	);

	it('starts again if deduplication is off, and in a test', async () => {
		for (const isTest of [false, true]) {
			const running = await receiving({ options: { deduplicate: isTest } }, { isTest });
			if (isTest) running.mode = 'manual';
			await deliver(running.url, proven());
			await deliver(running.url, again());
			expect(running.executions).toHaveLength(2);
		}
	});

	it('is not blocked by a forged delivery', async () => {
		const { url, executions } = await receiving();
		expect(await deliver(url, signed(messageBody(), { secret: 'forged' }))).toMatchObject(REFUSED);
		expect(await deliver(url, again())).toMatchObject(STARTED);
		expect(executions).toHaveLength(1);
	});
});

describe("customers' messages in one delivery", () => {
	it('start without those that came before, each once', async () => {
		const { url, executions } = await receiving();
		const [one, other] = [messageBody(), messageBody({ id: 'B'.repeat(32), text: 'Other' })];
		await deliver(url, proven([one, one]));
		await deliver(url, proven([one, other], { key: 'messages:0:2' }));
		const texts = executions.map((items) => items.map(({ json }) => json.text));
		expect(texts).toEqual([['Hello!'], ['Other']]);
	});
});

it('answers 200 to what is filtered out, and gives the rest an item each, by its options', async () => {
	const { url, executions } = await receiving({ options: { includeHeaders: true } });
	expect(await deliver(url, proven(messageBody({ fromMe: true })))).toMatchObject({
		status: 200,
		body: '{"message":"Filtered out"}',
	});
	const names = [
		...['cookie', 'x-api-key', 'x-webhook-key', 'x-delivery-auth', 'apikey', 'x-goog-api-key'],
		...['x-shared-password', 'cf-access-jwt-assertion', 'x-amzn-oidc-data', 'x-forwarded-for'],
	];
	const secrets = Object.fromEntries(names.map((name) => [name, 'k']));
	const headers = { ...secrets, 'x-request-id': ['a', 'b'] };
	await deliver(url, proven([messageBody(), { battery: 80 }], { key: 'messages:0:2', headers }));
	const shown = {
		'content-type': 'application/json',
		'x-idempotency-key': 'messages:0:2',
		'x-request-id': 'a, b',
		host: expect.any(String),
		connection: expect.any(String),
		'content-length': expect.any(String),
	};
	expect(executions.flat().map(({ json }) => [json.event, json.headers])).toEqual([
		['MESSAGE_RECEIVED', shown],
		[null, shown],
	]);
});
