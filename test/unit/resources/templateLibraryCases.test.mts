/** A template of the library: what its fields become, and what is refused before it is sent. */
import type { IDataObject } from 'n8n-workflow';

import { byId } from '../../support/constants.mts';
import { run } from './actionNode.mts';

const answer = () => ({ body: { id: '7', status: 'APPROVED' } });
const NEW = { name: 'order', language: 'en_US', category: 'UTILITY' };
const businessId = byId('b1');
const create = async (fields: object) => {
	const { sent } = await run(
		{
			...{ resource: 'template', operation: 'create', definition: 'library', businessId },
			...{ ...NEW, libraryTemplate: { __rl: true, mode: 'list', value: 'delivery_1' }, ...fields },
		},
		{ answer },
	);
	return sent[0]?.body;
};
const buttons = (...values: object[]) => ({ libraryButtons: { values } });
const LINK = { type: 'url', url: 'https://a.example/o/{{1}}', urlExample: '1042' };
const SENT_LINK = {
	type: 'URL',
	url: {
		base_url: 'https://a.example/o/{{1}}',
		url_suffix_example: 'https://a.example/o/1042',
	},
};
const json = (inputs: object) => ({ libraryInputs: JSON.stringify(inputs) });
const asButtons = (...all: object[]) => ({ library_template_button_inputs: all });

test.each<[string, IDataObject, object]>([
	['nothing else', {}, {}],
	['a name that was typed', { libraryTemplate: 'delivery_1' }, {}],
	[
		'switches of its body',
		{ libraryBody: { addContactNumber: true, addLearnMoreLink: false, codeExpirationMinutes: 5 } },
		{
			library_template_body_inputs: [
				{ add_contact_number: true, add_learn_more_link: false, code_expiration_minutes: 5 },
			],
		},
	],
	[
		'a link and a phone',
		buttons(LINK, { type: 'phone', phone: '+55 11 98888-0000' }),
		asButtons(SENT_LINK, { type: 'PHONE_NUMBER', phone_number: '+5511988880000' }),
	],
	[
		'a whole address as example, a link without a variable, and a call',
		buttons(
			{ ...LINK, urlExample: 'https://a.example/o/1042' },
			{ url: 'https://a.example' },
			{ type: 'voiceCall' },
		),
		asButtons(
			SENT_LINK,
			{ type: 'URL', url: { base_url: 'https://a.example' } },
			{ type: 'VOICE_CALL' },
		),
	],
	[
		'JSON in place of the fields',
		{
			...buttons(LINK),
			libraryBody: { addContactNumber: true },
			libraryInputs: { ...asButtons(SENT_LINK), name: 'not this' },
		},
		{ ...asButtons(SENT_LINK), library_template_body_inputs: [{ add_contact_number: true }] },
	],
	[
		'JSON with an address as text, a number with signs, and one object',
		json({
			...asButtons(
				{ type: 'URL', url: 'https://a.example' },
				{ type: 'PHONE_NUMBER', phone_number: '5511988880000' },
			),
			library_template_body_inputs: { add_contact_number: true },
		}),
		{
			...asButtons(
				{ type: 'URL', url: { base_url: 'https://a.example' } },
				{ type: 'PHONE_NUMBER', phone_number: '+5511988880000' },
			),
			library_template_body_inputs: [{ add_contact_number: true }],
		},
	],
	[
		'a lifetime',
		{ additionalFields: { messageSendTtlSeconds: '600' } },
		{ message_send_ttl_seconds: 600 },
	],
])('%s is created exactly as published', async (_what, fields, sent) => {
	expect(await create(fields)).toEqual({ ...NEW, library_template_name: 'delivery_1', ...sent });
});

test.each<[IDataObject, RegExp]>([
	[{ libraryTemplate: '' }, /"Library Template"/],
	[{ libraryInputs: '[]' }, /"Library Inputs" is no object/],
	[{ libraryInputs: '{' }, /"Library Inputs" is not/],
	[{ libraryBody: { codeExpirationMinutes: 91 } }, /"Code Expiration \(Minutes\)".* 1 to 90/],
	[
		buttons({ ...LINK, urlExample: '' }),
		/^Button 1 of "Library Buttons" has no example.*"URL Example"/,
	],
	[buttons({ type: 'url' }), /^"URL" of Button 1 of "Library Buttons" is not a URL/],
	[
		buttons(LINK, { type: 'phone', phone: '11 98888-0000' }),
		/^Button 2 of "Library Buttons".*country/,
	],
	[
		json(asButtons({ type: 'URL', url: 'https://a.example/{{1}}' })),
		/Button 1 of "Library Inputs" has no example.*"url_suffix_example"/,
	],
])('%j is refused before anything is sent, by its name', async (fields, words) => {
	await expect(create(fields)).rejects.toThrow(words);
});
