/** What a scene left behind, as data: the rules judge it, and reports show it. */
import type { Message } from '../client/index.mts';
import { lineOf } from '../client/transcript.mts';

/** Something that no phone shows, such as a second delivery. */
export interface Note {
	/** Number of the newest message at that moment. */
	after: number;
	/** What a rule knows it by. */
	kind?: 'again' | 'stop' | 'colleague' | 'tap' | undefined;
	what: string;
}

/** A request of the bot to send something to this customer. */
export interface Send {
	status: number | null;
	refusal?: string;
}

/** A customer's chat. */
export interface Phone {
	name: string;
	/** In the words of this customer, and of nobody else. */
	mark: string;
	/** What silence is to this customer's last words. */
	silence: 'fault' | 'remark' | 'fine';
	messages: Message[];
	notes: Note[];
	sends: Send[];
	/** Why the bot's webhook did not take something, and how it can be seen. */
	untaken: string[];
}

/** A scene that was played. */
export interface Played {
	name: string;
	title: string;
	seconds: number;
	phones: Phone[];
	/** Why it could not be played to its end: a problem of the sandbox, not of the bot. */
	broken?: string;
}

/** Whether a message came through the API, not from a colleague's phone. */
export const isOfBot = ({ direction, fromApi }: Message): boolean => direction === 'out' && fromApi;

const SHOWN = 200;
const MOST_LINES = 16;

/** The chat with its notes, for people. Long words are cut. */
export function transcriptOf({ name, messages, notes, sends }: Phone): string {
	const noted = (number: number) =>
		notes.filter(({ after }) => after === number).map(({ what }) => `  · (${what})`);
	const first = messages[0]?.number ?? Infinity;
	const lines = [
		...notes.filter(({ after }) => after < first).map(({ what }) => `  · (${what})`),
		...messages.flatMap((one) => [lineOf(cut(one), name, ' '), ...noted(one.number)]),
	];
	const left = lines.length - MOST_LINES;
	if (left > 0) lines.splice(MOST_LINES / 2, left, `  · (${left} more)`);
	return [
		`The phone of ${name}:`,
		...lines,
		...sends
			.filter(({ status }) => status === null || status >= 400)
			.map(
				({ status, refusal = 'no reason' }) =>
					`  · (the bot tried to send: ${status === null ? 'cut off' : `${status} ${refusal}`})`,
			),
	].join('\n');
}

function cut(message: Message): Message {
	const { content } = message;
	if (!('text' in content) || content.text.length <= SHOWN) return message;
	const { length } = content.text;
	const text = `${content.text.slice(0, SHOWN)}… (${length} characters)`;
	return { ...message, content: { ...content, text } };
}
