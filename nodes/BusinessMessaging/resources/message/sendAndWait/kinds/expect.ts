import type { IDataObject, IExecuteFunctions, INodeProperties } from 'n8n-workflow';
import { z } from 'zod';

import { choiceField, textField } from '../../../../shared/node/fields';
import { addHint } from '../../../../shared/node/hints';
import { type Expected, readValues, type ReadValue } from '../../../../shared/texts/readValue';
import { readingsOf, type Said } from '../../../../shared/texts/sameWords';
import { isDay } from '../../../../shared/texts/words';
import { textOr } from './kind';

const bound = z.union([z.number(), z.string()]).optional();
/** What an open question expects. Absent: any text. */
export const expectSchema = z.object({
	kind: z.enum(['number', 'date', 'email', 'phone']),
	least: bound,
	most: bound,
});

const display = { show: { '/responseType': ['replyInChat', 'freeText'] } };
const BOUND = 'Of a number or a date, which is entered as YYYY-MM-DD. Empty: no limit.';

/** One for both ways to ask: of two with one name, the editor adds the last one's. */
export const expectOptions: INodeProperties[] = [
	choiceField('Expect', 'expect', {
		default: 'text',
		displayOptions: display,
		options: {
			text: 'Any Text',
			date: 'Date',
			email: 'Email Address',
			number: 'Number',
			phone: 'Phone Number',
		},
		description:
			'What the reply must be. Gives data.value. In the chat, other replies are asked again, and choices are not read this way.',
	}),
	textField('Least', 'least', { displayOptions: display, description: BOUND }),
	textField('Most', 'most', { displayOptions: display, description: BOUND }),
];

/** @throws Error that names the field */
export function readExpected(
	context: IExecuteFunctions,
	options: IDataObject,
	choices: readonly string[] = [],
): { expect?: Expected } {
	const given = options.expect ?? 'text';
	if (given === 'text') return {};
	const kind = expectSchema.shape.kind.safeParse(given).data;
	if (!kind) throw new Error('"Expect" is not known. Choose one from the list.');
	if (choices.length > 0) {
		addHint(context, '"Expect" is ignored, because the question has choices.');
		return {};
	}
	const least = readBound(options.least, 'Least', kind);
	const most = readBound(options.most, 'Most', kind);
	if (least !== undefined && most !== undefined && least > most)
		throw new Error('"Least" is more than "Most". Nothing could be replied.');
	return { expect: { kind, least, most } };
}

function readBound(given: unknown, label: string, kind: Expected['kind']) {
	const text = textOr(given, label, '').trim();
	if (text === '' || kind === 'email' || kind === 'phone') return undefined;
	if (kind === 'number' && Number.isFinite(Number(text))) return Number(text);
	if (kind === 'date' && isDay(text)) return text;
	throw new Error(`"${label}" must be a ${kind}${kind === 'date' ? ' as YYYY-MM-DD' : ''}.`);
}

const FORMS: Record<Expected['kind'], string> = {
	number: 'a number, in digits',
	date: 'a date, such as 2027-04-30',
	email: 'an email address',
	phone: 'a phone number that begins with + and its country code',
};

/** What names the form that a reply needs. */
export function sentenceOf({ kind, least, most }: Expected): string {
	const from = least === undefined ? '' : `, from ${least}`;
	const to = most === undefined ? '' : `${from === '' ? ',' : ''} up to ${most}`;
	return `Please reply with ${FORMS[kind]}${from}${to}.`;
}

/** What a message can mean: itself, or what is below the name of its writer. */
export const expectedIn = (said: Said, expected: Expected, person: string): ReadValue[] =>
	readingsOf(said, 'reply')
		.map(({ text }) => readValues(text, expected, person))
		.find(({ length }) => length > 0) ?? [];
