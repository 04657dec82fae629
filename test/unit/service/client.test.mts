import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';

import { listChannels } from '../../../nodes/BusinessMessaging/service/channels.ts';
import { createServiceClient } from '../../../nodes/BusinessMessaging/service/client.ts';
import { toNodeError } from '../../../nodes/BusinessMessaging/service/errors/index.ts';
import { webhookApi } from '../../../nodes/BusinessMessaging/service/webhooks.ts';

const SECRET_KEY = 'sk_live-7f3a+needle/in=haystack';
const WEBHOOK_TOKEN = 'token-of-a-webhook-registered-by-hand';
const NODE = {
	...{ id: '1', name: 'Node', type: 'test', typeVersion: 2, parameters: {} },
	position: [0, 0] as [number, number],
};

/** Everything that n8n shows and stores of a request that this response made fail. */
async function shownOf(
	statusCode: number,
	body: unknown,
	headers: IDataObject = {},
): Promise<string> {
	const context = {
		getCredentials: async () => ({
			baseUrl: 'https://api.messaging.example',
			secretKey: SECRET_KEY,
			webhookToken: WEBHOOK_TOKEN,
		}),
		helpers: { httpRequestWithAuthentication: async () => ({ statusCode, headers, body }) },
	} as unknown as IExecuteFunctions;
	const client = await createServiceClient(context);
	const failures = await Promise.all([
		listChannels(client)
			.next()
			.catch((error: unknown) => error),
		webhookApi(client, { kind: 'template' })
			.list()
			.catch((error: unknown) => error),
	]);
	for (const failure of failures) expect(failure).toBeInstanceOf(Error);
	const errors = failures.map((failure) => toNodeError(NODE, failure));
	return JSON.stringify(
		errors.map((error) => [
			error.message,
			error.description,
			error.context,
			error.messages,
			error.cause,
			error.stack,
		]),
	);
}

/** Of all writings, which secrets.test.mts has. */
const WRITINGS: Array<(secret: string) => string> = [
	(secret) => secret,
	(secret) => Buffer.from(`user:${secret}`).toString('base64url'),
];
const PLACES: Array<[place: string, status: number, body: (text: string) => unknown]> = [
	['the name of a field', 500, (text) => ({ [text]: true })],
	['the name of a field that should not be there', 200, (text) => ({ [text]: { total: 'none' } })],
	["the service's words", 422, (text) => ({ error: 422, message: `Not allowed for ${text}` })],
	["the service's words, of the second shape", 404, (text) => ({ error: `No account of ${text}` })],
	['a page of HTML', 502, (text) => `<html><b>Bad Gateway</b><pre>Authorization: ${text}</pre>`],
	['a text in place of a response', 200, (text) => `You sent ${text}`],
];

test.each(PLACES)('hides a secret in %s', async (_place, status, body) => {
	for (const write of WRITINGS)
		for (const secret of [SECRET_KEY, WEBHOOK_TOKEN]) {
			const written = write(secret);
			const shown = await shownOf(status, body(written));
			// Neither whole nor without its ends, which base64 mixes with the text around them.
			expect(shown).toContain('[hidden]');
			for (const part of [written.slice(0, 30), written.slice(8, 20), secret])
				expect(shown).not.toContain(part);
		}
});

test("quotes at most 2,000 characters of the service's message", async () => {
	const shown = await shownOf(422, { error: 422, message: `${'Too much. '.repeat(10_000)}` });
	expect(shown).toContain('Too much. Too much.');
	expect(shown.length).toBeLessThan(60_000);
});
