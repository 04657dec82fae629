import fc from 'fast-check';

import type { Context } from '../../../sandbox/core/context.mts';
import { createContext } from '../../../sandbox/core/context.mts';
import { createApp } from '../../../sandbox/http/app.mts';
import { OPERATION_DESCRIPTIONS } from '../../../sandbox/openapi/operations.mts';
import { DEMO_CHANNEL_ID, DEMO_PUBLIC_KEY, DEMO_SECRET_KEY, reset, seedIfNew } from '../../../sandbox/seed.mts';
import { type Door, must } from '../door.mts';
import { changeText, jsonOf, oddText, textChange } from '../texts.mts';

/** Stands for the last id that an answer held. */
const LAST = '@last';

/** Control routes, but for the endless stream of events. */
const CONTROL = [
	...['GET /_sandbox/state', 'POST /_sandbox/reset', 'POST /_sandbox/seed', 'POST /_sandbox/clock', 'POST /_sandbox/role', 'POST /_sandbox/secret-key', 'PATCH /_sandbox/settings'],
	...['POST /_sandbox/inbound', 'GET /_sandbox/messages', 'GET /_sandbox/messages/{id}', 'POST /_sandbox/messages/{id}/status', 'GET /_sandbox/conversations', 'POST /_sandbox/read'],
	...['POST /_sandbox/templates', 'GET /_sandbox/channels/{id}/phones', 'POST /_sandbox/sdk/connect', 'POST /_sandbox/sdk/post', 'POST /_sandbox/channels/{id}/connect'],
	...['POST /_sandbox/channels/{id}/disconnect', 'GET /_sandbox/deliveries', 'GET /_sandbox/deliveries/{id}', 'POST /_sandbox/deliveries/{id}/redeliver', 'PATCH /_sandbox/webhooks/{id}'],
	...['GET /_sandbox/requests', 'DELETE /_sandbox/requests', 'POST /_sandbox/faults', 'GET /_sandbox/faults', 'DELETE /_sandbox/faults/{id}', 'DELETE /_sandbox/faults', 'GET /openapi.json', 'GET /'],
];
const ROUTES = [...Object.values(OPERATION_DESCRIPTIONS).map(({ method, path }) => `${method.toUpperCase()} ${path}`), ...CONTROL];

const ids = fc.oneof({ weight: 3, arbitrary: fc.constant(DEMO_CHANNEL_ID) }, { weight: 3, arbitrary: fc.constant(LAST) }, fc.constantFrom('0', '1', '-1', '1.5', '9'.repeat(30), '%2e%2e', '%', '%ff', 'a'.repeat(300), 'f'.repeat(32)));

/** Bodies that the routes take. Receivers are elsewhere: the sandbox calls nobody but this machine. */
const RIGHT: unknown[] = [
	{ recipient: { identifier: '5511999990000' }, content: { type: 'TEXT', body: { message: 'Hello!' } } },
	{ url: 'https://receiver.example/hook', events: ['MESSAGE_RECEIVED', 'MESSAGE_STATUS', 'CONNECTED'], signing: true, auth: { type: 'BEARER', token: 't' } },
	{ url: 'https://receiver.example/hook', events: ['UPDATE_TEMPLATE_STATUS'], customAttributes: { a: { b: [1, null] } } },
	{ status: 'DISABLED', events: ['MESSAGE_RECEIVED'], signing: true },
	{ name: 'A channel', type: 'OFFICIAL_CHATAPP' },
	{ wabaId: '1', phoneId: '2', code: '3', coexistence: true },
	{ channelId: DEMO_CHANNEL_ID, from: '5511999990000', name: 'Ana', text: 'Hello!' },
	{ channelId: DEMO_CHANNEL_ID, from: '5511999990000', type: 'IMAGE', url: 'https://pictures.example/1.png', caption: 'A picture' },
	{ channelId: DEMO_CHANNEL_ID, from: '5511999990000', type: 'CONTACT_ARRAY', contacts: [{ name: 'Bea', phone: '1' }] },
	{ channelId: DEMO_CHANNEL_ID, customer: '5511999990000' },
	{ channelId: DEMO_CHANNEL_ID, coexistence: true },
	{ field: 'status', status: 'APPROVED', name: 'welcome', language: 'en', reason: null },
	{ field: 'category', newCategory: 'MARKETING', previousCategory: 'UTILITY' },
	{ status: 'READ' },
	{ enterprise: false },
	{ advance: 90_000 },
	{ now: '2099-12-31T23:59:59.999Z', speed: 86_400 },
	{ seed: 'again' },
	{ tenants: [{ name: 'Other', secretKey: 'sandbox_sk_other', publicKey: 'sandbox_pk_other', channels: [{ name: 'One', connected: false }] }] },
	{ secretKey: 'sandbox_sk_changed' },
	{ progression: { upTo: 'READ', stepMs: 0 }, firstPage: 1, connectRefusal: 'ERROR', templateRoutingLag: 0, codeLifetime: 1 },
	{ on: 'route', operation: 'sendMessage', kind: 'status', status: 429, retryAfter: 5, times: 1 },
	{ on: 'webhook', kind: 'duplicate', copies: 2, times: 2 },
	{ order: 'shuffled', status: 'ENABLED' },
	{ url: 'https://receiver.example/connect', answer: { success: true, channelId: DEMO_CHANNEL_ID, wabaId: '1', phoneId: '2', code: '3', coexistence: false } },
];
const NAMES = ['recipient', 'identifier', 'content', 'type', 'body', 'message', 'url', 'events', 'status', 'signing', 'auth', 'customAttributes', 'description', 'payloadFormat', 'name', 'channelId', 'from', 'text', 'tenant', 'tenants', 'advance', 'speed', 'seed', 'field', 'progression'];

const body = fc.oneof(
	{ weight: 6, arbitrary: fc.constantFrom(...RIGHT).map((value) => JSON.stringify(value)) },
	{ weight: 4, arbitrary: fc.tuple(fc.constantFrom(...RIGHT), fc.array(textChange, { minLength: 1, maxLength: 2 })).map(([value, changes]) => changes.reduce(changeText, JSON.stringify(value))) },
	{ weight: 2, arbitrary: jsonOf(...NAMES).map((value) => JSON.stringify(value)) },
	{ weight: 1, arbitrary: fc.constantFrom('', '{', 'null', '[]', '"x"', '['.repeat(5000), `${'{"a":'.repeat(70)}1${'}'.repeat(70)}`) },
);
const query = fc.dictionary(fc.constantFrom('page', 'pageSize', 'query', 'type', 'channelId', 'customer', 'after', 'limit', 'state', 'before', 'webhookId', 'method', 'path'), fc.oneof(oddText, fc.integer().map(String), fc.constantFrom('1e9', '0x10', DEMO_CHANNEL_ID, '9'.repeat(20))), { maxKeys: 3 });

const step = fc.record({
	route: fc.constantFrom(...ROUTES),
	id: ids,
	query: fc.oneof({ weight: 3, arbitrary: fc.constant<Record<string, string>>({}) }, { weight: 1, arbitrary: query }),
	body: fc.option(body, { nil: undefined, freq: 5 }),
	key: fc.oneof({ weight: 8, arbitrary: fc.constant(`Bearer ${DEMO_SECRET_KEY}`) }, { weight: 1, arbitrary: fc.constant(`Bearer ${DEMO_PUBLIC_KEY}`) }, { weight: 1, arbitrary: fc.constantFrom('Bearer x', 'Basic eDp5', 'Bearer', '') }),
	/** Sent byte for character, which is no UTF-8 where it is not ASCII. */
	latin1: fc.constantFrom(false, false, false, true),
	contentType: fc.oneof({ weight: 9, arbitrary: fc.constant('application/json') }, { weight: 1, arbitrary: fc.constantFrom('text/plain', 'application/json; charset=latin1', 'x', '') }),
});
type Step = typeof step extends fc.Arbitrary<infer Value> ? Value : never;

let running: { context: Context; app: Awaited<ReturnType<typeof createApp>> } | undefined;

async function sandbox() {
	if (running) return running;
	const context = createContext({ dataFile: ':memory:', allowDeliveryTo: [], deliveryTimeout: 1000 });
	seedIfNew(context, { seed: 'fuzz' });
	running = { context, app: await createApp(context, { allowedHosts: [] }) };
	return running;
}

async function check(steps: Step[]): Promise<void> {
	const { context, app } = await sandbox();
	reset(context, { seed: 'fuzz' });
	let last = DEMO_CHANNEL_ID;
	for (const { route, id, query: parameters, body: payload, key, contentType, latin1 } of steps) {
		const [method = '', path = ''] = route.split(' ');
		const url = path.replace(/\{\w+\}/g, (_name, offset: number) => (path.indexOf('{') < offset ? last : id.replace(LAST, last)));
		const hasBody = payload !== undefined && method !== 'GET';
		const answer = await app.inject({
			method: method as 'GET',
			url,
			query: parameters,
			headers: { authorization: key, ...(hasBody ? { 'content-type': contentType } : {}) },
			...(hasBody ? { payload: Buffer.from(payload, latin1 ? 'latin1' : 'utf8') } : {}),
		});
		const what = `${method} ${url} answered ${answer.statusCode}: ${answer.body.slice(0, 200)}`;
		must(answer.statusCode < 500, what);
		if (!String(answer.headers['content-type']).startsWith('application/json')) continue;
		const answered = answer.json<Record<string, unknown> | null>();
		if (answer.statusCode >= 400) must(answered?.error !== undefined && answered.error !== '', what);
		const found = answered?.id ?? answered?.messageId;
		if (typeof found === 'string' && found !== '') last = found;
	}
	const state = await app.inject({ method: 'GET', url: '/_sandbox/state' });
	must(state.statusCode === 200, `the state answered ${state.statusCode}`);
}

/** Ends the sandbox that the checks share. */
export async function closeSandbox(): Promise<void> {
	const { closeContext } = await import('../../../sandbox/core/context.mts');
	if (!running) return;
	await running.app.close();
	await closeContext(running.context);
	running = undefined;
}

/** Requests to the sandbox, one after the other: whatever they are, the sandbox is not the one that fails. */
export const sandboxRoutes: Door<Step[]> = { name: 'sandbox', input: fc.array(step, { minLength: 1, maxLength: 8 }), check };
