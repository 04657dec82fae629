/** What no step expected. Reported after a script was played, whether it passed or not. */
import type { Message } from '../client/index.mts';
import { described } from '../client/transcript.mts';
import { type Chat, isOfWorkflow } from './chat.mts';
import { annotatedTranscript } from './transcript.mts';

/**
 * - `notMet`: an expected message did not come
 * - `twice`: the same answer came twice
 * - `unexpected`: a message that no step expected
 * - `closedWindow`: a text was sent while the window was closed, and refused
 * - `unanswered`: a customer's message got no answer
 */
export type ProblemKind = 'notMet' | 'twice' | 'unexpected' | 'closedWindow' | 'unanswered';

export interface Problem {
	kind: ProblemKind;
	/** In a sentence. */
	what: string;
	/** Of the failed step. */
	line?: number;
}

export interface Found {
	problems: Problem[];
	/** Each chat with its expected and received messages. */
	transcripts: string[];
}

/** @param mustAnswer whether each message of a customer needs an answer */
export async function lookThrough(chats: readonly Chat[], mustAnswer: boolean): Promise<Found> {
	const found = await Promise.all(
		chats.map(async (chat) => {
			const messages = await chat.messages();
			const unasked = unaskedIn(chat, messages);
			const refused = (await chat.unaskedRefusals()).length;
			const problems: Problem[] = [
				...chat.missed.map(({ what, line }) => ({
					kind: 'notMet' as const,
					what: `${chat.customer.name} ${what}`,
					line,
				})),
				...[...unasked].map(([message, kind]) => ({ kind, what: inWords(chat, message, kind) })),
				...(refused > 0 ? [closedWindow(chat, refused)] : []),
				...(mustAnswer ? chat.unanswered(messages) : []).map((message) => ({
					kind: 'unanswered' as const,
					what: `no answer to ${quoted(message)} of ${chat.customer.name}`,
				})),
			];
			return { problems, transcript: annotatedTranscript(chat, messages, unasked) };
		}),
	);
	return {
		problems: found.flatMap(({ problems }) => problems),
		transcripts: found.map(({ transcript }) => transcript),
	};
}

const quoted = (message: Message): string => `'${described(message).trim()}'`;

function inWords({ customer }: Chat, message: Message, kind: 'twice' | 'unexpected'): string {
	return kind === 'twice'
		? `the same answer twice to ${customer.name}: ${quoted(message)}`
		: `a message to ${customer.name} that no step expected: ${quoted(message)}`;
}

const closedWindow = ({ customer }: Chat, times: number): Problem => ({
	kind: 'closedWindow',
	what: `${times === 1 ? 'a message' : `${times} messages`} to ${customer.name} after the window had closed. The service refused it. Send a template instead`,
});

/** The workflow's messages that met no step: repeated ones, and others. */
function unaskedIn(
	{ met }: Chat,
	messages: readonly Message[],
): Map<Message, 'twice' | 'unexpected'> {
	const unasked = new Map<Message, 'twice' | 'unexpected'>();
	let turn = 0;
	const sent: Array<{ message: Message; turn: number; content: string }> = [];
	for (const message of messages) {
		if (message.direction === 'in') turn += 1;
		else if (isOfWorkflow(message))
			sent.push({ message, turn, content: JSON.stringify(message.content) });
	}
	for (const one of sent) {
		if (met.has(one.message.number)) continue;
		// The customer may have written again before the second answer came.
		const isTwice = sent.some(
			(other) =>
				other !== one &&
				other.content === one.content &&
				Math.abs(other.turn - one.turn) <= 1 &&
				(met.has(other.message.number) || other.message.number < one.message.number),
		);
		unasked.set(one.message, isTwice ? 'twice' : 'unexpected');
	}
	return unasked;
}
