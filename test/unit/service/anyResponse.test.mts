/** Responses of the service, and of proxies between it and n8n: whatever they are. */
import fc from 'fast-check';

import { connectChannel, createChannel, listChannels } from '#nodes/service/channels.ts';
import {
	createServiceClient,
	type ServiceClient,
	type ServiceContext,
} from '#nodes/service/client.ts';
import { asError, ServiceError, toNodeError } from '#nodes/service/errors/index.ts';
import { sendMessage } from '#nodes/service/messages.ts';
import { withoutSecrets } from '#nodes/service/secrets.ts';
import { webhookApi } from '#nodes/service/webhooks.ts';
import { NODE, nodeContext } from '../../support/context.mts';
import { jsonOf, oddText } from '../../support/oddTexts.mts';
import { echoesOf, shownForm, toldBy } from '../../support/secrets.mts';
import { runs } from '../../support/runs.mts';

/** With characters that URLs and base64 write otherwise. */
const SECRET_KEY = 'sk_that+must/not=show';
const WEBHOOK_TOKEN = 'token+of/a-webhook=by-hand';
const SECRETS = [SECRET_KEY, WEBHOOK_TOKEN];
const ID = '019E4C54B1B375A28970B605CA9B03C3';
const webhooks = (client: ServiceClient) => webhookApi(client, { kind: 'channel', channelId: ID });

const known = (id: unknown): void => {
	expect(id).toEqual(expect.stringMatching(/./));
};

/** The requests of the nodes. They resolve to what the rest of the package puts into items. */
const REQUESTS = {
	sendText: async (client: ServiceClient) => {
		const content = { type: 'TEXT', body: { message: 'Hello!' } };
		const id = await sendMessage(client, { channelId: ID, recipient: '5511999990000', content });
		known(id);
		return id;
	},
	connect: async (client: ServiceClient) =>
		await connectChannel(client, ID, { wabaId: '1', phoneId: '2', code: '3', coexistence: false }),
	createChannel: async (client: ServiceClient) => {
		const id = await createChannel(client, { name: 'a', type: 'b' });
		known(id);
		return id;
	},
	listChannels: async (client: ServiceClient) => {
		const channels: Array<{ id: string }> = [];
		for await (const listed of listChannels(client)) {
			const channel = withoutSecrets(listed);
			known(channel.id);
			expect(channel).not.toHaveProperty('token');
			channels.push(channel);
		}
		expect(new Set(channels.map(({ id }) => id)).size).toBe(channels.length);
		return channels;
	},
	listWebhooks: async (client: ServiceClient) => {
		const listed = await webhooks(client).list();
		for (const { id, url, events } of listed)
			expect([typeof id, typeof url, Array.isArray(events)]).toEqual(['string', 'string', true]);
		return listed;
	},
	createWebhook: async (client: ServiceClient) => {
		const created = await webhooks(client).create({
			...{ url: 'https://n8n.example.com/webhook', events: ['MESSAGE_RECEIVED'], signing: true },
		});
		known(created.id);
		known(created.secret);
		return created;
	},
	deleteWebhook: async (client: ServiceClient) => await webhooks(client).delete(ID),
};

const NAMES = [
	...[
		'error',
		'errors',
		'value',
		'timestamp',
		'code',
		'subCode',
		'message',
		'messageId',
		'success',
	],
	...['id', 'secret', 'url', 'events', 'status', 'total', 'totalPage', 'pageSize', 'page'],
	...['content', 'token', 'signing', 'auth', 'type', 'configured', 'customAttributes', 'name'],
];
const right = fc.constantFrom<unknown>(
	{ messageId: ID },
	{ success: true },
	{ id: ID, url: 'https://a.example', events: ['X'], status: 'ENABLED', secret: 'f' },
	{ total: 3, totalPage: 2, pageSize: 2, page: 0, content: [{ id: 'A', token: 't' }, { id: 'B' }] },
	{ total: 1e9, totalPage: 1e9, pageSize: 100, page: 0, content: [] },
	[],
	{ error: 401, message: 'Unauthorized' },
	{ error: 'Unauthorized' },
	{ error: 422, message: 'Conversation window is closed' },
	{ error: 'ip not allowed', value: { errors: [{ message: SECRET_KEY, code: 1 }] } },
	{ error: { errors: [SECRET_KEY, { message: SECRET_KEY, code: SECRET_KEY }] } },
	{ timestamp: 1, code: 400, message: SECRET_KEY, subCode: 'MEDIA_TOO_LARGE' },
	`<html><script>${SECRET_KEY}</script>Bad Gateway</html>`,
	{ error: 400, message: `Bearer ${SECRET_KEY} is not known` },
);
/** The key as proxies and servers show it that echo a request. */
const echo = fc
	.tuple(
		fc.constantFrom(...SECRETS.flatMap(echoesOf)),
		fc.constantFrom('Bearer ', '', 'Basic ', 'key='),
	)
	.chain(([form, before]) =>
		fc.constantFrom<unknown>(
			form,
			`${before}${form}`,
			{ error: 400, message: `${before}${form} is not known` },
			{ error: `${before}${form}` },
			{ [form]: 1 },
			{ error: { [form]: form } },
			[{ [form]: null }],
			`<p>${before}${form}</p>`,
		),
	);
const response = fc.record({
	status: fc.oneof(
		fc.constantFrom(200, 201, 204, 301, 303, 400, 401, 403, 404, 405, 422, 429),
		fc.constantFrom(500, 501, 502, 503, 504),
		fc.integer({ min: 200, max: 599 }),
	),
	retryAfter: fc.option(
		fc.oneof(
			oddText,
			fc.string(),
			fc.integer().map(String),
			fc.constant('Wed, 15 Jul 2026 19:00:07 GMT'),
		),
		{ nil: undefined },
	),
	body: fc.oneof(right, echo, jsonOf(...NAMES), fc.array(right, { maxLength: 3 })),
});
type Response = typeof response extends fc.Arbitrary<infer Value> ? Value : never;

/** Requests for a list. A service can promise more pages than it has. */
const REQUESTS_MAX = 200;

/** @param responses the last one is given again and again */
async function check(request: keyof typeof REQUESTS, responses: Response[]): Promise<void> {
	let asked = 0;
	const logged: unknown[] = [];
	const log = (...said: unknown[]) => void logged.push(said);
	const respond = () => {
		const given = responses[Math.min(asked, responses.length - 1)]!;
		// Thrown where the client takes it for a lost connection, so judged below.
		if (++asked > REQUESTS_MAX) throw new Error('asked without end');
		const headers = given.retryAfter === undefined ? {} : { 'retry-after': given.retryAfter };
		return { statusCode: given.status, headers, body: given.body };
	};
	const context = nodeContext<ServiceContext>(respond, {
		credential: { secretKey: SECRET_KEY, webhookToken: WEBHOOK_TOKEN },
		logger: { debug: log, info: log, warn: log, error: log },
	});
	const client = await createServiceClient(context);
	let given: unknown;
	const error = await REQUESTS[request](client).then(
		(result: unknown) => void (given = result),
		(thrown: unknown) => thrown,
	);
	expect(asked).toBeLessThanOrEqual(REQUESTS_MAX);
	expect(shownForm(logged, ...SECRETS)).toBeUndefined();
	// What the service itself gives is its own to say; what nodes make of it is not to add the key.
	if (shownForm(responses, ...SECRETS) === undefined)
		expect(shownForm(given, ...SECRETS)).toBeUndefined();
	if (error === undefined) return;
	if (!(error instanceof ServiceError)) throw asError(error);
	const { cause, hint, effect, retryAfter = 0 } = error.failure;
	expect(['none', 'unknown', ...(request === 'sendText' ? ['unlikely'] : [])]).toContain(effect);
	for (const words of [cause, hint]) expect(words.trim()).not.toBe('');
	expect(Number.isFinite(retryAfter) && retryAfter >= 0).toBe(true);
	expect(shownForm([toldBy(error), toldBy(toNodeError(NODE, error))], ...SECRETS)).toBeUndefined();
}

const requests = fc.constantFrom(...(Object.keys(REQUESTS) as Array<keyof typeof REQUESTS>));

test('no response makes a request without end, an error without words, or shows the key', async () => {
	await fc.assert(
		fc.asyncProperty(requests, fc.array(response, { minLength: 1, maxLength: 3 }), check),
		{ numRuns: runs(200) },
	);
});

// Each of these was wrong once.
const key = [...Buffer.from(SECRET_KEY)].map((byte) => `%${byte.toString(16)}`).join('');
test.each<[keyof typeof REQUESTS, number, unknown]>([
	['listChannels', 200, { total: 1e9, totalPage: 1e9, pageSize: 100, page: 0, content: [] }],
	['sendText', 200, key],
	['sendText', 422, { error: '' }],
	['sendText', 303, { error: 400, message: `Bearer ${btoa(`api:${SECRET_KEY}`)} is not known` }],
])('%s, answered with %i and %j', async (request, status, body) => {
	await check(request, [{ status, body, retryAfter: '9'.repeat(400) }]);
});
