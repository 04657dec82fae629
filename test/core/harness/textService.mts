/** A service for texts, and the ways in which it fails them. */
import type { ServerResponse } from 'node:http';

import type { ReceivedRequest } from './scriptedService.mts';
import { respondJson, startScriptedService } from './scriptedService.mts';

export const textOf = ({ body }: ReceivedRequest) =>
	(JSON.parse(body) as { content: { body: { message: string } } }).content.body.message;
export const idOf = (text: string) => text.toUpperCase().padStart(32, '0');

/** A service that accepts every text, except the failures that a test plans. */
export async function startService(
	failures: Record<string, Array<(response: ServerResponse) => void>> = {},
) {
	const accepted: string[] = [];
	const service = await startScriptedService((request, response) => {
		const text = textOf(request);
		const fail = failures[text]?.shift();
		if (fail) return fail(response);
		accepted.push(text);
		respondJson(response, 200, { messageId: idOf(text) });
	});
	return { ...service, accepted };
}

export const refuse = (response: ServerResponse) =>
	respondJson(response, 500, { error: 500, message: 'Internal error' });
export const closedWindow = (response: ServerResponse) =>
	respondJson(response, 422, { error: 422, message: 'Conversation window is closed' });
export const cut = (response: ServerResponse) => response.socket?.destroy();
