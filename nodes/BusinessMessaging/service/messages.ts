import { randomUUID } from 'node:crypto';

import type { ServiceClient } from './client';
import { type Content, CONTENT_NAMES, type SendContent, sendResponseSchema } from './contract';
import { messageHint } from './errors/messageHints';
import { saying } from './errors/nodeError';
import { identifierOf } from './recipient';
import { signaturesIn } from './secrets';

/** A file that is sent in the request, as a base64 data URL. */
export interface MediaFile {
	mimeType: string;
	data: Buffer;
}

export interface Message {
	channelId: string;
	/** As given. It leaves as `identifierOf` says. */
	recipient: string;
	content: Content;
	/** Replaces the URL of the first attachment. */
	file?: MediaFile;
}

/** The name of a content, to follow "the ". */
export const nameOfContent = ({ type }: Content): string =>
	Object.hasOwn(CONTENT_NAMES, type) ? CONTENT_NAMES[type as SendContent['type']] : 'message';

/** Sends a message and returns its ID. While the window is closed, only templates work. */
export async function sendMessage(
	client: ServiceClient,
	{ channelId, recipient, content, file }: Message,
	timeout?: number,
): Promise<string> {
	const body = { recipient: { identifier: identifierOf(recipient) }, content };
	const sent = client.request({
		action: `send the ${nameOfContent(content)}`,
		kind: 'message',
		method: 'POST',
		path: ['v1', 'channels', channelId, 'messages'],
		// The file itself is not searched for links.
		...(file ? { body: withFile(body, file), secrets: signaturesIn(body) } : { body }),
		response: sendResponseSchema,
		timeout,
	});
	const { messageId } = await saying(sent, (error) => messageHint(error, { content, recipient }));
	return messageId;
}

/** Bytes that are encoded at once: a multiple of three, so that the base64 can be joined. */
const PIECE = 3 * 2 ** 16;

/** The request with its file as bytes: an object would be copied to a text, then to bytes. */
function withFile(body: { content: Content }, { mimeType, data }: MediaFile): Buffer {
	const mark = randomUUID();
	const attachments: unknown = 'attachments' in body.content ? body.content.attachments : undefined;
	const [first, ...others] = (Array.isArray(attachments) ? attachments : []) as object[];
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
