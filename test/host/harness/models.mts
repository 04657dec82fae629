import { randomUUID } from 'node:crypto';

import type { MoreChoices } from '#scripts/n8n/provision.mts';
import type { CredentialReference } from '#scripts/n8n/types.mts';
import { respondJson, startScriptedService } from '../../core/harness/scriptedService.mts';
import type { Host } from './host.mts';
import { type ModelReply, type ModelRequest, startStubChatModel } from './stubChatModel.mts';

const TRANSCRIPTION_KEY = 'made-up-transcription-key';

/** The models that the examples need, on this machine. */
export interface Models {
	/** A credential for a chat model that answers each question once, with a tool if it has one. */
	agent(this: void, host: Host): Promise<CredentialReference>;
	/** A credential for the stand-in of `npm start`. */
	standIn(this: void, host: Host): Promise<CredentialReference>;
	/**
	 * The choices of an example that transcribes voice notes. The words are those in the file, after
	 * OggS.
	 */
	voice(this: void, host: Host): Promise<MoreChoices>;
	close(): Promise<void>;
}

function answer({ messages, tools }: ModelRequest): ModelReply {
	const asked = messages.findLast(({ role }) => role === 'user')?.content;
	const text = `About "${asked}": yes.`;
	const [tool] = tools;
	if (!tool) return { text };
	return messages.at(-1)?.role === 'tool'
		? { text: 'DONE' }
		: { calls: [{ tool: tool.name, arguments: { text } }] };
}

export async function startModels(): Promise<Models> {
	const chat = await startStubChatModel(answer);
	const standIn = await startStubChatModel();
	const transcription = await startScriptedService(({ body, headers }, response) => {
		const isAsItTakesIt =
			headers.authorization === `Bearer ${TRANSCRIPTION_KEY}` &&
			body.includes('name="model"') &&
			/filename="[^"]+\.ogg"/.test(body);
		if (!isAsItTakesIt) return respondJson(response, 400, {});
		const [, text = ''] = /OggS (.*)/.exec(body) ?? [];
		respondJson(response, text.includes('(nobody can hear it)') ? 400 : 200, { text });
	});
	return {
		agent: async (host) => await chat.createCredential(host),
		standIn: async (host) => await standIn.createCredential(host),
		voice: async (host) => ({
			credentials: [
				await chat.createCredential(host),
				await host.client.createCredential(`Transcription ${randomUUID()}`, 'httpBearerAuth', {
					token: TRANSCRIPTION_KEY,
				}),
			],
			settings: {
				transcriptionUrl: `${transcription.url}/v1/audio/transcriptions`,
				transcriptionModel: 'stub-transcription',
			},
		}),
		close: async () => {
			await transcription.close();
			await standIn.close();
			await chat.close();
		},
	};
}
