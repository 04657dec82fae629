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

/** A run can take a minute, so more than these are a mistake. */
const MOST_RUNS = 1000;
/** Words of an expectation that is judged. */
const LONGEST_MEANING = 4096;
export const count = z
	.number({ invalid_type_error: 'must be a number' })
	.int('must be a whole number')
	.min(1, 'must be 1 or more')
	.max(MOST_RUNS, `must be ${MOST_RUNS} or less`)
	.optional();
const phrases = z.array(text, { invalid_type_error: 'must be a list of texts' }).min(1, 'is empty');

/** What `runs` and `atLeast` must be to each other, beside a step's `gets` or a file's name. */
export function checkRuns(
	{ runs, atLeast }: { runs?: number | undefined; atLeast?: number | undefined },
	issues: z.RefinementCtx,
): void {
	if (atLeast === undefined || (runs !== undefined && atLeast <= runs)) return;
	const message =
		runs === undefined ? 'works only with runs' : `must not be more than runs, which is ${runs}`;
	issues.addIssue({ code: 'custom', path: ['atLeast'], message });
}

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
			means: text
				.max(LONGEST_MEANING)
				.optional()
				.describe('What the text must say, in free words: the command of --judge decides'),
			type: z
				.enum(SENT_TYPES as [SentType])
				.optional()
				.describe('The kind of message'),
		},
		{ invalid_type_error: 'must be a text, or an object with text, matches, means or others' },
	)
	.refine(
		(given) => Object.keys(given).length > 0,
		'is empty: give text, matches, contains, containsNone, means or type',
	);

/** Whether a message is judged by its words after it came. */
export const isJudged = ({ contains, containsNone, means }: Pattern): boolean =>
	(contains ?? containsNone ?? means) !== undefined;
export type Pattern = z.infer<typeof pattern>;
