import { execFileSync } from 'node:child_process';
import { join } from 'node:path';

import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';

import { OPERATIONS } from '#sandbox/faults/schema.mts';
import { DEMO_CHANNEL_ID } from '#sandbox/seed.mts';
import { valid } from '../fixtures/messages.mts';
import { CHANNEL, CUSTOMER, testSandbox, WEBHOOKS } from './deliveryHarness.mts';
import { type CallOptions, variantsOf } from './helpers.mts';

const FORM = 'multipart/form-data';
const TEMPLATE = {
	...{ name: 'order_left', category: 'UTILITY', language: 'en_US' },
	components: [{ type: 'BODY', text: 'Hello {{1}}, it left.', example: { body_text: [['Ana']] } }],
};

const BUTTON = { type: 'PHONE_NUMBER', text: 'Call', phone_number: '+5500000000001' };
const CARD = { components: [{ type: 'BUTTONS', buttons: [BUTTON] }] };
const CARDS = [{ type: 'CAROUSEL', cards: [CARD, CARD] }];

interface MediaContent {
	content?: Record<string, { schema: object }>;
}
interface DocumentedOperation {
	operationId: string;
	requestBody?: MediaContent;
	responses: Record<string, MediaContent>;
}
interface Document {
	openapi: string;
	components: object;
	paths: Record<string, Record<string, DocumentedOperation>>;
}

const HOOK = { url: 'http://127.0.0.1:9/hook', events: ['MESSAGE_RECEIVED'] };
const TEMPLATE_HOOK = { url: 'http://127.0.0.1:9/hook', events: ['UPDATE_TEMPLATE_STATUS'] };
const SEND = {
	recipient: { identifier: CUSTOMER },
	content: { type: 'TEXT', body: { message: 'Hello' } },
};

const sandbox = testSandbox();
let document: Document;
const ajv = new Ajv2020({ strict: true, allowUnionTypes: true, allErrors: false, formats: {} });
addFormats(ajv).addVocabulary(['components']);
const compiled = new Map<string, ValidateFunction>();

beforeAll(async () => {
	document = (await sandbox.call<Document>('/openapi.json', { key: null })).body;
});

function documented(method: string, path: string): DocumentedOperation {
	const template = Object.keys(document.paths)
		.filter((candidate) =>
			new RegExp(`^${candidate.replace(/\{\w+\}/g, '[^/]+')}$`).test(path.split('?')[0]!),
		)
		// An ID stands for any word but those that are published.
		.sort((left, right) => left.split('{').length - right.split('{').length)[0];
	const operation = template && document.paths[template]![method.toLowerCase()];
	if (!operation) throw new Error(`${method} ${path} is not in the document`);
	return operation;
}

function validator(key: string, { content }: MediaContent): ValidateFunction {
	const schema = Object.values(content ?? {})[0]?.schema;
	if (!schema) throw new Error(`${key} has no schema`);
	const known = compiled.get(key) ?? ajv.compile(schema);
	compiled.set(key, known);
	return known;
}

/**
 * Calls the sandbox and checks the response against the document. Also returns whether the document
 * accepts the request.
 */
async function checked<T = unknown>(path: string, options: CallOptions = {}) {
	const method = options.method ?? (options.body === undefined ? 'GET' : 'POST');
	const operation = documented(method, path);
	const response = await sandbox.call<T>(path, options);
	const expected = operation.responses[response.status];
	const what = `${operation.operationId} ${response.status}`;
	if (!expected) throw new Error(`${what} is not documented: ${JSON.stringify(response.body)}`);
	if (expected.content) {
		const validate = validator(what, expected);
		if (!validate(response.body)) throw new Error(`${what}: ${ajv.errorsText(validate.errors)}`);
	} else expect(response.body).toBeUndefined();
	const requestIsDocumented =
		!operation.requestBody ||
		operation.requestBody.content?.[FORM] !== undefined ||
		validator(`${operation.operationId} request`, operation.requestBody)(options.body);
	return { ...response, requestIsDocumented };
}

it('is a valid OpenAPI 3.1 document of every operation', async () => {
	expect(document.openapi).toBe('3.1.0');
	const program = ['--import', 'tsx', join(import.meta.dirname, 'openapiVerdict.mts')];
	const input = JSON.stringify(document);
	const verdict = execFileSync(process.execPath, program, { input });
	expect(JSON.parse(verdict.toString())).toEqual({ valid: true });
	const ids = Object.values(document.paths).flatMap((path) =>
		Object.values(path).map(({ operationId }) => operationId),
	);
	expect(ids.sort()).toEqual([...OPERATIONS].sort());
});

/** What is wrong with a schema, if anything, by its text and the parts that it can refer to. */
const wrongs = new Map<string, string | undefined>();

/** What ajv says against a schema, as one of JSON Schema 2020-12. */
function wrongIn(schema: object, components: object): string | undefined {
	try {
		ajv.compile({ components, allOf: [schema] });
		return undefined;
	} catch (error) {
		return (error as Error).message;
	}
}

/**
 * The schemas of a document that are wrong, each with the reason. The validator of whole documents
 * looks into no schema of OpenAPI 3.1.
 */
function wrongSchemas({ components }: { components: object }, value: unknown, path = ''): string[] {
	if (typeof value !== 'object' || value === null) return [];
	if (!/\/(?:schema|components\/schemas\/\w+)$/.test(path))
		return Object.entries(value).flatMap(([name, inner]) =>
			wrongSchemas({ components }, inner, `${path}/${name}`),
		);
	const key = JSON.stringify([value, components]);
	if (!wrongs.has(key)) wrongs.set(key, wrongIn(value, components));
	const wrong = wrongs.get(key);
	return wrong === undefined ? [] : [`${path}: ${wrong}`];
}

it('every schema in it is one of JSON Schema', () => {
	expect(wrongSchemas(document, document)).toEqual([]);
});

it.each([
	['a type', '"type":"string"', '"type":"strng"', /one of the allowed values|must be JSONType/],
	['a reference', 'schemas/Connected"', 'schemas/Connect"', /can't resolve reference/],
	['a format', '"format":"uri"', '"format":"address"', /unknown format "address"/],
	['a keyword', '"required":[', '"requierd":[', /unknown keyword: "requierd"/],
	['a bound', '"minLength":1', '"minLength":-1', /must be >= 0/],
])('%s unknown to JSON Schema is found', (_, right, wrong, reason) => {
	const text = JSON.stringify(document);
	const at = text.lastIndexOf(right);
	expect(at).toBeGreaterThan(0);
	const planted = JSON.parse(
		text.slice(0, at) + wrong + text.slice(at + right.length),
	) as typeof document;
	const found = wrongSchemas(planted, planted);
	expect(found).not.toEqual([]);
	for (const each of found) expect(each).toMatch(reason);
});

const BUSINESSES = '/chatapp/businesses';
async function businessPath(): Promise<string> {
	const { body } = await sandbox.call<Array<{ businessId: string }>>(BUSINESSES);
	return `${BUSINESSES}/${body[0]!.businessId}`;
}

const formOf = (fields: Record<string, string>): string =>
	[
		...Object.entries(fields).map(
			([name, value]) => `--b\r\nContent-Disposition: form-data; ${name}\r\n\r\n${value}\r\n`,
		),
		'--b--\r\n',
	].join('');

it('describes every success', async () => {
	await sandbox.inbound(CUSTOMER, 'Hello');
	const grant = await sandbox.call<Record<string, unknown>>('/_sandbox/sdk/connect', {
		key: 'sandbox_pk_demo',
		body: { channelId: DEMO_CHANNEL_ID },
	});
	const { success: _success, channelId: _channelId, ...connect } = grant.body;
	const responses = [
		await checked(`${CHANNEL}/connect`, { body: connect }),
		await checked(`${CHANNEL}/messages`, { body: SEND }),
		await checked('/v1/channels', { body: { name: 'New', type: 'OFFICIAL_CHATAPP' } }),
		await checked('/v1/channels?page=0&pageSize=100&query=e&type=OFFICIAL_CHATAPP'),
		await checked(CHANNEL),
	];
	expect(responses[0]!.body).toEqual({ success: true });
	for (const [root, hook] of [
		[`${CHANNEL}/webhooks`, HOOK],
		['/v1/webhooks', TEMPLATE_HOOK],
	] as const) {
		const auth = { type: 'BASIC', username: 'u', password: 'p' };
		const more = { payloadFormat: 'DEFAULT', customAttributes: { a: [1] } };
		const body = { ...hook, description: 'x', signing: true, auth, ...more };
		const created = await checked<{ id: string }>(root, { body });
		const one = `${root}/${created.body.id}`;
		responses.push(created, await checked(root), await checked(one));
		const change = { status: 'DISABLED', signing: true, description: null };
		responses.push(await checked(one, { method: 'PATCH', body: change }));
		responses.push(await checked(one, { method: 'DELETE' }));
	}
	const business = await businessPath();
	const templates = `${business}/templates`;
	responses.push(await checked(BUSINESSES), await checked(`${templates}?limit=2&status=APPROVED`));
	const created = await checked<{ id: string }>(templates, { body: TEMPLATE });
	const one = `${templates}/${created.body.id}`;
	const decision = { method: 'PATCH', body: { status: 'REJECTED' } };
	await sandbox.control(`/message-templates/${created.body.id}`, decision);
	const form = documented('POST', `${templates}/media`).requestBody?.content;
	expect(form?.[FORM]?.schema).toMatchObject({ required: ['file', 'type'] });
	responses.push(
		...[created, await checked(one, { method: 'PUT', body: TEMPLATE })],
		await checked(`${templates}/media`, {
			headers: { 'content-type': `${FORM}; boundary=b` },
			body: formOf({ 'name="type"': 'image/png', 'name="file"; filename="a.png"': 'x' }),
		}),
		await checked(`${business}/template-library`),
		await checked(`${templates}/sync`, { method: 'POST' }),
		await checked(`${one}?name=order_left`, { method: 'DELETE' }),
	);
	responses.push(await checked(`${CHANNEL}/disconnect`, { method: 'PUT' }));
	responses.push(await checked(CHANNEL, { method: 'DELETE', body: { cancelReason: 'Moved' } }));
	expect(
		responses.filter(({ status, requestIsDocumented }) => status >= 300 || !requestIsDocumented),
	).toEqual([]);
});

const REQUESTS: Array<[name: string, path: string, body: object]> = [
	...['TEXT', 'CONTACT', 'INTERACTIVE_BUTTON'].map((kind): [string, string, object] => [
		...([`send ${kind}`, `${CHANNEL}/messages`, valid[kind]!] as const),
	]),
	['connect', `${CHANNEL}/connect`, { wabaId: '1', phoneId: '2', code: '3', coexistence: false }],
	['create channel', '/v1/channels', { name: 'New', type: 'OFFICIAL_CHATAPP' }],
	...[
		{ auth: { type: 'BEARER', token: 't' }, signing: true },
		{ auth: { type: 'BASIC', username: 'u', password: 'p' }, payloadFormat: 'VENDOR_1' },
	].map((more): [string, string, object] => [
		...([`create channel webhook ${JSON.stringify(more)}`, WEBHOOKS] as const),
		{ ...HOOK, ...more },
	]),
	...[
		{ authType: 'API_KEY', key: 'k' },
		{ authType: 'BEARER', token: 't', auth: { type: 'API_KEY', key: 'k' } },
		{ authType: 'NONE', token: 7 },
	].map((more): [string, string, object] => [
		...([`create template webhook ${JSON.stringify(more)}`, '/v1/webhooks'] as const),
		{ ...TEMPLATE_HOOK, ...more },
	]),
	[
		'create template webhook',
		'/v1/webhooks',
		{ ...TEMPLATE_HOOK, customAttributes: {}, description: 'x' },
	],
	['create template', '{business}/templates', TEMPLATE],
	['create template of cards', '{business}/templates', { ...TEMPLATE, components: CARDS }],
];
const OTHERS = [null, true, 7, 'text', '', [], {}];

it.each(REQUESTS)(
	'%s: the document and the sandbox refuse the same bodies',
	async (_name, path, body) => {
		const bodies = variantsOf(body, () => OTHERS);
		const url = path.replace('{business}', await businessPath());
		let accepted = 0;
		for (const variant of bodies) {
			const { status, requestIsDocumented } = await checked(url, { body: variant });
			// A rule refuses what is of the right form: a closed window, a variable without an example.
			const isAccepted = status < 300 || (status === 422 && /messages$|templates$/.test(path));
			expect({ variant, isAccepted }).toEqual({ variant, isAccepted: requestIsDocumented });
			if (isAccepted) accepted += 1;
		}
		expect(bodies.length).toBeGreaterThan(20);
		expect(accepted).toBeLessThan(bodies.length / 2);
	},
);

it('describes every refusal', async () => {
	const refusals = new Set<string>();
	for (const [path, methods] of Object.entries(document.paths)) {
		for (const [method, { requestBody }] of Object.entries(methods)) {
			const url = path
				.replace('{channelId}', DEMO_CHANNEL_ID)
				.replace('{webhookId}', '0'.repeat(32));
			const options = { method: method.toUpperCase(), ...(requestBody ? { body: {} } : {}) };
			const note = ({ status }: { status: number }) => refusals.add(`${path} ${method} ${status}`);
			note(await checked(url, options));
			note(await checked(url, { ...options, key: 'sandbox_sk_wrong' }));
			note(await checked(url, { ...options, key: null }));
			if (path.includes('{channelId}'))
				note(await checked(url.replace(DEMO_CHANNEL_ID, '1'.repeat(32)), options));
		}
	}
	await sandbox.control('/role', { body: { enterprise: false } });
	for (const path of [`${CHANNEL}/webhooks`, '/v1/webhooks'])
		expect((await checked(path)).status).toBe(422);
	expect(refusals.size).toBeGreaterThan(35);
});
