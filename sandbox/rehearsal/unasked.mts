/** What no step expected. Reported after a script was played, whether it passed or not. */
import type { Message } from '../client/index.mts';
import { described } from '../client/messages.mts';
import { type Chat, isOfWorkflow } from './chat.mts';
import { annotatedTranscript } from './transcript.mts';

/**
 * - `notMet`: an expected message did not come
 * - `twice`: the same answer came twice
 * - `unexpected`: a message that no step expected, or that the service does not deliver
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
			const undelivered = await chat.undelivered();
			const unasked = unaskedIn(chat, messages);
			for (const message of undelivered) unasked.set(message, 'unexpected');
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
			const sent = [...messages, ...undelivered].sort((one, other) => one.number - other.number);
			return { problems, transcript: annotatedTranscript(chat, sent, unasked) };
		}),
	);
	const problems = found.flatMap((one) => one.problems);
	const last = problems.at(-1);
	if (last && problems.every(({ kind }) => kind === 'unanswered')) last.what += NO_ANSWER_NEEDED;
	return {
		problems,
		transcripts: found.map(({ transcript }) => transcript),
	};
}

const NO_ANSWER_NEEDED = '. If it needs none, add `answers: optional` to the script';

const quoted = (message: Message): string => `'${described(message)}'`;

function inWords({ customer }: Chat, message: Message, kind: 'twice' | 'unexpected'): string {
	if (message.failure)
		return `a message to ${customer.name} that the service does not deliver: ${quoted(message)}. ${message.failure.message}`;
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
		const { number } = one.message;
		if (met.has(number)) continue;
		// The customer may have written again before the second answer came.
		const isTwice = sent.some(
			(other) =>
				other !== one &&
				other.content === one.content &&
				Math.abs(other.turn - one.turn) <= 1 &&
				(met.has(other.message.number) || other.message.number < number),
		);
		unasked.set(one.message, isTwice ? 'twice' : 'unexpected');
	}
	return unasked;
}
