import type { MessageAttachment, MessageContent } from '../../service/contract';
import { ID_PATTERN, idKey } from '../../service/contract';
import { cutWithMark } from '../../service/cutText';
import { findButtonReply } from './parts';
import type { ReadMessage } from './simplify';

/** Characters of a message, its mark of a cut included. The chat's own texts are no longer. */
const MESSAGE_MAX = 4096;
/** The same of the messages that share an item. */
const ITEM_MAX = 16_384;
/** Characters of a kind that nobody knows. */
const KIND_MAX = 64;

/** How a model reads what has no text. */
const WORDS: ReadonlyMap<string, string> = new Map([
	['IMAGE', 'an image'],
	['VIDEO', 'a video'],
	['AUDIO', 'a voice message'],
	['STICKER', 'a sticker'],
	['DOCUMENT', 'a document'],
	['CONTACT', 'a contact'],
	['CONTACT_ARRAY', 'a contact'],
	['LOCATION', 'a location'],
]);

/** What a model gets of a message. Never empty, because n8n's agent fails without an input. */
export function chatInputOf({ event: { message } }: ReadMessage): string {
	const contents = message.contents ?? [];
	const reply = message.metadata?.from_me === true ? undefined : findButtonReply(contents);
	const hasText = contents.some((content) => wordsIn(content.message) !== undefined);
	const title = hasText ? undefined : wordsIn(reply?.title);
	const parts = [
		...(title === undefined ? contents.map(contentWords) : [title]),
		...(message.attachments ?? []).map(attachmentWords),
	].filter((words) => words !== undefined);
	return cutWithMark(parts.join('\n') || '(an empty message)', MESSAGE_MAX);
}

/** What a model gets of several messages. */
export const joinChatInputs = (inputs: readonly string[]): string =>
	cutWithMark(inputs.join('\n'), ITEM_MAX);

const wordsIn = (value: unknown): string | undefined =>
	typeof value === 'string' && value.trim() !== '' ? value : undefined;

const contentWords = ({ type, message }: MessageContent): string | undefined =>
	wordsIn(message) ?? (type && type !== 'TEXT' ? kindWords(type) : undefined);

function attachmentWords({ type, caption }: MessageAttachment): string {
	const [kind, text] = [kindWords(type), wordsIn(caption)];
	return text === undefined ? kind : `${kind} ${text}`;
}

function kindWords(type: string | null | undefined): string {
	if (!type) return '(a file)';
	return `(${WORDS.get(type) ?? `a message of the kind ${cutWithMark(type, KIND_MAX)}`})`;
}

/** A person on a channel, whoever writes, and however the channel's ID is spelled. */
export const sessionIdOf = (channelId: string, person: string): string =>
	`${ID_PATTERN.test(channelId) ? idKey(channelId) : channelId}:${person}`;
