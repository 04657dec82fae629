import type { IExecuteFunctions } from 'n8n-workflow';

import { CHAT_LIMITS, type SendContent } from '../../service/contract';
import { numberField, switchField, textField } from '../../shared/node/fields';
import { numberIn } from '../../shared/texts/numbers';
import { readOption, readWords, requireFilled, wholeNumberOf } from '../../shared/node/parameters';
import { checkLength, splitText } from './content/splitText';
import { toChatMarks } from './content/markdown';
import { sendOperation } from './batch/sendOperation';

/** What a text begins with between tags of reasoning. Of the first two, a model can be cut off. */
const REASONING =
	/^(?:\s*(?:<(think|thinking)>[^]*?(?:<\/\1>|$)|<(reason|reasoning|reflection|analysis|scratchpad|thought)>[^]*?<\/\2>|<\|begin_of_thought\|>[^]*?(?:<\|end_of_thought\|>|$)|◁think▷[^]*?(?:◁\/think▷|$)))+/i;
/** The rest of reasoning whose tag was opened before. */
const OPENED = /^(?:(?!<think(?:ing)?>)[^])*?<\/think(?:ing)?>/i;
/** Some models' first tag is in the prompt. Their last one ends its line. */
const UNOPENED = /^(?:(?!<think(?:ing)?>)[^])*?<\/think(?:ing)?>(?=\s*(?:\n|$))/i;
const IS_NESTED = /<think(?:ing)?>[^]*<think(?:ing)?>/i;

/** A model's text without the reasoning that it begins with. Linear in the length of the text. */
export const withoutReasoning = (text: string): string => {
	const opened = text.replace(REASONING, '');
	const removed = text.slice(0, text.length - opened.length);
	const rest = IS_NESTED.test(removed) ? opened.replace(OPENED, '') : opened;
	const spoken = removed === '' ? text.replace(UNOPENED, '') : rest;
	return spoken === text ? text : spoken.trimStart();
};

const DEFAULT_LENGTH = CHAT_LIMITS.text;
const MAX_LENGTH = { label: 'Max Length', fallback: DEFAULT_LENGTH, least: 100 };

export const sendText = sendOperation({
	name: 'Send Text',
	value: 'sendText',
	action: 'Send text message',
	description: 'Send a free-form text to a customer',
	names: 'texts',
	fields: [
		textField('Text', 'text', {
			typeOptions: { rows: 4 },
			required: true,
			placeholder: 'e.g. Hello! How can we help?',
			description:
				'The text to send. For text from a language model, add the option Convert Markdown.',
		}),
	],
	options: [
		switchField('Convert Markdown', 'convertMarkdown', {
			description:
				'Whether to turn Markdown, as language models write it, into the formatting of the chat, and to leave out the reasoning that they begin with. A text longer than Max Length is sent as several messages.',
		}),
		numberField('Max Length', 'maxLength', {
			typeOptions: { minValue: MAX_LENGTH.least },
			default: DEFAULT_LENGTH,
			description:
				'Maximum number of characters in a message. A longer text is sent as several messages, split at paragraphs if possible.',
		}),
	],
	// Its text comes from a language model.
	toolDefaults: { convertMarkdown: true },
	read: (context, index) => {
		const words = readWords(context, 'text', 'Text', index);
		const convert = readOption(context, 'convertMarkdown', index) === true;
		const text = convert ? requireFilled(withoutReasoning(words), '"Text"', ONLY_REASONING) : words;
		const most = readMaxLength(context, index);
		const messages = messagesOf(text, convert, most).map((part) => contentOf(part));
		const [content = contentOf(text), ...others] = messages;
		return others.length > 0 ? { contents: messages } : { content };
	},
});

const ONLY_REASONING = 'It has nothing but reasoning of a model. Let the model write an answer.';
const TO_SPLIT = 'Shorten it, or add the option "Max Length", which sends it as several messages.';

const contentOf = (message: string): SendContent => ({ type: 'TEXT', body: { message } });

function readMaxLength(context: IExecuteFunctions, index: number): number | undefined {
	const given = readOption(context, 'maxLength', index);
	if (given === undefined) return undefined;
	return wholeNumberOf(numberIn(context, 'options.maxLength', '"Max Length"', given), MAX_LENGTH);
}

/** The messages of a text: only the text itself if neither option is added. */
function messagesOf(text: string, isConverted: boolean, maxLength: number | undefined): string[] {
	if (!isConverted && maxLength === undefined) {
		checkLength(contentOf(text), '"Text"', TO_SPLIT);
		return [text];
	}
	const most = maxLength ?? DEFAULT_LENGTH;
	const converted = isConverted ? toChatMarks(text) : text;
	// Text that is only markup can come out empty.
	const messages = splitText(converted.trim() ? converted : text, most);
	if (messages.some(({ length }) => length > CHAT_LIMITS.text))
		throw new Error(
			`"Max Length" is ${most}. A message has room for ${CHAT_LIMITS.text} characters. Enter at most ${CHAT_LIMITS.text}.`,
		);
	return messages;
}
