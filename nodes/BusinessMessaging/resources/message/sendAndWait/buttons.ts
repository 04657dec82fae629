import type { SendContent } from '../../../service/contract';
import { REPLY_BUTTONS_MAX } from '../../../service/contract';
import type { SimplifiedMessage } from '../../../delivery/message';
import { listChoices, matchChoice, matchLabel } from './choices';
import type { ChatQuestion } from './question';

/** Longest title of a button that chat applications show whole, in UTF-16 units. */
export const BUTTON_TITLE_MAX = 20;

/** So that a button of any question is told from the buttons of other messages. */
const ID_START = 'n8n-question:';

/** Whether choices can be buttons. */
export const fitButtons = (choices: readonly string[]): boolean =>
	choices.length > 0 &&
	choices.length <= REPLY_BUTTONS_MAX &&
	choices.every((choice) => choice.length <= BUTTON_TITLE_MAX);

/** Each question's own: the buttons of an earlier question stay in the chat, and say the same. */
const idOfButton = (questionId: string, index: number): string =>
	`${ID_START}${questionId}:${index + 1}`;

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

/** The index of the choice that a message names: by its button, its words, or, unless it is an approval, its number. Undefined when it names none. */
export function findChoice(
	{ reply, text }: SimplifiedMessage,
	{ id, kind, choices }: ChatQuestion,
): number | undefined {
	const tapped = choices.findIndex((_choice, index) => reply?.id === idOfButton(id, index));
	if (tapped >= 0) return tapped;
	return kind === 'approvalInChat' ? matchLabel(text, choices) : matchChoice(text, choices);
}

/** Whether a message is a tap on a button of another question: it says nothing about this one, whatever the button is called. */
export const isAboutAnother = ({ reply }: SimplifiedMessage, { id }: ChatQuestion): boolean =>
	reply !== undefined && reply.id.startsWith(ID_START) && !reply.id.startsWith(`${ID_START}${id}:`);
