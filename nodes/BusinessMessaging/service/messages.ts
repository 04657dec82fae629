import { randomUUID } from 'node:crypto';

import type { ServiceClient } from './client';
import type { SendContent } from './contract';
import { sendResponseSchema } from './contract';

/** What a message says: a kind that is published, or one that the service added since. */
export type Content = SendContent | { type: string; [field: string]: unknown };

/** A file that goes out within the request, as a base64 data URL. */
export interface MediaFile {
	mimeType: string;
	data: Buffer;
}

export interface Message {
	channelId: string;
	recipient: string;
	content: Content;
	/** Takes the place of the URL of the content's first attachment. */
	file?: MediaFile;
}

/** How errors name a kind. */
const NAMES: Record<string, string> = {
	TEXT: 'text',
	IMAGE: 'image',
	VIDEO: 'video',
	AUDIO: 'audio',
	STICKER: 'sticker',
	CONTACT: 'contact',
	INTERACTIVE_BUTTON: 'buttons',
	INTERACTIVE_ACTION: 'buttons',
	TEMPLATE: 'template',
};

/** What a message is called, to follow "the ". */
export const nameOfContent = ({ type }: Content): string => NAMES[type] ?? 'message';

/** Sends a message and returns its id. All kinds but templates work only while the conversation window is open (docs/contract.md). */
export async function sendMessage(
	client: ServiceClient,
	{ channelId, recipient, content, file }: Message,
	timeout?: number,
): Promise<string> {
	const body = { recipient: { identifier: recipient }, content };
	const { messageId } = await client.request({
		action: `send the ${nameOfContent(content)}`,
		method: 'POST',
		path: ['v1', 'channels', channelId, 'messages'],
		body: file ? withFile(body, file) : body,
		response: sendResponseSchema,
		...(timeout === undefined ? {} : { timeout }),
	});
	return messageId;
}

/** Bytes that are encoded at a stretch: a multiple of three, so that the pieces of base64 join. */
const PIECE = 3 * 2 ** 16;

/**
 * The request's JSON with the file in the first attachment. As bytes, written in place: as an object it would be copied to a text, and again to bytes.
 */
function withFile(body: { content: Content }, { mimeType, data }: MediaFile): Buffer {
	const mark = randomUUID();
	const listed: unknown = 'attachments' in body.content ? body.content.attachments : undefined;
	const [first, ...others] = (Array.isArray(listed) ? listed : []) as object[];
	const content = { ...body.content, attachments: [{ ...first, url: mark }, ...others] };
	const [before = '', after = ''] = JSON.stringify({ ...body, content }).split(mark);
	const start = JSON.stringify(`data:${mimeType};base64,`).slice(1, -1);
	const head = Buffer.from(before + start);
	const tail = Buffer.from(after);
	const encoded = Math.ceil(data.length / 3) * 4;
	const whole = Buffer.allocUnsafe(head.length + encoded + tail.length);
	let at = head.copy(whole);
	for (let from = 0; from < data.length; from += PIECE)
		at += whole.write(data.toString('base64', from, from + PIECE), at, 'latin1');
	tail.copy(whole, at);
	return whole;
}
