import { CHAT_LIMITS, type SendContent } from '../../../service/contract';

/** @param field for errors: `"Text"`. @throws Error if no channel takes a text of this length */
export function checkLength(content: SendContent, field: string, remedy = 'Shorten it.'): void {
	if (content.type === 'TEXT') {
		const { length } = content.body.message;
		if (length > CHAT_LIMITS.text)
			throw new Error(
				`${field} has ${length} characters. A message has room for ${CHAT_LIMITS.text}. ${remedy}`,
			);
	} else if (content.type === 'INTERACTIVE_BUTTON' || content.type === 'INTERACTIVE_ACTION') {
		const { length } = content.body.message;
		if (length > CHAT_LIMITS.textWithButtons)
			throw new Error(
				`${field} has ${length} characters. A message with buttons has room for ${CHAT_LIMITS.textWithButtons}. Shorten it, or send a part of it in a text before.`,
			);
	}
}
