import type { ServiceClient } from './client';
import { sendResponseSchema } from './contract';

export interface TextMessage {
	channelId: string;
	recipient: string;
	text: string;
}

/** Sends a free-form text and returns the message's id. Works only while the conversation window is open (description, 4.2). */
export async function sendText(client: ServiceClient, message: TextMessage, timeout?: number): Promise<string> {
	const { messageId } = await client.request({
		action: 'send the text',
		method: 'POST',
		path: ['v1', 'channels', message.channelId, 'messages'],
		body: { recipient: { identifier: message.recipient }, content: { type: 'TEXT', body: { message: message.text } } },
		answer: sendResponseSchema,
		...(timeout === undefined ? {} : { timeout }),
	});
	return messageId;
}
