import { type Message, templateParametersOf, textOf } from './messages.mts';

/** An expectation that did not come true, with the chat as it was. */
export class ExpectationError extends Error {
	override readonly name = 'ExpectationError';
}

/** What a message holds, for a person. */
export function described({ content }: Pick<Message, 'content'>): string {
	const text = textOf(content);
	switch (content.type) {
		case 'TEXT':
			return content.text;
		case 'BUTTON_REPLY':
			return `taps [${content.text}]`;
		case 'INTERACTIVE_BUTTON':
		case 'INTERACTIVE_ACTION':
			return `${content.text} ${content.buttons.map(({ title }) => `[${title}]`).join(' ')}`;
		case 'TEMPLATE': {
			const parameters = templateParametersOf(content).join(', ');
			return `template ${content.template.name}(${parameters}): ${content.text} ${content.buttons.map(({ title }) => `[${title}]`).join(' ')}`;
		}
		case 'CONTACT_ARRAY':
			return `contacts: ${content.contacts.map(({ name }) => name).join(', ')}`;
		default:
			return `${content.type.toLowerCase()} ${content.url}${text === undefined ? '' : `: ${text}`}`;
	}
}

/**
 * A chat as lines for a person.
 *
 * @param seen number of the last message that expectations were met by; those up to it are marked
 */
export function transcriptOf(messages: readonly Message[], customer: string, seen: number): string {
	if (messages.length === 0) return '  (nobody has written anything)';
	const width = Math.max(customer.length, 'business'.length);
	return messages
		.map((message) => {
			const who = (message.direction === 'in' ? customer : 'business').padEnd(width);
			const mark = message.direction === 'out' && message.number <= seen ? '*' : ' ';
			const failed = message.status === 'FAILED' ? ' (FAILED)' : '';
			const text = described(message)
				.trim()
				.replaceAll('\n', `\n${' '.repeat(width + 18)}`);
			return `${mark} ${message.createdAt.slice(11, 23)}  ${who}  ${text}${failed}`;
		})
		.join('\n');
}
