import { described, type Message } from './messages.mts';
import { printable } from './printable.mts';

/** A failed expectation, with the chat at that moment. */
export class ExpectationError extends Error {
	override readonly name = 'ExpectationError';
}

/**
 * A chat as lines for people.
 *
 * @param seen number of the last message that met an expectation; messages up to it are marked
 */
export function transcriptOf(messages: readonly Message[], customer: string, seen: number): string {
	if (messages.length === 0) return '  (nobody has written anything)';
	const lines = messages.map((message) => {
		const isExpected = message.direction === 'out' && message.number <= seen;
		return lineOf(message, customer, isExpected ? '*' : ' ');
	});
	return printable(lines.join('\n'));
}

/** A message as a line, or as several, of a chat with this customer. */
export function lineOf(message: Message, customer: string, mark: string): string {
	const width = Math.max(customer.length, 'business'.length);
	const who = (message.direction === 'in' ? customer : 'business').padEnd(width);
	const failed = message.status === 'FAILED' ? ' (FAILED)' : '';
	const text = described(message).replaceAll('\n', `\n${' '.repeat(width + 18)}`);
	return `${mark} ${message.createdAt.slice(11, 23)}  ${who}  ${text}${failed}`;
}
