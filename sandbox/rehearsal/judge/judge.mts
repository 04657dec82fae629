/** Judges whether a message says what a script expects in free words. */
import { described } from '../../client/messages.mts';
import type { Chat, ToJudge } from '../chat.mts';
import { wrongWordsIn } from './words.mts';

/** What a judge is asked. */
export interface Question {
	/** What the last message must say. */
	expectation: string;
	/** The customer's name. */
	customer: string;
	/** The chat up to the message to judge, oldest first. */
	conversation: Array<{ from: 'customer' | 'workflow' | 'colleague'; text: string }>;
}

export interface Verdict {
	yes: boolean;
	reason: string;
}

export type Judge = (question: Question) => Promise<Verdict>;

/** A judge that did not judge: an error of the rehearsal, not of the workflow. */
export class JudgeError extends Error {
	override readonly name = 'JudgeError';
}

/**
 * Judges the messages of a chat that steps took for their words. Plain words first: a judge can
 * cost money.
 *
 * @throws JudgeError
 */
export async function judgeWords(chat: Chat, judge: Judge | undefined): Promise<void> {
	for (const { message, pattern, line } of chat.toJudge) {
		const text = described(message);
		const plain = wrongWordsIn(text, pattern);
		if (plain !== undefined) chat.hasWrongWords(message, `got '${text}', which ${plain}`, line);
		else if (pattern.means !== undefined) {
			if (!judge) throw new JudgeError('There is no judge.');
			const { yes, reason } = await judge(await questionAbout(chat, message, pattern.means));
			if (!yes)
				chat.hasWrongWords(
					message,
					`expected a message that means '${pattern.means}'. The judge said no to '${text}': ${reason}`,
					line,
				);
		}
	}
}

async function questionAbout(
	chat: Chat,
	{ number: last }: ToJudge['message'],
	expectation: string,
): Promise<Question> {
	const messages = (await chat.messages()).filter(({ number }) => number <= last);
	return {
		expectation,
		customer: chat.customer.name,
		conversation: messages.map((message) => ({
			from: message.direction === 'in' ? 'customer' : message.fromApi ? 'workflow' : 'colleague',
			text: described(message),
		})),
	};
}
