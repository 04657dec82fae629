/** A service for texts, the ways in which it fails them, and a node that sends them. */
import type { ServerResponse } from 'node:http';

import type { IDataObject } from 'n8n-workflow';

import { byId, CHANNEL } from '../../support/constants.mts';
import { type EngineSettings, runInEngine } from './engine.mts';
import { type ReceivedRequest, respondJson, startScriptedService } from './scriptedService.mts';

export const textOf = ({ body }: ReceivedRequest) =>
	(JSON.parse(body) as { content: { body: { message: string } } }).content.body.message;
export const idOf = (text: string) => text.toUpperCase().padStart(32, '0');

export type Fail = (response: ServerResponse) => void;
/** The failures of each text, in order. */
export type Failures = Record<string, Fail[]>;

/** A service that accepts every text, except the failures that a test plans. */
export async function startService(failures: Failures = {}) {
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

export const refuse: Fail = (response) =>
	respondJson(response, 500, { error: 500, message: 'Internal error' });
export const closedWindow: Fail = (response) =>
	respondJson(response, 422, { error: 422, message: 'Conversation window is closed' });
export const cut: Fail = (response) => response.socket?.destroy();
export const slower =
	(headers: Record<string, string> = {}): Fail =>
	(response) =>
		respondJson(response, 429, { error: 429, message: 'Slow down' }, headers);

interface Sending extends Partial<EngineSettings> {
	failures?: Failures;
	options?: IDataObject;
}

/** Sends the text of each item to its recipient, in n8n's own engine. */
export async function sendTexts(
	items: IDataObject[],
	{ failures, options = {}, parameters, ...engine }: Sending = {},
) {
	const service = await startService(failures);
	const result = await runInEngine({
		baseUrl: service.url,
		...engine,
		parameters: {
			resource: 'message',
			operation: 'sendText',
			channelId: byId(CHANNEL),
			recipient: '={{ $json.recipient }}',
			text: '={{ $json.text }}',
			options,
			...parameters,
		},
		items,
	});
	await service.close();
	return { ...result, requests: service.requests, accepted: service.accepted };
}
