import { createServer } from 'node:http';
import type { ServerResponse } from 'node:http';
import { createServer as createTlsServer } from 'node:tls';
import type { AddressInfo } from 'node:net';

import { runInEngine, SECRET_KEY } from './harness/engine.mts';
import { respondJson, startScriptedService } from './harness/scriptedService.mts';

const CHANNEL = '019E4C54B1B375A28970B605CA9B03C3';
const WEBHOOK = '019E4C54B1B375A28970B605CA9B0AAA';
const byId = (value: string) => ({ __rl: true, mode: 'id', value });
const SEND = {
	resource: 'message',
	operation: 'sendText',
	channelId: byId(CHANNEL),
	recipient: '5511999990000',
	text: 'Hello',
};
const LIST = {
	resource: 'webhook',
	operation: 'getAll',
	channelId: byId(CHANNEL),
	returnAll: true,
};
const DELETE = {
	resource: 'webhook',
	operation: 'delete',
	channelId: byId(CHANNEL),
	webhookId: byId(WEBHOOK),
};
const LIST_CHANNELS = { resource: 'channel', operation: 'getAll', returnAll: true };
const LIST_TEMPLATE = { resource: 'templateWebhook', operation: 'getAll', returnAll: true };
const CREATE = {
	resource: 'webhook',
	operation: 'create',
	channelId: byId(CHANNEL),
	url: 'https://example.com/events',
	events: ['MESSAGE_RECEIVED'],
};
const CONNECT = {
	resource: 'channel',
	operation: 'connect',
	connectionData: 'fields',
	channelId: byId(CHANNEL),
	wabaId: '1',
	phoneId: '2',
	code: 'c',
	coexistence: false,
};

async function failWith(parameters: object, respond: (response: ServerResponse) => void) {
	const service = await startScriptedService((_request, response) => respond(response));
	try {
		const result = await runInEngine({ baseUrl: service.url, parameters: { ...parameters } });
		expect(result.record).not.toContain(SECRET_KEY);
		return { ...result, requests: service.requests };
	} finally {
		await service.close();
	}
}

const A = (status: number, message: string) => (response: ServerResponse) =>
	respondJson(response, status, { error: status, message });
const C = (code: number, message: string, subCode: string) => (response: ServerResponse) =>
	respondJson(response, code, { timestamp: 1779980473342, code, message, subCode });
const B = (status: number, error: string) => (response: ServerResponse) =>
	respondJson(response, status, { error });

test.each<[string, object, (response: ServerResponse) => void, RegExp, RegExp]>([
	[
		'401 on send',
		SEND,
		A(401, 'Unauthorized'),
		/^Could not send the text to 5511999990000: the service refused the secret key$/,
		/Check the Secret Key in the credential.*The service said: "Unauthorized"/,
	],
	[
		'401 on connect',
		CONNECT,
		A(401, 'Unauthorized'),
		/^Could not connect the channel: the service refused the secret key$/,
		/Secret Key/,
	],
	[
		'401 on the template list',
		LIST_TEMPLATE,
		B(401, 'Unauthorized'),
		/^Could not list the template webhooks: the service refused the secret key$/,
		/Secret Key/,
	],
	[
		'400 without the header on the template list',
		LIST_TEMPLATE,
		B(400, 'Authorization header is required'),
		/^Could not list the template webhooks: the service did not accept the request \(Authorization header is required\)$/,
		/Check the values/,
	],
	[
		'422 role on the webhook list',
		LIST,
		A(422, 'This action requires ENTERPRISE role'),
		/^Could not list the webhooks: the account lacks the ENTERPRISE role$/,
		/Ask the service to upgrade.*This action requires ENTERPRISE role/,
	],
	[
		'422 role on the template list',
		LIST_TEMPLATE,
		B(422, 'This action requires ENTERPRISE role'),
		/the account lacks the ENTERPRISE role$/,
		/upgrade/,
	],
	[
		'404 webhook',
		DELETE,
		A(404, 'Webhook not found'),
		new RegExp(`^Could not delete the webhook: Webhook not found: ${WEBHOOK}$`),
		/Check the ID of the webhook: it must exist/,
	],
	[
		'404 channel',
		SEND,
		A(404, 'Channel not found'),
		new RegExp(`^Could not send the text to 5511999990000: Channel not found: ${CHANNEL}$`),
		/Check the ID of the channel: it must exist/,
	],
	[
		'400 url',
		CREATE,
		A(400, 'url is required'),
		/^Could not create the webhook: the service did not accept the request \(url is required\)$/,
		/Check the values/,
	],
	[
		'400 of an address that is not allowed',
		SEND,
		B(400, '203.0.113.10 not allowed'),
		/^Could not send the text to 5511999990000: the account does not allow requests from the address 203\.0\.113\.10$/,
		/^Add the address 203\.0\.113\.10 to the account's list of allowed addresses/,
	],
	[
		'400 of a wrong key on the channel list',
		LIST_CHANNELS,
		B(400, 'Authorization invalid'),
		/^Could not list the channels: the service refused the secret key$/,
		/^Check the Secret Key in the credential.*Authorization invalid/,
	],
	[
		'422 role on the channel list',
		LIST_CHANNELS,
		B(422, 'Channel listing requires ENTERPRISE role'),
		/^Could not list the channels: the account lacks the ENTERPRISE role$/,
		/Choose "By ID" in the field "Channel"/,
	],
	[
		'400 about media',
		SEND,
		C(400, 'File is too large', 'MEDIA_TOO_LARGE'),
		/^Could not send the text to 5511999990000: the service did not accept the file \(File is too large\)$/,
		/images up to 5 MB, audio and video up to 16 MB/,
	],
	[
		'502 about media',
		SEND,
		C(502, 'Download failed', 'MEDIA_DOWNLOAD_FAILED'),
		/^Could not send the text to 5511999990000: the service could not send the file \(Download failed\)$/,
		/Nothing was sent, so you can try again, or turn on "Retry On Fail"/,
	],
	[
		'502 in the words of the service, of a change',
		DELETE,
		A(502, 'Integration error'),
		/^Could not delete the webhook: the service failed \(Integration error\)$/,
		/^The change was not made\. Try again later/,
	],
	[
		'502 in the words of the service, of a message',
		SEND,
		A(502, 'Integration error'),
		/^Could not tell whether the text was sent to 5511999990000: the service failed \(Integration error\)$/,
		/It may have been sent/,
	],
	[
		'502 in the words of the service, of a list',
		LIST_TEMPLATE,
		B(502, 'Listing failed'),
		/: the service failed \(Listing failed\)$/,
		/^Try again later/,
	],
	[
		'422 about a template, with its reason',
		SEND,
		(response) =>
			respondJson(response, 422, {
				error: {
					errors: [
						{
							message: 'Invalid parameter',
							code: 100,
							subCode: 2388024,
							description: 'There is already English content for this template',
						},
					],
				},
			}),
		/: There is already English content for this template \(Invalid parameter, 100, 2388024\)$/,
		/./,
	],
	[
		'422 with a list at the top, and the ID to ask about it',
		SEND,
		(response) =>
			respondJson(response, 422, { errors: [{ message: 'No', code: 100, traceId: 'A1b2C3' }] }),
		/: No \(100, traceId A1b2C3\)$/,
		/./,
	],
	[
		'400 about a template',
		SEND,
		(response) =>
			respondJson(response, 400, {
				error: { errors: [{ message: 'Template name does not exist', code: 132001 }] },
			}),
		/the service did not accept the request \(Template name does not exist \(132001\)\)$/,
		/Check the values/,
	],
	[
		'422 wrong kind of event',
		CREATE,
		A(422, 'Channel webhooks do not accept template events'),
		/^Could not create the webhook: Channel webhooks do not accept template events$/,
		/Check the values/,
	],
	[
		'422 closed window',
		SEND,
		A(422, 'Conversation window is closed'),
		/^Could not send the text to 5511999990000: the 24-hour conversation window is closed$/,
		/within 24 hours of the customer's last message\. An approved template works at any time.*Conversation window is closed/,
	],
	[
		'success false',
		CONNECT,
		(response) => respondJson(response, 200, { success: false }),
		/^Could not connect the channel: the chat application did not accept the connection data$/,
		/works once/,
	],
	[
		'429 that asks for a wait that is too long',
		SEND,
		(response) =>
			respondJson(response, 429, { error: 429, message: 'Slowly' }, { 'retry-after': '3600' }),
		/asks to slow down/,
		/Max per Second/,
	],
	[
		'503',
		LIST,
		A(503, 'Maintenance'),
		/not available at the moment \(Maintenance\)/,
		/Try again later/,
	],
	[
		'500 in shape',
		SEND,
		A(500, 'Internal error'),
		/the service failed \(Internal error\)/,
		/Try again later/,
	],
	[
		'HTML from a proxy',
		LIST,
		(response) =>
			response
				.writeHead(502, { 'content-type': 'text/html' })
				.end('<html><head><style>b{}</style></head><body><h1>502 Bad\n Gateway</h1></body></html>'),
		/a server on the way answered with status 502 with "502 Bad Gateway"/,
		/may have reached the service/,
	],
	[
		'HTML with status 200',
		LIST,
		(response) =>
			response
				.writeHead(200, { 'content-type': 'text/html' })
				.end('<html><body>Welcome</body></html>'),
		/answered in an unexpected form: the body is "Welcome"/,
		/Base URL/,
	],
	[
		'404 of a website',
		LIST,
		(response) => response.writeHead(404, { 'content-type': 'text/html' }).end('<h1>Not here</h1>'),
		/nothing answers at this address \(status 404 with "Not here"\)/,
		/Base URL.*without \/v1/,
	],
	[
		'an empty body',
		LIST,
		(response) => response.writeHead(200).end(),
		/the service answered with an empty body/,
		/Base URL/,
	],
	[
		'wrong JSON',
		LIST,
		(response) => response.writeHead(200, { 'content-type': 'application/json' }).end('[{"id":'),
		/unexpected form/,
		/Base URL/,
	],
	[
		'a missing field',
		LIST,
		(response) =>
			respondJson(response, 200, [{ url: 'https://example.com', events: [], status: 'ENABLED' }]),
		/unexpected form: "0.id" is missing or of another type$/,
		/Base URL/,
	],
	[
		'an error of neither shape',
		LIST,
		(response) => respondJson(response, 418, { code: 7 }),
		/answered with status 418 with "a JSON object with the fields code"/,
		/Check the values/,
	],
	[
		'a method that the service does not know',
		{ ...DELETE },
		(response) => respondJson(response, 405, { error: 405, message: 'Method Not Allowed' }),
		/does not offer this operation/,
		/The service may not support it yet/,
	],
])(
	'says what happened and what to do: %s',
	async (_name, parameters, respond, message, description) => {
		const { error, requests } = await failWith(parameters, respond);
		expect(error?.message).toMatch(message);
		expect(error?.description).toMatch(description);
		expect(requests).toHaveLength(1);
	},
);

test('follows no redirect to another host, so the key stays with the service', async () => {
	const other = await startScriptedService((_request, response) => respondJson(response, 200, []));
	const { error } = await failWith(LIST, (response) =>
		response.writeHead(302, { location: `${other.url}/v1/webhooks` }).end(),
	);
	await other.close();
	expect(error?.message).toMatch(/answered with a redirect, which is not followed/);
	expect(other.requests).toHaveLength(0);
});

test('quotes a response that echoes the key without the key', async () => {
	const { error } = await failWith(LIST, (response) =>
		respondJson(response, 400, { error: 400, message: `bad header Bearer ${SECRET_KEY}` }),
	);
	expect(error?.message).toContain('bad header Bearer [hidden]');
});

test('hides an echoed key also if the quote is cut', async () => {
	const echo = `${'x'.repeat(100)} ${SECRET_KEY}`;
	const { error } = await failWith(LIST, (response) =>
		response.writeHead(502, { 'content-type': 'text/plain' }).end(echo),
	);
	expect(error?.message).not.toContain('secret-key');
});

test('names the fields of an unexpected JSON response without their values', async () => {
	const { error } = await failWith({ resource: 'channel', operation: 'getAll' }, (response) =>
		respondJson(response, 200, [{ id: CHANNEL, token: 'TOKEN' }]),
	);
	expect(error?.message).toMatch(/unexpected form: the body is "a JSON list"$/);
});

test('names the recipient of a question that could not be sent, also in its failed item', async () => {
	const service = await startScriptedService((_request, response) =>
		A(422, 'Conversation window is closed')(response),
	);
	const question = { ...SEND, operation: 'sendAndWait', message: 'May we?' };
	const ask = (parameters: object) =>
		runInEngine({
			baseUrl: service.url,
			parameters: { ...question, ...parameters },
			settings: { onError: 'continueRegularOutput' },
		});
	const [refused] = (await ask({})).items;
	const [empty] = (await ask({ message: '={{ " " }}' })).items;
	await service.close();
	const target = { recipient: '5511999990000', channelId: CHANNEL };
	expect(refused?.json).toMatchObject({
		...target,
		error: expect.stringMatching(/^Could not send the buttons to 5511999990000: /) as string,
		details: { reason: 'window_closed' },
	});
	expect(empty?.json).toMatchObject({ ...target, details: { reason: 'invalid_input' } });
});

test('says without a response in time that a text may have been sent', async () => {
	const hang = () => undefined;
	const sent = await failWith({ ...SEND, options: { timeout: 300 } }, hang);
	expect(sent.error?.message).toBe(
		'Could not tell whether the text was sent to 5511999990000: no response within 0.3 s',
	);
	expect(sent.error?.description).toMatch(
		/It may have been sent, so the node does not send it again/,
	);
	expect(sent.requests).toHaveLength(1);
});

test('says after a lost connection that the text may have been sent', async () => {
	const { error } = await failWith(SEND, (response) => response.socket?.destroy());
	expect(error?.message).toBe(
		'Could not tell whether the text was sent to 5511999990000: the connection was lost before the service answered',
	);
});

test('says that the connection for a list was lost', async () => {
	const { error } = await failWith(LIST, (response) => response.socket?.destroy());
	expect(error?.message).toBe(
		'Could not list the webhooks: the connection was lost before the service answered',
	);
});

test('distinguishes an unknown host, a closed port and a server without TLS', async () => {
	const unused = createServer();
	await new Promise<void>((resolve) => unused.listen(0, '127.0.0.1', resolve));
	const { port } = unused.address() as AddressInfo;
	await new Promise((resolve) => unused.close(resolve));
	const closed = await runInEngine({ baseUrl: `http://127.0.0.1:${port}`, parameters: SEND });
	expect(closed.error?.message).toBe(
		'Could not send the text to 5511999990000: nothing listens at the address of the service',
	);
	expect(closed.error?.description).toMatch(/host and port in the Base URL/);

	const unknown = await runInEngine({ baseUrl: 'http://service.invalid', parameters: SEND });
	expect(unknown.error?.message).toMatch(
		/^Could not send the text to 5511999990000: the host name of the service (is unknown|could not be looked up)$/,
	);

	const plain = await startScriptedService((_request, response) => respondJson(response, 200, []));
	const noTls = await runInEngine({
		baseUrl: plain.url.replace('http:', 'https:'),
		parameters: SEND,
	});
	await plain.close();
	expect(noTls.error?.message).toMatch(
		/^Could not send the text to 5511999990000: no secure connection to the service \(\w+\)$/,
	);
});

test('sends nothing to a TLS server that breaks off the handshake', async () => {
	const tls = createTlsServer({});
	await new Promise<void>((resolve) => tls.listen(0, '127.0.0.1', resolve));
	const result = await runInEngine({
		baseUrl: `https://127.0.0.1:${(tls.address() as AddressInfo).port}`,
		parameters: LIST,
	});
	await new Promise((resolve) => tls.close(resolve));
	expect(result.error?.message).toMatch(
		/^Could not list the webhooks: the secure connection to the service broke/,
	);
});

test.each<[string, object, RegExp]>([
	['no base URL', { baseUrl: '' }, /Base URL in the credential is empty/],
	[
		'a path traversal in the base URL',
		{ baseUrl: 'https://example.com/a/../b' },
		/must not hold "." or ".."/,
	],
])('refuses %s before anything is sent', async (_name, credential, message) => {
	const result = await runInEngine({
		baseUrl: 'unused',
		credential: { ...credential },
		parameters: LIST,
	});
	expect(result.error?.message).toMatch(message);
});

test.each<[string, object, RegExp]>([
	[
		'an id of ..',
		{ ...DELETE, webhookId: byId('={{ ".." }}') },
		/"Webhook" is not an ID of the service: "\.\."/,
	],
	['an empty channel', { ...SEND, channelId: byId('={{ "" }}') }, /"Channel" is empty/],
	['an empty recipient', { ...SEND, recipient: '={{ " " }}' }, /"Recipient" is empty/],
	['an empty text', { ...SEND, text: '={{ "" }}' }, /"Text" is empty/],
	[
		'no events',
		{ ...CREATE, events: '={{ [] }}' },
		/"Events" cannot be used. Choose at least one event/,
	],
	['half a URL', { ...CREATE, url: 'example.com/x' }, /"URL" cannot be used. Enter a whole URL/],
	[
		'a list as custom attributes',
		{ ...CREATE, additionalFields: { customAttributes: '["support"]' } },
		/"Custom Attributes" cannot be used. Enter an object/,
	],
	[
		'an empty token',
		{ ...CREATE, additionalFields: { auth: { value: { type: 'BEARER', token: '' } } } },
		/"Authentication" cannot be used. Fill in its "Token"/,
	],
	[
		'a text for signing',
		{ ...CREATE, additionalFields: { signing: '={{ "maybe" }}' } },
		/"Signing" cannot be used. Enter true or false/,
	],
	[
		'a status of its own',
		{ ...DELETE, operation: 'update', updateFields: { status: '={{ "ASLEEP" }}' } },
		/"Status" cannot be used. Choose a value from the list/,
	],
	[
		'broken custom attributes',
		{ ...CREATE, additionalFields: { customAttributes: '{' } },
		/"Custom Attributes" is not valid JSON/,
	],
	[
		'nothing to update',
		{ ...DELETE, operation: 'update', updateFields: {} },
		/"Update Fields" is empty/,
	],
])('refuses %s from the input by name, and sends nothing', async (_name, parameters, message) => {
	const { error, requests } = await failWith(parameters, (response) =>
		respondJson(response, 200, {}),
	);
	expect(error?.message).toMatch(message);
	expect(requests).toHaveLength(0);
});
