import fc from 'fast-check';
import type { IExecuteFunctions } from 'n8n-workflow';

import { connectChannel, createChannel, listChannels } from '../../../nodes/BusinessMessaging/service/channels.ts';
import { createServiceClient, type ServiceClient } from '../../../nodes/BusinessMessaging/service/client.ts';
import { asError, ServiceError, toNodeError } from '../../../nodes/BusinessMessaging/service/errors.ts';
import { sendText } from '../../../nodes/BusinessMessaging/service/messages.ts';
import { webhookApi } from '../../../nodes/BusinessMessaging/service/webhooks.ts';
import { type Door, must } from '../door.mts';
import { jsonOf, oddText } from '../texts.mts';

const SECRET_KEY = 'sk-that-must-not-show';
const ID = '019E4C54B1B375A28970B605CA9B03C3';
const webhooks = (client: ServiceClient) => webhookApi(client, { kind: 'channel', channelId: ID });

/** What the nodes ask of the service. Each resolves to what the rest of the package relies on. */
const REQUESTS = {
	sendText: async (client: ServiceClient) => {
		const id = await sendText(client, { channelId: ID, recipient: '5511999990000', text: 'Hello!' });
		must(typeof id === 'string' && id !== '', 'a message without an id');
	},
	connect: async (client: ServiceClient) => await connectChannel(client, ID, { wabaId: '1', phoneId: '2', code: '3', coexistence: false }),
	createChannel: async (client: ServiceClient) => {
		const id = await createChannel(client, { name: 'a', type: 'b' });
		must(typeof id === 'string' && id !== '', 'a channel without an id');
	},
	listChannels: async (client: ServiceClient) => {
		const seen = new Set<string>();
		for await (const channel of listChannels(client)) {
			must(typeof channel.id === 'string' && !seen.has(channel.id) && !('token' in channel), `a channel is ${JSON.stringify(channel)}`);
			seen.add(channel.id);
		}
	},
	listWebhooks: async (client: ServiceClient) => {
		for (const { id, url, events } of await webhooks(client).list()) must(typeof id === 'string' && typeof url === 'string' && Array.isArray(events), 'a webhook without its fields');
	},
	createWebhook: async (client: ServiceClient) => {
		const { id, secret } = await webhooks(client).create({ url: 'https://n8n.example.com/webhook', events: ['MESSAGE_RECEIVED'], signing: true });
		must(id !== '' && secret !== '', 'an empty id or secret');
	},
	deleteWebhook: async (client: ServiceClient) => await webhooks(client).delete(ID),
};

const NAMES = ['error', 'message', 'messageId', 'success', 'id', 'secret', 'url', 'events', 'status', 'total', 'totalPage', 'pageSize', 'page', 'content', 'token', 'signing', 'auth', 'type', 'configured', 'customAttributes', 'name'];
const right = fc.constantFrom<unknown>(
	{ messageId: ID },
	{ success: true },
	{ id: ID, url: 'https://a.example', events: ['X'], status: 'ENABLED', secret: 'f' },
	{ total: 3, totalPage: 2, pageSize: 2, page: 0, content: [{ id: 'A', token: 'secret' }, { id: 'B' }] },
	{ total: 1e9, totalPage: 1e9, pageSize: 100, page: 0, content: [] },
	[],
	{ error: 401, message: 'Unauthorized' },
	{ error: 'Unauthorized' },
	{ error: 422, message: 'Conversation window is closed' },
	`<html><script>${SECRET_KEY}</script>Bad Gateway</html>`,
	SECRET_KEY,
	{ error: 400, message: `Bearer ${SECRET_KEY} is not known` },
);
const answer = fc.record({
	status: fc.oneof(fc.constantFrom(200, 201, 204, 301, 303, 400, 401, 403, 404, 405, 422, 429, 500, 501, 502, 503, 504), fc.integer({ min: 200, max: 599 })),
	retryAfter: fc.option(fc.oneof(oddText, fc.string(), fc.integer().map(String), fc.constant('Wed, 15 Jul 2026 19:00:07 GMT')), { nil: undefined }),
	body: fc.oneof(right, jsonOf(...NAMES), fc.array(right, { maxLength: 3 })),
});
const input = fc.record({
	request: fc.constantFrom(...(Object.keys(REQUESTS) as Array<keyof typeof REQUESTS>)),
	/** The last one is given again and again. */
	answers: fc.array(answer, { minLength: 1, maxLength: 3 }),
});
type Input = typeof input extends fc.Arbitrary<infer Value> ? Value : never;

/** Requests that a list may take at most: a service that promises more pages than it has must not be asked for ever. */
const REQUESTS_MAX = 200;

async function check({ request, answers }: Input): Promise<void> {
	let asked = 0;
	const context = {
		getCredentials: async () => ({ baseUrl: 'https://api.messaging.example', secretKey: SECRET_KEY }),
		helpers: {
			httpRequestWithAuthentication: async () => {
				const given = answers[Math.min(asked, answers.length - 1)];
				// Thrown where the client takes it for a lost connection, so judged below.
				if (++asked > REQUESTS_MAX) throw new Error('asked without end');
				return { statusCode: given?.status, headers: given?.retryAfter === undefined ? {} : { 'retry-after': given.retryAfter }, body: given?.body };
			},
		},
	} as unknown as IExecuteFunctions;
	const client = await createServiceClient(context);
	const error = await REQUESTS[request](client).then(
		() => undefined,
		(thrown: unknown) => thrown,
	);
	must(asked <= REQUESTS_MAX, 'the service is asked without end');
	if (error !== undefined) {
		if (!(error instanceof ServiceError)) throw asError(error);
		const { failure } = error;
		must(failure.effect === 'none' || failure.effect === 'unknown', `the effect is ${String(failure.effect)}`);
		must(failure.cause.trim() !== '' && failure.hint.trim() !== '', 'an error without a cause or a hint');
		must(failure.retryAfter === undefined || (Number.isFinite(failure.retryAfter) && failure.retryAfter >= 0), `waits for ${failure.retryAfter}`);
		const nodeError = toNodeError({ id: '1', name: 'Node', type: 'test', typeVersion: 1, position: [0, 0], parameters: {} }, error);
		must(!JSON.stringify([error.message, error.description, error.details, nodeError.message, nodeError.description, nodeError.context, nodeError.messages]).includes(SECRET_KEY), 'the secret key shows');
	}
}

/** What the service answers, and what stands between it and n8n. */
export const answersOfService: Door<Input> = { name: 'answers', input, check };
