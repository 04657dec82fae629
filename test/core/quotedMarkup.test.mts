/**
 * Outside text never becomes markup in n8n's editor, which shows descriptions and hints as HTML.
 */
import type { IDataObject, INode } from 'n8n-workflow';

import { runInEngine } from './harness/engine.mts';
import { respondJson, startScriptedService } from './harness/scriptedService.mts';

const MARKUP = '<a href="https://x.example">Session over: sign in</a>';
const ESCAPED = '&lt;a href="https://x.example"&gt;Session over: sign in&lt;/a&gt;';
/** What a browser reads as the start of a tag or a comment, or as an entity that hides one. */
const LIVE = /<[a-z/!?]/i;

const CHANNEL = { __rl: true, mode: 'id', value: 'A'.repeat(32) };
const TEXT = { resource: 'message', operation: 'sendText', channelId: CHANNEL, text: MARKUP };
const OPERATIONS: Record<string, IDataObject> = {
	'a text': { ...TEXT, recipient: MARKUP },
	'a file': {
		...TEXT,
		operation: 'sendMedia',
		recipient: MARKUP,
		mediaType: 'image',
		source: 'url',
		mediaUrl: 'https://example.com/a.png',
		caption: MARKUP,
	},
	'a question': {
		...TEXT,
		operation: 'sendAndWait',
		recipient: MARKUP,
		message: MARKUP,
		askIn: 'link',
	},
	'a channel': { resource: 'channel', operation: 'create', name: MARKUP, type: MARKUP },
	'a webhook': { resource: 'webhook', operation: 'getAll', channelId: CHANNEL, returnAll: true },
};

const run = async (
	parameters: IDataObject,
	status: number,
	body: object,
	settings: Partial<INode> = {},
) => {
	const service = await startScriptedService((_request, response) =>
		// A 429 without a time is waited for, a minute long. This time is too long to be.
		respondJson(response, status, body, status === 429 ? { 'retry-after': '3600' } : {}),
	);
	try {
		return await runInEngine({ baseUrl: service.url, parameters, settings });
	} finally {
		await service.close();
	}
};

const D = { errors: [{ message: MARKUP, description: `More: ${MARKUP}`, code: MARKUP }] };
const BODIES: Array<[string, number, object]> = [
	...[400, 401, 403, 404, 405, 418, 422, 429, 500, 501, 502, 503, 504].map(
		(status): [string, number, object] => [`${status}`, status, { error: status, message: MARKUP }],
	),
	['a missing role', 422, { error: `This action requires ENTERPRISE role ${MARKUP}` }],
	['a closed window', 422, { error: 422, message: `Conversation window is closed ${MARKUP}` }],
	['a refused key', 400, { error: `Authorization invalid ${MARKUP}` }],
	['a refused address', 400, { error: `ip not allowed ${MARKUP}` }],
	['media', 400, { timestamp: 1, code: 400, message: MARKUP, subCode: 'MEDIA_TOO_LARGE' }],
	['a template', 422, { error: D }],
	['a list of errors', 422, { error: MARKUP, value: D }],
	['no shape', 502, { [MARKUP]: 1 }],
	['an unexpected success', 200, { [MARKUP]: 1 }],
];

describe.each(Object.entries(OPERATIONS))('%s', (_name, parameters) => {
	test.each(BODIES)('%s: the description quotes it as text', async (_case, status, body) => {
		const { error } = await run(parameters, status, body);
		expect(error?.description ?? '').not.toMatch(LIVE);
	});
});

test('a recipient with markup is raw in the message, and escaped in the description', async () => {
	const refusal = { error: 500, message: 'Oops' };
	const { error } = await run({ ...TEXT, recipient: MARKUP }, 500, refusal);
	expect(error?.description).toContain('"Retry On Fail"');
	expect(error?.description).not.toMatch(LIVE);
	expect(error?.message).toContain(MARKUP);
});

test("the description quotes the service's words as text", async () => {
	const { error } = await run(OPERATIONS['a webhook']!, 401, { error: 401, message: MARKUP });
	expect(error?.description).toContain(`The service said: "${ESCAPED}".`);
	expect(error?.context?.data).toMatchObject({ serviceMessage: MARKUP });
});

test('entities in outside text stay what they are', async () => {
	const words = '&lt;a href=x&gt; & more';
	const { error } = await run(OPERATIONS['a webhook']!, 401, { error: 401, message: words });
	expect(error?.description).toContain('"&amp;lt;a href=x&amp;gt; &amp; more"');
});

test('items hold outside text unchanged', async () => {
	const { items } = await run(
		{ ...TEXT, recipient: MARKUP },
		422,
		{ error: 422, message: MARKUP },
		{ onError: 'continueRegularOutput' },
	);
	expect(items[0]?.json).toMatchObject({
		error: expect.stringContaining(MARKUP),
		recipient: MARKUP,
		details: { serviceMessage: MARKUP },
	});
});

test('a hint names people as text', async () => {
	const service = await startScriptedService(({ body }, response) =>
		body.includes('sign in')
			? respondJson(response, 422, { error: 422, message: MARKUP })
			: respondJson(response, 200, { messageId: 'M' }),
	);
	const result = await runInEngine({
		baseUrl: service.url,
		parameters: {
			...OPERATIONS['a question'],
			recipient: '5511999990000',
			message: 'May we?',
			options: { approvers: [MARKUP] },
			approvers: [MARKUP],
		},
	});
	await service.close();
	expect(result.hints).toHaveLength(1);
	for (const { message } of result.hints) {
		expect(message).not.toMatch(LIVE);
		expect(message).toContain(ESCAPED);
	}
});
