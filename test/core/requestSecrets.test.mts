/** What a request carries is a secret of that request, whichever way a service repeats it. */
import type { ServerResponse } from 'node:http';

import { byId, CHANNEL } from '../support/constants.mts';
import { shownForm } from '../support/secrets.mts';
import { runInEngine } from './harness/engine.mts';
import { respondJson, startScriptedService } from './harness/scriptedService.mts';

const channelId = byId(CHANNEL);
/** In no other text, and with what encodings change. */
const SECRET = 'of+this/request=7f3a&only"';
const SIGNATURE = '7f3ab1'.repeat(10);
const link = `https://n8n.example/webhook-waiting/1/n?approved=true&signature=${SIGNATURE}`;

const ECHOES: Array<[string, (sent: string) => string]> = [
	['as it was sent', (sent) => sent],
	['as JSON in JSON', (sent) => JSON.stringify(sent)],
	['escaped in part', (sent) => sent.replaceAll('=', '\\u003d')],
	['percent-encoded', encodeURIComponent],
	['in base64', (sent) => Buffer.from(sent).toString('base64')],
	['as HTML', (sent) => sent.replaceAll('&', '&amp;').replaceAll('=', '&#61;')],
];
const RESPONSES: Array<(response: ServerResponse, echo: string) => void> = [
	(response, echo) => respondJson(response, 500, { error: 500, message: `Failed for ${echo}` }),
	(response, echo) => respondJson(response, 422, { errors: [{ description: `No ${echo}` }] }),
	(response, echo) => respondJson(response, 400, { [echo]: true }),
	(response, echo) => void response.writeHead(502).end(`Failed for ${echo}`),
	(response, echo) => void response.writeHead(200).end(`Failed for ${echo}`),
];

const create = {
	...{ resource: 'webhook', operation: 'create', channelId },
	...{ url: 'https://example.com', events: ['CONNECTED'] },
};
const withAuth = (value: object) => ({ ...create, additionalFields: { auth: { value } } });
const send = { resource: 'message', operation: 'sendText', channelId, recipient: '5511999990000' };
const file = { data: Buffer.from('OggS').toString('base64'), mimeType: 'audio/ogg', fileName: 'a' };

test.each<[string, object]>([
	['a token', withAuth({ type: 'BEARER', token: SECRET })],
	['a key', withAuth({ type: 'API_KEY', key: SECRET })],
	['a password', withAuth({ type: 'BASIC', username: 'ana', password: SECRET })],
	['a header', withAuth({ type: 'CUSTOM_HEADER', headerName: 'x-a', headerValue: SECRET })],
	[
		'a token in an update',
		{
			...{ ...create, operation: 'update', webhookId: byId(CHANNEL) },
			updateFields: { auth: { value: { type: 'BEARER', token: SECRET } } },
		},
	],
	[
		'a token of a template webhook',
		{ ...withAuth({ type: 'BEARER', token: SECRET }), resource: 'templateWebhook' },
	],
	['the link of a webhook', { ...create, url: link }],
	['a link in a text', { ...send, text: `Approve: ${link}.` }],
	[
		'a link below a file',
		{
			...{ ...send, operation: 'sendMedia', mediaType: 'image', source: 'binary' },
			...{ binaryField: 'data', caption: `Approve: ${link}` },
		},
	],
])('%s is in nothing that a failure leaves', async (_what, parameters) => {
	for (const [writing, write] of ECHOES)
		for (const respond of RESPONSES) {
			let echo = '';
			const service = await startScriptedService(({ body }, response) => {
				echo = write(body);
				respond(response, echo);
			});
			const input = [{ json: {}, binary: { data: file } }];
			const settings = { baseUrl: service.url, parameters: { ...parameters }, input };
			const { error } = await runInEngine(settings);
			await service.close();
			expect(echo).not.toBe('');
			if (respond === RESPONSES[0]) expect(error?.message).toContain('Failed for');
			const { message, description, context } = error!;
			const told = [message, description, context];
			expect([writing, shownForm(told, SECRET, SIGNATURE)]).toEqual([writing, undefined]);
			// Nor its beginning, which a cut could leave.
			expect(JSON.stringify(told)).not.toMatch(/of\+this|7f3ab17f3/);
		}
});

describe('of webhooks', () => {
	const auth = { type: 'BEARER', configured: true, token: SECRET, key: SECRET };
	const webhook = {
		...{ id: CHANNEL, url: 'https://example.com', events: ['CONNECTED'], status: 'ENABLED' },
		...{ auth, secret: SECRET, botToken: SECRET },
	};
	const itemsOf = async (parameters: object, body: unknown) => {
		const service = await startScriptedService((_request, response) =>
			respondJson(response, 200, body),
		);
		const settings = { baseUrl: service.url, parameters: { channelId, ...parameters } };
		const { items } = await runInEngine(settings);
		await service.close();
		return items.map(({ json }) => json);
	};
	const shown = { auth: { type: 'BEARER', configured: true } };

	test.each([
		['create', {}, true],
		['update', { signing: true }, true],
		['update', { description: 'Orders' }, false],
	])('%s with %j shows the secret: %s', async (operation, fields, isShown) => {
		const collection = operation === 'create' ? 'additionalFields' : 'updateFields';
		const items = await itemsOf(
			{ ...create, operation, webhookId: byId(CHANNEL), [collection]: fields },
			webhook,
		);
		expect(items).toMatchObject([{ ...shown, ...(isShown ? { secret: SECRET } : {}) }]);
		const [{ secret: _secret, ...others } = {}] = items;
		expect('secret' in items[0]!).toBe(isShown);
		expect(JSON.stringify(others)).not.toContain(JSON.stringify(SECRET).slice(1, -1));
	});
});
