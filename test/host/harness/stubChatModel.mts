import { randomUUID } from 'node:crypto';

import type { ModelReply, ModelRequest } from '#sandbox/model/conversation.mts';
import { replyByRules } from '#sandbox/model/rules.mts';
import { startModel } from '#sandbox/model/server.mts';
import type { CredentialReference } from '#scripts/n8n/types.mts';
import type { Host } from './host.mts';

export type { ModelReply, ModelRequest };

export interface StubChatModel {
	/** What was asked so far. */
	requests: ModelRequest[];
	/** A credential for n8n's OpenAI Chat Model node that leads here. */
	createCredential(host: Host): Promise<CredentialReference>;
	close(): Promise<void>;
}

/** The stand-in for a language model. It says what the test wants, or else follows its rules. */
export async function startStubChatModel(
	reply: (request: ModelRequest) => ModelReply = replyByRules,
): Promise<StubChatModel> {
	const requests: ModelRequest[] = [];
	const model = await startModel({
		reply: (request) => {
			requests.push(request);
			return reply(request);
		},
	});
	return {
		requests,
		createCredential: async (host) =>
			await host.client.createCredential(`Stub model ${randomUUID()}`, 'openAiApi', {
				apiKey: 'made-up',
				url: model.url,
			}),
		close: model.close,
	};
}
