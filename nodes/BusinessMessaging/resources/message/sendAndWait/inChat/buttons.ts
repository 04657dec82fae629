import type { SimplifiedMessage } from '../../../../delivery/event/message';
import type { SendContent } from '../../../../service/contract';
import { BUTTON_ID_START } from '../../../../shared/waitingQuestion';
import { listChoices, matchLabel } from '../kinds/choices';
import type { ChatKind } from '../kinds/kind';
import type { ChatQuestion } from '../question';

/** Different for each question, because the buttons of earlier ones stay in the chat. */
const idOfButton = (questionId: string, index: number): string =>
	`${BUTTON_ID_START}${questionId}:${index + 1}`;

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

const tappedChoice = ({ reply }: SimplifiedMessage, { id, choices }: ChatQuestion): number =>
	choices.findIndex((_choice, index) => reply?.id === idOfButton(id, index));

/** Whether a message is a tap on a button of this question. */
export const isTapOn = (message: SimplifiedMessage, question: ChatQuestion): boolean =>
	tappedChoice(message, question) >= 0;

/** The index of the choice that a message names by its button or its words. Undefined if none. */
export function findChoice(
	message: SimplifiedMessage,
	question: ChatQuestion,
	matchWords: ChatKind<ChatQuestion, unknown>['matchWords'],
): number | undefined {
	const tapped = tappedChoice(message, question);
	if (tapped >= 0) return tapped;
	const { choices, titles = [] } = question;
	return (
		matchWords(message.text, choices) ?? matchLabel(message.text, titles.slice(0, choices.length))
	);
}

/**
 * Whether a message is a tap on another question's button. Its words say nothing about this one.
 */
export const isAboutAnother = ({ reply }: SimplifiedMessage, { id }: ChatQuestion): boolean =>
	reply !== undefined &&
	reply.id.startsWith(BUTTON_ID_START) &&
	!reply.id.startsWith(`${BUTTON_ID_START}${id}:`);
