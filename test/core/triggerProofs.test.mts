/**
 * The two proofs of a delivery, and the trigger that it belongs to. In n8n-core's WebhookContext
 * behind a real HTTP server.
 */
import type { IDataObject } from 'n8n-workflow';

import { type Delivery, deliver, messageBody, signed } from './harness/deliveries.mts';
import { type FakeService, SECRET_KEY, startFakeService } from './harness/fakeService.mts';
import {
	additionalData,
	changedStaticData,
	CHANNEL_ID,
	publish,
	triggerWorkflow,
	type TriggerOptions,
	webhookContext,
} from './harness/n8n.mts';
import { urls } from './harness/publishedReceiver.mts';
import { type Receiver, startReceiver } from './harness/receiver.mts';

const STATE_KEY = 'node:Business Messaging Trigger';
const BY_HAND = 'f'.repeat(64);

let service: FakeService;
let receiver: Receiver | undefined;
let secret: string;
let token: string;
let stored: IDataObject;
let workflows = 0;

beforeEach(async () => {
	service = await startFakeService();
});
afterEach(async () => {
	jest.restoreAllMocks();
	await receiver?.stop();
	receiver = undefined;
	await service.close();
});

/** A published workflow that receives, by default without a credential. @param change its state */
async function receiving(
	change: (state: IDataObject) => void = () => {},
	options: TriggerOptions = { node: { credentials: {} } },
): Promise<Receiver> {
	const credentials = { baseUrl: service.url, secretKey: SECRET_KEY };
	const workflowId = `workflow-${++workflows}`;
	const workflow = triggerWorkflow({ workflowId });
	await publish(workflow, additionalData(credentials, urls));
	const [webhook] = service.webhooks(CHANNEL_ID);
	secret = service.secretOf(webhook?.id) ?? '';
	token = webhook?.auth.token ?? '';
	const staticData = changedStaticData(workflow) ?? {};
	stored = staticData[STATE_KEY] as IDataObject;
	change(stored);
	receiver = await startReceiver(credentials, urls, { ...options, workflowId, staticData });
	return receiver;
}

const bearer = (value: string) => ({ authorization: `Bearer ${value}` });

/** The log's warnings from now on. */
function warnings(): string[] {
	const said: string[] = [];
	const { logger } = webhookContext(
		triggerWorkflow(),
		additionalData({ baseUrl: service.url, secretKey: SECRET_KEY }, urls),
	);
	jest.spyOn(logger, 'warn').mockImplementation((message) => void said.push(message));
	return said;
}

describe('a webhook that the trigger registered', () => {
	it('needs both proofs, and no credential to check them', async () => {
		const { url, executions } = await receiving();
		expect(
			await deliver(url, signed(messageBody(), { secret, headers: bearer(token) })),
		).toMatchObject({ status: 200 });
		expect(executions).toHaveLength(1);
	});

	it.each<[string, () => Delivery['headers'], string]>([
		['no token', () => ({}), 'the authorization header is missing'],
		['a wrong token', () => bearer('0'.repeat(64)), 'the bearer token is wrong'],
		['the signing secret as the token', () => bearer(secret), 'the bearer token is wrong'],
		[
			'the stored hash as the token',
			() => bearer(String(stored.tokenHash)),
			'the bearer token is wrong',
		],
		['the token in upper case', () => bearer(token.toUpperCase()), 'the bearer token is wrong'],
		[
			'the token twice',
			() => ({ authorization: [`Bearer ${token}`, `Bearer ${token}`] }),
			'the authorization header came more than once',
		],
		[
			'the token without its scheme',
			() => ({ authorization: token }),
			'the authorization header is not of the form "Bearer <token>"',
		],
	])(
		'refuses a right signature with %s, and says so only in the log',
		async (_name, headers, reason) => {
			const { url, executions } = await receiving();
			const said = warnings();
			expect(
				await deliver(url, signed(messageBody(), { secret, headers: headers() })),
			).toMatchObject({ status: 401, body: '{"message":"Unauthorized"}' });
			expect(said).toEqual([`A delivery was refused with 401: ${reason}`]);
			expect(executions).toEqual([]);
		},
	);

	it.each(['', 'not a hash', '\u00e9'.repeat(64)])(
		'refuses everything if the stored hash is malformed: %j',
		async (tokenHash) => {
			const { url } = await receiving((state) => Object.assign(state, { tokenHash }));
			expect(
				await deliver(url, signed(messageBody(), { secret, headers: bearer(token) })),
			).toMatchObject({ status: 401 });
		},
	);

	it('stores only the hash of the token', async () => {
		await receiving();
		expect(stored.tokenHash).toMatch(/^[0-9a-f]{64}$/);
		expect(Object.values(stored)).not.toContain(token);
	});
});

describe('a webhook whose token is uncertain, without a stored hash', () => {
	it('is proven by its signature alone', async () => {
		const { url } = await receiving((state) => delete state.tokenHash);
		const said = warnings();
		for (const key of ['messages:0:1', 'messages:0:2'])
			expect(await deliver(url, signed(messageBody(), { secret, key }))).toMatchObject({
				status: 200,
			});
		expect(
			await deliver(url, signed(messageBody(), { secret: 'wrong', headers: bearer(token) })),
		).toMatchObject({ status: 401 });
		// What is accepted may also warn that it cannot list questions without a credential.
		const refusals = said.filter((line) => line.startsWith('A delivery was refused'));
		expect(refusals).toEqual([expect.stringMatching(/the signature is wrong/)]);
	});
});

describe('a webhook registered by hand', () => {
	const template = [
		{
			field: 'message_template_status_update',
			type: 'TEMPLATE_STATUS',
			value: { event: 'APPROVED', message_template_id: '1' },
			waba_id: '9',
		},
	];
	const otherChannel = {
		...messageBody(),
		message: { ...messageBody().message, channel_id: 'B'.repeat(32) },
	};

	async function byHand(
		source: string,
		{ workflowId = `workflow-${++workflows}`, id = 'node-1' } = {},
	): Promise<Receiver> {
		receiver = await startReceiver(
			{
				baseUrl: service.url,
				secretKey: SECRET_KEY,
				webhookSecret: `${'e'.repeat(64)} ${BY_HAND}`,
			},
			urls,
			{
				parameters: { registration: 'manual', source },
				workflowId,
				node: { id },
			},
		);
		return receiver;
	}

	it.each<[string, string, unknown]>([
		['channel', 'a message of another channel', otherChannel],
		['channel', 'a message of another channel among its own', [messageBody(), otherChannel]],
		['channel', 'a template event', template],
		['template', 'a message', messageBody()],
	])(
		"for the source %s refuses %s, though its credential's secret signed it",
		async (source, _what, body) => {
			const { url, executions } = await byHand(source);
			const said = warnings();
			expect(await deliver(url, signed(body, { secret: BY_HAND }))).toMatchObject({
				status: 401,
				body: '{"message":"Unauthorized"}',
			});
			expect(said).toEqual([
				expect.stringMatching(/refused with 401: its body names another channel/),
			]);
			expect(executions).toEqual([]);
		},
	);

	it('starts each of two triggers of one workflow once for the same event', async () => {
		const workflowId = `workflow-${++workflows}`;
		for (const id of ['node-1', 'node-2']) {
			const running = await byHand('channel', { workflowId, id });
			for (let time = 0; time < 2; time++)
				await deliver(running.url, signed(messageBody(), { secret: BY_HAND }));
			expect(running.executions).toHaveLength(1);
			if (id === 'node-1') await running.stop();
		}
	});

	it.each<[string, string, unknown]>([
		['channel', 'a message of its channel', messageBody()],
		[
			'channel',
			'a message of its channel, written in lower case',
			{
				...messageBody(),
				message: { ...messageBody().message, channel_id: CHANNEL_ID.toLowerCase() },
			},
		],
		[
			'channel',
			'a message that names no channel',
			{ message: { _id: '1', metadata: { from_me: false } } },
		],
		['channel', 'what is not recognised', { battery: 80, message: 'low', value: {} }],
		['channel', 'null', null],
		['template', 'a template event', template],
		['template', 'what is not recognised', [{ odd: 1 }]],
	])('for the source %s takes %s', async (source, _what, body) => {
		const { url, executions } = await byHand(source);
		expect(await deliver(url, signed(body, { secret: BY_HAND }))).toMatchObject({ status: 200 });
		expect(executions).toHaveLength(1);
	});
});
