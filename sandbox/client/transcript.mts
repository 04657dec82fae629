import { type Message, templateParametersOf, textOf } from './messages.mts';
import { printable } from './printable.mts';

/** A failed expectation, with the chat at that moment. */
export class ExpectationError extends Error {
	override readonly name = 'ExpectationError';
}

/** The content of a message, for people. */
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
			const { header, buttons = content.buttons } = content.shown ?? {};
			const file =
				header && 'title' in header ? `${header.format.toLowerCase()} ${header.title}\n` : '';
			return `template ${content.template.name}(${parameters}): ${file}${content.text} ${buttons.map(({ title }) => `[${title}]`).join(' ')}`;
		}
		case 'CONTACT_ARRAY':
			return `contacts: ${content.contacts.map(({ name }) => name).join(', ')}`;
		default:
			return `${content.type.toLowerCase()} ${content.url}${text === undefined ? '' : `: ${text}`}`;
	}
}

/**
 * A chat as lines for people.
 *
 * @param seen number of the last message that met an expectation; messages up to it are marked
 */
export function transcriptOf(messages: readonly Message[], customer: string, seen: number): string {
	if (messages.length === 0) return '  (nobody has written anything)';
	const width = Math.max(customer.length, 'business'.length);
	const lines = messages
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
	return printable(lines);
}
