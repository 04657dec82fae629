/** An identifier that came as a number beyond 2^53 is another one. Nothing is asked with it. */
import { CHANNEL, WEBHOOK } from '../../support/constants.mts';
import { run } from './actionNode.mts';

/** As an expression gives it: JavaScript has no other number here. */
const ROUNDED = Number('17841400000000101');
const AS_JSON = '17841400000000101';

const connection = { connectionData: 'fields', channelId: CHANNEL, coexistence: false };
const connect = { resource: 'channel', operation: 'connect' };
const webhook = { resource: 'webhook', operation: 'create', channelId: CHANNEL };
const url = { url: 'https://example.com', events: ['BLOCK'] };
const message = { resource: 'message', channelId: CHANNEL, recipient: '5511999990000' };
const byName = { template: { __rl: true, mode: 'name', value: 'hi' }, languageCode: 'en_US' };
const template = { resource: 'template', businessId: '1', name: 'hi', language: 'en_US' };
const definition = { operation: 'create', category: 'UTILITY', definition: 'json' };
const catalog = (id: unknown) => [{ type: 'button', index: 0, parameters: [{ id }] }];
/** As a number, and as a text that holds it. */
const bothOf = (make: (id: unknown) => unknown) => [
	make(ROUNDED),
	JSON.stringify(make('*')).replace('"*"', AS_JSON),
];

test.each<[field: string, parameters: object]>([
	[
		'Phone Number ID (phoneId)',
		{ ...connect, ...connection, wabaId: '1', phoneId: ROUNDED, code: 'c' },
	],
	['Business Account ID (wabaId)', { ...connect, ...connection, wabaId: ROUNDED, code: 'c' }],
	['Code', { ...connect, ...connection, wabaId: '1', phoneId: '2', code: -ROUNDED }],
	...bothOf((id) => ({ channelId: CHANNEL, data: { waba_id: id } })).map(
		(sdkObject): [string, object] => [
			'SDK Object',
			{ ...connect, connectionData: 'object', sdkObject },
		],
	),
	['Channel', { resource: 'channel', operation: 'get', channelId: ROUNDED }],
	[
		'Webhook',
		{ ...webhook, operation: 'delete', webhookId: { __rl: true, mode: 'id', value: ROUNDED } },
	],
	['Business Account', { resource: 'template', operation: 'getAll', businessId: ROUNDED }],
	['Template', { ...template, operation: 'delete', templateId: ROUNDED }],
	...bothOf((id) => ({ id })).flatMap((customAttributes): Array<[string, object]> => [
		['Custom Attributes', { ...webhook, ...url, additionalFields: { customAttributes } }],
		[
			'Custom Attributes',
			{ ...webhook, operation: 'update', webhookId: WEBHOOK, updateFields: { customAttributes } },
		],
	]),
	...bothOf((id) => ({ type: 'PRODUCT', body: { id } })).map((content): [string, object] => [
		'Content',
		{ ...message, operation: 'sendOther', content },
	]),
	...['1e400', '[-1e400]'].map((id): [string, object] => [
		'Content',
		{ ...message, operation: 'sendOther', content: `{"type": "PRODUCT", "body": {"id": ${id}}}` },
	]),
	...bothOf(catalog).flatMap((additionalComponents): Array<[string, object]> => [
		[
			'Additional Components',
			{ ...message, operation: 'sendTemplate', ...byName, additionalComponents },
		],
		[
			'Additional Components',
			{
				...{ ...message, operation: 'sendText', text: 'Hi', whenWindowClosed: 'sendTemplate' },
				...{ fallbackTemplate: byName.template, fallbackLanguageCode: 'en_US' },
				fallbackAdditionalComponents: additionalComponents,
			},
		],
	]),
	...bothOf((id) => [{ type: 'BODY', text: 'Hi', id }]).map((components): [string, object] => [
		'Components',
		{ ...template, ...definition, components },
	]),
	[
		'Template',
		{
			...message,
			operation: 'sendTemplate',
			...byName,
			template: { ...byName.template, value: ROUNDED },
		},
	],
	[
		'ID" of button 1',
		{
			...{ ...message, operation: 'sendButtons', text: 'Hi' },
			replyButtons: { values: [{ id: ROUNDED, title: 'Yes' }] },
		},
	],
	[
		'Send Once Key',
		{ ...message, operation: 'sendText', text: 'Hi', options: { sendOnceKey: ROUNDED } },
	],
])('are refused in "%s", unsent', async (field, parameters) => {
	const answer = jest.fn(() => ({ body: {} }));
	await expect(run({ ...parameters }, { answer })).rejects.toThrow(
		`"${field}${field.includes('"') ? '' : '"'} has lost digits: n8n rounds a number this long.`,
	);
	expect(answer).not.toHaveBeenCalled();
});

test('the largest integers that are whole leave as they are', async () => {
	const id = Number.MAX_SAFE_INTEGER;
	const { sent } = await run({
		...{ ...message, operation: 'sendOther' },
		content: `{"type": "PRODUCT", "id": ${id}, "text": "${AS_JSON}"}`,
	});
	expect(sent).toMatchObject([{ body: { content: { id, text: AS_JSON } } }]);
});

test('JSON that holds itself ends', async () => {
	const content: Record<string, unknown> = { type: 'PRODUCT' };
	content.self = content;
	await expect(
		run({ ...message, operation: 'sendOther', content: () => content }),
	).rejects.toBeDefined();
});
