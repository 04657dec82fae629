/** A template that takes a message's place when, and only when, the window is closed. */
import type { IDataObject } from 'n8n-workflow';

import { listed } from '../unit/service/template/samples.mts';
import { byId, CHANNEL } from '../support/constants.mts';
import { runInEngine } from './harness/engine.mts';
import { startTemplateService } from './harness/templateService.mts';

const WAITING = listed([{ type: 'BODY', text: 'Hello {{1}}, we have news for you.' }], {
	name: 'we_have_news',
});
const CLOSED: [number, object] = [422, { error: 422, message: 'Conversation window is closed' }];
const TEXT = { operation: 'sendText', text: 'Your shoes are here' };
const INSTEAD = {
	whenWindowClosed: 'sendTemplate',
	fallbackTemplate: { __rl: true, mode: 'list', value: 'we_have_news/en_US' },
	fallbackVariables: {
		mappingMode: 'defineBelow',
		value: { 'body.1': '={{ $json.name }}' },
		schema: [{ id: 'body.1', displayName: 'Body 1', type: 'string', required: false }],
	},
};

let service: Awaited<ReturnType<typeof startTemplateService>>;
afterEach(async () => await service.close());

async function send(entered: IDataObject, respond: (type: string) => [number, object] | undefined) {
	service = await startTemplateService({
		businesses: { b1: [WAITING] },
		businessId: 'b1',
		onMessage: ({ type }) => respond(type),
	});
	const { items, error } = await runInEngine({
		baseUrl: service.url,
		parameters: {
			resource: 'message',
			channelId: byId(CHANNEL),
			recipient: '5500000000101',
			...entered,
		},
		input: [{ json: { name: 'Ana' } }],
	});
	return { output: items.map(({ json }) => json), error };
}
const kinds = () => service.sent().map((content) => (content as { type: string }).type);
const closedForTexts = (type: string) => (type === 'TEMPLATE' ? undefined : CLOSED);

it.each<[string, IDataObject]>([
	['a text', TEXT],
	['a file', { operation: 'sendMedia', mediaUrl: 'https://files.example/a.png' }],
	[
		'buttons',
		{ operation: 'sendButtons', text: 'Well?', replyButtons: { values: [{ title: 'Yes' }] } },
	],
	['a contact', { operation: 'sendContact', contactName: 'Bo', contactPhones: ['5500000000102'] }],
	['another kind', { operation: 'sendOther', content: '{"type":"POLL"}' }],
])('takes the place of %s', async (_what, entered) => {
	const { output, error } = await send({ ...entered, ...INSTEAD }, closedForTexts);
	expect(error).toBeUndefined();
	expect(kinds()).toEqual([expect.any(String), 'TEMPLATE']);
	const to = { channelId: CHANNEL, recipient: '5500000000101' };
	const as = { sentAs: 'template', text: 'Hello Ana, we have news for you.' };
	expect(output).toEqual([{ messageId: expect.any(String), ...to, ...as }]);
});

it('with an empty variable, nothing is sent, whatever the window', async () => {
	const fallbackVariables = { ...INSTEAD.fallbackVariables, value: { 'body.1': '' } };
	const { error } = await send({ ...TEXT, ...INSTEAD, fallbackVariables }, () => undefined);
	expect(error?.message).toMatch(/"Body 1" is empty/);
	expect(kinds()).toEqual([]);
});

it('a template of Send Other has none', async () => {
	const content = '{"type":"TEMPLATE","attachments":[]}';
	await send({ operation: 'sendOther', content, ...INSTEAD }, () => CLOSED);
	expect(kinds()).toEqual(['TEMPLATE']);
	expect(service.reads()).toEqual([]);
});
