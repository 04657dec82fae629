import { runInNewContext } from 'node:vm';

import type { ICredentialTestRequest } from 'n8n-workflow';

import { BusinessMessagingApi } from '../../../credentials/BusinessMessagingApi.credentials.ts';

/** Each test makes its own, so that the mutation tester knows which test reads what. */
let credential: BusinessMessagingApi;
let rules: Rule[];
beforeEach(() => {
	credential = new BusinessMessagingApi();
	rules = credential.test.rules as Array<NonNullable<ICredentialTestRequest['rules']>[number]>;
});
type Rule = { type: string; properties: { value: unknown; message: string; key?: string } };
const field = (name: string) => credential.properties.find((property) => property.name === name);

test('has the names that nodes, saved workflows and people use', () => {
	expect(credential).toMatchObject({
		name: 'businessMessagingApi',
		displayName: 'Business Messaging API',
		documentationUrl: expect.stringMatching(/^https:\/\/.+#credential$/),
		icon: { light: expect.stringMatching(/\.svg$/), dark: expect.stringMatching(/\.dark\.svg$/) },
	});
});

test('requires the address and the key, and not the two secrets of webhooks', () => {
	expect(credential.properties.map(({ name, required }) => [name, required === true])).toEqual([
		['baseUrl', true],
		['secretKey', true],
		['webhookSecret', false],
		['webhookToken', false],
		['templatesPath', false],
	]);
	expect(field('webhookSecret')?.hint).toMatch(/^Leave empty, unless you register/);
	expect(field('webhookToken')?.hint).toMatch(
		/^Leave empty, unless you register.*without signing$/,
	);
});

test('masks the secrets, and not the address', () => {
	for (const name of ['secretKey', 'webhookSecret', 'webhookToken'])
		expect(field(name)?.typeOptions).toEqual({ password: true });
	expect(field('baseUrl')?.typeOptions?.password).toBeUndefined();
	expect(field('baseUrl')?.placeholder).toMatch(/^e\.g\. https:\/\//);
});

test('lists the template webhooks in its test, and follows no redirect', () => {
	const { request } = credential.test;
	expect(request).toMatchObject({
		url: '/v1/webhooks',
		encoding: 'text',
		disableFollowRedirect: true,
		sendCredentialsOnCrossOriginRedirect: false,
	});
	const expression = /^=\{\{(.+)\}\}$/.exec(String(request.baseURL))?.[1] ?? '';
	const $credentials = { baseUrl: ' https://api.example.com/gateway// ' };
	expect(runInNewContext(expression, { $credentials })).toBe('https://api.example.com/gateway');
});

const messageOf = (status: number) =>
	rules.find(({ type, properties }) => type === 'responseCode' && properties.value === status)
		?.properties.message;

test.each([
	[[400], /^The service refused the request\. Either the secret key.*list of allowed addresses/],
	[[401], /^The service refused the secret key/],
	[[301, 302, 303, 307, 308], /^This address is not the messaging service\. Check the Base URL/],
	[[403, 404, 405, 406, 410], /^This address is not the messaging service\. Check the Base URL/],
	[[429], /^The service asks to slow down.*try again in a minute\.$/],
	[[500, 502, 503, 504], /^The service is not available at the moment.*try again later\.$/],
])('fails its test for the statuses %j, and says why', (statuses, message) => {
	for (const status of statuses) expect(messageOf(status)).toMatch(message);
	const { ignoreHttpStatusErrors } = credential.test.request;
	expect(ignoreHttpStatusErrors).toEqual({
		ignore: true,
		except: expect.arrayContaining(statuses),
	});
});

/** The rule that fails a text, as n8n compares: by a character of it, or by its length. */
const failed = (text: string) =>
	rules.find(
		({ type, properties }) =>
			type === 'responseSuccessBody' &&
			(text as unknown as Record<string, unknown>)[properties.key ?? ''] === properties.value,
	);

test.each([
	...['ip', '1.2.3.4', '203.0.113.10', '203.113.113.10', '203.113.113.110'].map(
		(address) => `${address} not allowed`,
	),
	'Authorization invalid',
])('recognises a 400 %j by its length if n8n hides the status', (error) => {
	expect(failed(JSON.stringify({ error }))?.properties.message).toMatch(
		/Either the secret key is wrong, or .* is not on the list of allowed addresses/,
	);
});

test('passes its test for an account without the role, and for every list', () => {
	expect(messageOf(422)).toBeUndefined();
	expect(messageOf(200)).toBeUndefined();
	const role = 'This action requires ENTERPRISE role';
	for (const [body, hasFailed] of [
		['[]', false],
		['[{"id":"019E4C54B1B375A28970B605CA9B03C3"}]', false],
		[`{"error":"${role}"}`, false],
		[`{"error":422,"message":"${role}"}`, false],
		['<html></html>', true],
		['{"error":"Unauthorized"}', true],
		['{"error":401,"message":"Unauthorized"}', true],
	] as const)
		expect(failed(body) !== undefined).toBe(hasFailed);
	for (const { properties } of rules)
		expect(properties.message).toMatch(/^(The service|This address)/);
});
