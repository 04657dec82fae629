import type { Message } from '../client/index.mts';
import { lineOf } from '../client/transcript.mts';
import type { Chat } from './chat.mts';

const MARKS = { twice: 'came twice', unexpected: 'no step expected it' } as const;

/**
 * A chat with its expected and unexpected messages: `✓` met a step, `!` was expected by no step
 * or is not delivered, `✗` was expected and did not come, or came where nothing was expected.
 */
export function annotatedTranscript(
	{ customer, met, missed, start }: Chat,
	messages: readonly Message[],
	unasked: ReadonlyMap<Message, 'twice' | 'unexpected'>,
): string {
	const missedAfter = (number: number) =>
		missed
			.filter(({ after }) => after === number)
			.map(({ what, line }) => `✗ ${' '.repeat(14)}${what} (line ${line})`);
	const lines = messages.flatMap((message) => {
		const kind = unasked.get(message);
		const line = met.get(message.number);
		const mark = kind !== undefined ? '!' : line !== undefined ? '✓' : ' ';
		const why = message.failure ? 'the service does not deliver it' : kind && MARKS[kind];
		const note = why !== undefined ? ` (${why})` : line !== undefined ? ` (line ${line})` : '';
		return [lineOf(message, customer.name, mark) + note, ...missedAfter(message.number)];
	});
	return [
		`The chat of ${customer.name} (${customer.number}):`,
		...missedAfter(start),
		...lines,
	].join('\n');
}
