import type { IExecuteFunctions } from 'n8n-workflow';

import type { Content } from '../../service/messages';
import { readWholeNumber, readWords } from '../../shared/parameters';
import { asPlainObject } from '../../shared/plainObject';
import { toChatMarks } from './markdown';
import { sendingOperation } from './sending';
import { splitText } from './splitText';

/** Characters of a text that the chat application takes. */
const DEFAULT_LENGTH = 4096;
const LEAST_LENGTH = 100;

export const sendText = sendingOperation({
	option: {
		name: 'Send Text',
		value: 'sendText',
		action: 'Send text message',
		description: 'Send a free-form text to a customer who wrote within the last 24 hours',
	},
	names: 'texts',
	notice:
		"A text can be sent only within 24 hours of the customer's last message: later, use Send Template",
	fields: [
		{
			displayName: 'Text',
			name: 'text',
			type: 'string',
			typeOptions: { rows: 4 },
			default: '',
			required: true,
			placeholder: 'e.g. Hello! How can we help?',
			description:
				'Sent exactly as it stands here, unless an option says otherwise. For what a language model writes, add the option Convert Markdown.',
		},
	],
	options: [
		{
			displayName: 'Convert Markdown',
			name: 'convertMarkdown',
			type: 'boolean',
			default: false,
			description:
				"Whether to turn Markdown, as language models write it, into the chat's own marks: bold, italic, strike, code and lists. Links become their words and address, tables their rows. A text that is longer than Max Length is sent as several messages.",
		},
		{
			displayName: 'Max Length',
			name: 'maxLength',
			type: 'number',
			typeOptions: { minValue: LEAST_LENGTH },
			default: DEFAULT_LENGTH,
			description:
				'How many characters a message holds at most. A longer text is sent as several, one after the other: split at paragraphs, else at lines, sentences or words.',
		},
	],
	read: (context, index) => {
		const text = readWords(context, 'text', 'Text', index);
		const messages = messagesOf(context, text, index).map(contentOf);
		const [content = contentOf(text), ...others] = messages;
		return others.length > 0 ? messages : { content };
	},
});

const contentOf = (message: string): Content => ({ type: 'TEXT', body: { message } });

/** What is sent for a text: itself, while none of the options is there. */
function messagesOf(context: IExecuteFunctions, text: string, index: number): string[] {
	const { convertMarkdown, maxLength } = asPlainObject(context.getNode().parameters.options);
	const isConverted =
		convertMarkdown !== undefined &&
		context.getNodeParameter('options.convertMarkdown', index, false) === true;
	if (!isConverted && maxLength === undefined) return [text];
	const most = readWholeNumber(
		{ maxLength: context.getNodeParameter('options.maxLength', index, DEFAULT_LENGTH) },
		'maxLength',
		{ label: 'Max Length', fallback: DEFAULT_LENGTH, least: LEAST_LENGTH },
	);
	const converted = isConverted ? toChatMarks(text) : text;
	// Of signs alone, nothing may be left.
	return splitText(converted.trim() ? converted : text, most);
}
