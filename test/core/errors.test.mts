/**
 * Failures in n8n's own engine: what the service, the network and the input did becomes the error's
 * words. The words of each kind of response are tested in test/unit/service/errors.
 */
import { createServer, type RequestListener, type ServerResponse } from 'node:http';
import { createServer as createTlsServer } from 'node:tls';
import type { AddressInfo, Server } from 'node:net';

import { byId, CHANNEL, SECRET_KEY } from '../support/constants.mts';
import { runInEngine } from './harness/engine.mts';
import { respondJson, startScriptedService } from './harness/scriptedService.mts';

const channelId = byId(CHANNEL);
const SEND = {
	...{ resource: 'message', operation: 'sendText', channelId },
	...{ recipient: '5511999990000', text: 'Hello' },
};
const LIST = { resource: 'webhook', operation: 'getAll', channelId, returnAll: true };
type Respond = (response: ServerResponse) => void;

async function failWith(parameters: object, respond: Respond) {
	const service = await startScriptedService((_request, response) => respond(response));
	try {
		const result = await runInEngine({ baseUrl: service.url, parameters: { ...parameters } });
		expect(result.record).not.toContain(SECRET_KEY);
		return { ...result, requests: service.requests };
	} finally {
		await service.close();
	}
}

const json =
	(status: number, body: unknown, headers = {}): Respond =>
	(response) =>
		respondJson(response, status, body, headers);
const A = (status: number, message: string) => json(status, { error: status, message });
const page =
	(status: number, body: string): Respond =>
	(response) =>
		response.writeHead(status, { 'content-type': 'text/html' }).end(body);

test.each<[string, object, Respond, RegExp]>([
	['wrong JSON', LIST, page(200, '[{"id":'), /unexpected form: .*Base URL/],
	[
		'a lost connection to send',
		SEND,
		(response) => response.socket?.destroy(),
		/^Could not tell whether the text was sent to 5511999990000: the connection was lost before the service answered\. /,
	],
	[
		'no response in time',
		{ ...SEND, options: { timeout: 300 } },
		() => undefined,
		/^Could not tell whether the text was sent to 5511999990000: no response within 0\.3 s\. .*It may have been sent, so the node does not send it again/,
	],
])('says what happened and what to do: %s', async (_name, parameters, respond, words) => {
	const { error, requests } = await failWith(parameters, respond);
	expect(`${error?.message}. ${error?.description}`).toMatch(words);
	expect(requests).toHaveLength(1);
});

test('follows no redirect to another host, so the key stays with the service', async () => {
	const other = await startScriptedService((_request, response) => respondJson(response, 200, []));
	const { error } = await failWith(LIST, (response) =>
		response.writeHead(302, { location: `${other.url}/v1/webhooks` }).end(),
	);
	await other.close();
	expect(error?.message).toMatch(/answered with a redirect, which is not followed/);
	expect(other.requests).toHaveLength(0);
});

test('names the recipient of a question that could not be sent, also in its failed item', async () => {
	const service = await startScriptedService((_request, response) =>
		A(422, 'Conversation window is closed')(response),
	);
	const ask = async (message: string) =>
		await runInEngine({
			baseUrl: service.url,
			parameters: { ...SEND, operation: 'sendAndWait', message },
			settings: { onError: 'continueRegularOutput' },
		});
	const [refused] = (await ask('May we?')).items;
	const [empty] = (await ask('={{ " " }}')).items;
	await service.close();
	const target = { recipient: '5511999990000', channelId: CHANNEL };
	expect(refused?.json).toMatchObject({
		...target,
		error: expect.stringMatching(/^Could not send the buttons to 5511999990000: /) as string,
		details: { reason: 'window_closed' },
	});
	expect(empty?.json).toMatchObject({ ...target, details: { reason: 'invalid_input' } });
});

/** Runs the node against an address at which this server listens, or did. */
async function failAt(scheme: string, server: Server, isOpen: boolean) {
	const close = async () => await new Promise((resolve) => server.close(resolve));
	await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
	const { port } = server.address() as AddressInfo;
	if (!isOpen) await close();
	const baseUrl = `${scheme}://127.0.0.1:${port}`;
	const { error } = await runInEngine({ baseUrl, parameters: SEND });
	if (isOpen) await close();
	return `${error?.message}. ${error?.description}`;
}
const answers: RequestListener = (_request, response) => respondJson(response, 200, []);

test('distinguishes an unknown host, a closed port, a server without TLS, and a broken handshake', async () => {
	expect(await failAt('http', createServer(answers), false)).toMatch(
		/^Could not send the text to 5511999990000: nothing listens at the address of the service\. .*host and port in the Base URL/,
	);
	expect(await failAt('https', createServer(answers), true)).toMatch(
		/^Could not send the text to 5511999990000: no secure connection to the service \(\w+\)/,
	);
	expect(await failAt('https', createTlsServer({}), true)).toMatch(
		/: the secure connection to the service broke/,
	);
	const unknown = await runInEngine({ baseUrl: 'http://service.invalid', parameters: SEND });
	expect(unknown.error?.message).toMatch(
		/^Could not send the text to 5511999990000: the host name of the service (is unknown|could not be looked up)$/,
	);
});

test('refuses a wrong Base URL before anything is sent', async () => {
	for (const [baseUrl, words] of [
		['', /Base URL in the credential "Test" is empty/],
		['https://example.com/a/../b', /must not hold "." or ".."/],
	] as const)
		expect((await runInEngine({ baseUrl, parameters: LIST })).error?.message).toMatch(words);
});
