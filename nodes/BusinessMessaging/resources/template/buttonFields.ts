import type { IDisplayOptions, INodeProperties } from 'n8n-workflow';
import { textField, choiceField } from '../../shared/node/fields';

const of = (...types: string[]): IDisplayOptions => ({ show: { type: types } });

/** Of a row of *Buttons*, and of *Library Buttons*. */
export const buttonUrlField = textField('URL', 'url', {
	placeholder: 'e.g. https://example.com/orders/{{1}}',
	displayOptions: of('url'),
	description: 'The address that it opens. It can end in one variable.',
});
export const phoneField = textField('Phone Number', 'phone', {
	placeholder: 'e.g. +55 11 98888-0000',
	displayOptions: of('phone'),
	description: 'The number that it calls, with + and its country code',
});

/** A row of *Buttons*. */
export const templateButtonFields: INodeProperties[] = [
	choiceField('Type', 'type', {
		options: {
			copyCode: 'Copy Code',
			url: 'Link',
			phone: 'Phone',
			quickReply: 'Quick Reply',
			voiceCall: 'Voice Call',
		},
		default: 'quickReply',
		description: 'What a tap on it does',
	}),
	textField('Text', 'text', {
		placeholder: 'e.g. Track it',
		displayOptions: of('quickReply', 'url', 'phone', 'voiceCall'),
		description: 'The words on the button, up to 25 characters',
	}),
	buttonUrlField,
	phoneField,
	textField('Example', 'example', {
		placeholder: 'e.g. 1042',
		displayOptions: of('url', 'copyCode'),
		description: "A code, or what stands in place of the URL's variable",
	}),
];
