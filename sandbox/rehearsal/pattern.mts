/** The message that a script expects, and the values that scripts share. */
import { z } from 'zod';

import { millisecondsOf } from '../client/duration.mts';
import { CONTENT_TYPES } from '../client/messages.mts';

type SentType = Exclude<(typeof CONTENT_TYPES)[number], 'BUTTON_REPLY'>;
/** What a business can send. */
const SENT_TYPES = CONTENT_TYPES.filter((type): type is SentType => type !== 'BUTTON_REPLY');

export const notAText = { invalid_type_error: 'must be a text: put it in quotes' };
export const text = z.string(notAText).min(1, 'must not be empty').max(65_536);
const isDuration = (value: string | number): boolean => {
	try {
		millisecondsOf(value);
		return true;
	} catch {
		return false;
	}
};
export const duration = z
	.custom<string | number>(
		(value) => (typeof value === 'string' || typeof value === 'number') && isDuration(value),
		"must be a time span: milliseconds, or a text such as '500ms', '5s', '1h 30m' or '25h'",
	)
	.describe("Milliseconds, or a text such as '500ms', '5s', '1h 30m' or '25h'");
export const isTrue = z.literal(true, { errorMap: () => ({ message: 'must be true' }) });

const isExpression = (source: string): boolean => {
	try {
		new RegExp(source);
		return true;
	} catch {
		return false;
	}
};

const phrases = z.array(text, { invalid_type_error: 'must be a list of texts' }).min(1, 'is empty');

export const pattern = z
	.strictObject(
		{
			text: z.string(notAText).optional().describe('The whole text'),
			matches: text
				.refine(isExpression, 'is not a regular expression')
				.optional()
				.describe('A regular expression that matches part of the text'),
			contains: phrases.optional().describe('Words that must all be in the text, in any case'),
			containsNone: phrases
				.optional()
				.describe('Words of which none may be in the text, in any case'),
			type: z
				.enum(SENT_TYPES as [SentType])
				.optional()
				.describe('The kind of message'),
		},
		{ invalid_type_error: 'must be a text, or an object with text, matches or others' },
	)
	.refine(
		(given) => Object.keys(given).length > 0,
		'is empty: give text, matches, contains, containsNone or type',
	);

export type Pattern = z.infer<typeof pattern>;
