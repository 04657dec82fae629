import { z } from 'zod';

import { numberField, rowsField, textField } from '../../../../shared/node/fields';
import { numbersIn } from '../../../../shared/texts/numbers';
import { asPlainObject } from '../../../../service/parseJson';
import { checkChoices, fitButtons, matchChoice } from './matchChoices';
import { expectSchema, readExpected, sentenceOf } from './expect';
import { chatQuestionShape, readCount, textOr } from './kind';
import type { ChatKind, DraftOf, DraftSource, Panel } from './kind';

export const replySchema = z.object({
	...chatQuestionShape,
	kind: z.literal('replyInChat'),
	/** How often a reply outside the choices is asked again. */
	askAgain: z.number(),
	askAgainText: z.string(),
	expect: expectSchema.optional(),
});
export type ReplyQuestion = z.infer<typeof replySchema>;

type Draft = DraftOf<ReplyQuestion>;

const ASK_AGAIN_TEXT = 'Please reply with one of these:';

const choiceFields = [textField('Choice', 'choice', { placeholder: 'e.g. Tuesday morning' })];

const choicesField = rowsField('Choices', 'choices', 'Values', choiceFields, {
	placeholder: 'Add Choice',
	description:
		'The possible replies. Up to three of at most 20 characters are buttons, others a list with numbers. Without choices, any reply counts. After too many other replies, data.outcome is "invalid".',
});

const panel: Panel<Draft> = {
	responseTypes: {
		chat: {
			replyInChat: [
				'Reply in Chat',
				'The next message that the person writes on this channel. Gives data.text, data.choice if you add choices, and data.value by Expect.',
			],
		},
	},
	fields: [choicesField],
	options: [
		numberField('Ask Again At Most', 'askAgain', {
			typeOptions: { minValue: 0 },
			default: 2,
			description:
				'How often to ask again after a reply that is none of the choices, or not what Expect says. After one more such reply, the workflow goes on with data.outcome "invalid".',
		}),
		textField('Ask Again With', 'askAgainText', {
			typeOptions: { rows: 2 },
			default: ASK_AGAIN_TEXT,
			description:
				'What to write after a reply that is none of the choices, above their list, or not what Expect says',
		}),
	],
	asksSeveral: false,
	read: readDraft,
};

function readDraft({ context, options: given, common }: DraftSource): Draft {
	const values: unknown = context.getNodeParameter('choices.values', 0, []);
	const choices = (Array.isArray(values) ? values : []).map((value) =>
		textOr(asPlainObject(value).choice, 'Choice', '').trim(),
	);
	checkChoices(choices);
	const expected = readExpected(context, given, choices);
	const again = textOr(given.askAgainText, 'Ask Again With', ASK_AGAIN_TEXT);
	return {
		...common,
		kind: 'replyInChat',
		choices,
		...(fitButtons(choices) ? { buttons: true } : {}),
		askAgain: readCount(numbersIn(context, 'options', given), 'askAgain', 'Ask Again At Most', 2),
		askAgainText: expected.expect && again === ASK_AGAIN_TEXT ? sentenceOf(expected.expect) : again,
		...expected,
	};
}

export const replyInChat: ChatKind<ReplyQuestion, Draft> = {
	panel,
	timedOut: { text: null, choice: null, choiceNumber: null },
	answers: 'reply',
	matchWords: matchChoice,
	takesBareTaps: true,
	again: ({ askAgain, askAgainText }) => ({ atMost: askAgain, text: askAgainText }),
	read: ({ choices, expect }, { message: { text }, chosen, values }) => ({
		data: {
			text,
			...(chosen === undefined
				? { choice: null, choiceNumber: null }
				: { choice: choices[chosen] ?? null, choiceNumber: chosen + 1 }),
			...(expect ? { value: values.length === 1 ? values[0]!.value : null } : {}),
		},
	}),
};
