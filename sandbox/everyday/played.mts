/** What a scene left behind, as data: the rules judge it, and reports show it. */
import type { Message } from '../client/index.mts';
import { described } from '../client/messages.mts';

/** Something that no phone shows, such as a second delivery. */
export interface Note {
	/** Number of the newest message at that moment. */
	after: number;
	/** What a rule knows it by. */
	kind?: 'again' | 'stop' | 'colleague' | 'late' | 'new' | undefined;
	what: string;
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
	/** The bot's requests to send to this customer. */
	sends: Array<{ status: number | null; refusal?: string }>;
	/** Why the bot's webhook did not take something. */
	untaken: string[];
}

/** A scene that was played. */
export interface Played {
	name: string;
	title: string;
	seconds: number;
	phones: Phone[];
}

/** Whether a message came through the API, not from a colleague's phone. */
export const isOfBot = ({ direction, fromApi }: Message): boolean => direction === 'out' && fromApi;

/** What is said or happens in a chat. */
export interface Line {
	by: 'customer' | 'business' | 'note';
	/** Hours to seconds; empty for a note. */
	time: string;
	text: string;
}

const MOST_SHOWN = 200;
const MOST_LINES = 16;

export const cut = (text: string, most = MOST_SHOWN): string =>
	text.length > most ? `${text.slice(0, most)}… (${text.length} characters)` : text;

/** The chat with its notes, for people. Long words and long chats are cut. */
export function linesOf({ messages, notes, sends }: Phone): Line[] {
	const note = (text: string): Line => ({ by: 'note', time: '', text });
	const noted = (isHere: (after: number) => boolean) =>
		notes.filter(({ after }) => isHere(after)).map(({ what }) => note(what));
	const first = messages[0]?.number ?? Infinity;
	const lines = [
		...noted((after) => after < first),
		...messages.flatMap((one): Line[] => [
			{
				by: one.direction === 'in' ? 'customer' : 'business',
				time: one.createdAt.slice(11, 19),
				text: `${cut(described(one))}${one.status === 'FAILED' ? ' (FAILED)' : ''}`,
			},
			...noted((after) => after === one.number),
		]),
	];
	const left = lines.length - MOST_LINES;
	if (left > 0) lines.splice(MOST_LINES / 2, left, note(`${left} more`));
	const failed = sends
		.filter(({ status }) => status === null || status >= 400)
		.map(({ status, refusal = '' }) => `${status ?? 'cut off'} ${refusal}`.trim());
	return [...lines, ...failed.map((why) => note(`the bot tried to send: ${why}`))];
}
