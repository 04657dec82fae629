import type { SendContent } from '../../../../service/contract';
import { BUTTON_ID_START } from '../../../../shared/waitingQuestion';
import { listChoices } from '../kinds/matchChoices';
import type { ChatQuestion } from '../question';

/** Different for each question, because the buttons of earlier ones stay in the chat. */
export const idOfButton = (questionId: string, index: number): string =>
	`${BUTTON_ID_START}${questionId}:${index + 1}`;

/** The IDs of a question's buttons, in the order of its choices. */
export const buttonIdsOf = ({ id, choices }: Pick<ChatQuestion, 'id' | 'choices'>): string[] =>
	choices.map((_choice, index) => idOfButton(id, index));

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
