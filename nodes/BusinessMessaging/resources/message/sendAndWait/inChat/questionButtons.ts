import type { SendContent } from '../../../../service/contract';
import { BUTTON_ID_START, type Tap } from '../../../../delivery/event/tap';
import { listChoices, matchTitle } from '../kinds/matchChoices';
import { readValues, type ReadValue } from '../../../../shared/texts/readValue';
import { type ChatQuestion, expectedBy } from '../kinds';

/** Different for each question, because the buttons of earlier ones stay in the chat. */
export const idOfButton = (questionId: string, index: number): string =>
	`${BUTTON_ID_START}${questionId}:${index + 1}`;

/** Of the quick reply of a template that asks: what it shows can change after it was sent. */
export const idOfQuickReply = (questionId: string, index: number): string =>
	`${BUTTON_ID_START}${questionId}:t${index + 1}`;

/** Of one of the values that a reply can have. */
const idOfValue = (questionId: string, index: number, plain: string): string =>
	`${idOfButton(questionId, index)}=${plain}`;

/** The value that a tap with the question's ID has. */
export function valuesOfTap(question: ChatQuestion, { on = '' }: Tap): ReadValue[] {
	const expected = expectedBy(question);
	const [, plain = ''] = on.split('=');
	return expected ? readValues(plain, expected) : [];
}

/** A text with the values that a reply can have. */
export const withValues = (
	message: string,
	{ id }: ChatQuestion,
	values: readonly ReadValue[],
): SendContent => ({
	type: 'INTERACTIVE_BUTTON',
	body: { message },
	attachments: values.map(({ plain, title }, index) => ({
		id: idOfValue(id, index, plain),
		title,
	})),
});

/** The choice that a tap with the question's ID names. @param text if the button has no title */
export function choiceOfTap(
	{ id, choices, templateTitles }: ChatQuestion,
	person: number,
	{ on, title }: Tap,
	text: string | null,
): { chosen: number; isInDoubt: boolean } | undefined {
	const own = choices.findIndex((_choice, index) => idOfButton(id, index) === on);
	if (own >= 0) return { chosen: own, isInDoubt: false };
	const chosen = choices.findIndex((_choice, index) => idOfQuickReply(id, index) === on);
	if (chosen < 0) return undefined;
	const sent = templateTitles?.[person]?.[chosen] ?? '';
	return { chosen, isInDoubt: matchTitle(title ?? text, [sent]) === undefined };
}

/** A text with its choices below it: as buttons, or as lines with numbers. */
export function withChoices(
	message: string,
	{ id, choices, buttons }: Pick<ChatQuestion, 'id' | 'choices' | 'buttons'>,
): SendContent {
	if (buttons)
		return {
			type: 'INTERACTIVE_BUTTON',
			body: { message },
			attachments: choices.map((title, index) => ({ id: idOfButton(id, index), title })),
		};
	const lines = choices.length > 0 ? [listChoices(choices)] : [];
	return { type: 'TEXT', body: { message: [message, ...lines].join('\n\n') } };
}
