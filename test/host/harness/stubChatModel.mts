import { randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

import type { CredentialReference } from '../../../scripts/n8n/types.mts';
import type { Host } from './host.mts';

/** What an agent asked the model: part of a request to the chat completions API. */
export interface ModelRequest {
	messages: Array<{ role: 'system' | 'user' | 'assistant' | 'tool'; content: string | null }>;
	/** What the model may call, with a JSON Schema of the arguments. */
	tools: Array<{ name: string; description: string; parameters: object }>;
}

/** Ends the model's turn with a text, or calls tools by their names. */
export type ModelReply =
	{ text: string } | { calls: Array<{ tool: string; arguments: Record<string, unknown> }> };

export interface StubChatModel {
	/** Base URL, as the credential of n8n's OpenAI node takes it. */
	url: string;
	/** What was asked so far. */
	requests: ModelRequest[];
	/** A credential for n8n's OpenAI Chat Model node, which leads here. */
	createCredential(host: Host): Promise<CredentialReference>;
	close(): Promise<void>;
}

/** A local language model that says what the test wants, by the chat completions API, streamed or whole. */
export async function startStubChatModel(
	reply: (request: ModelRequest) => ModelReply,
): Promise<StubChatModel> {
	const requests: ModelRequest[] = [];
	const server = createServer((request, response) => void serve(request, response));

	async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
		if (request.url?.endsWith('/models'))
			return sendJson(response, 200, {
				object: 'list',
				data: [{ id: 'stub-model', object: 'model' }],
			});
		if (!request.url?.endsWith('/chat/completions'))
			return sendJson(response, 404, { error: { message: `No such route: ${request.url}` } });
		const chunks: Buffer[] = [];
		for await (const chunk of request) chunks.push(chunk as Buffer);
		const body = JSON.parse(Buffer.concat(chunks).toString()) as CompletionsBody;
		const asked: ModelRequest = {
			messages: body.messages,
			tools: (body.tools ?? []).map((tool) => tool.function),
		};
		requests.push(asked);
		try {
			sendCompletion(response, body.stream === true, reply(asked));
		} catch (error) {
			// n8n shows the reason, and does not ask again after a 400.
			sendJson(response, 400, { error: { message: String(error) } });
		}
	}

	await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
	const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;
	return {
		url,
		requests,
		createCredential: async (host) =>
			await host.client.createCredential(`Stub model ${randomUUID()}`, 'openAiApi', {
				apiKey: 'made-up',
				url,
			}),
		close: async () => {
			server.closeAllConnections();
			await new Promise((resolve) => server.close(resolve));
		},
	};
}

interface CompletionsBody {
	messages: ModelRequest['messages'];
	tools?: Array<{ function: ModelRequest['tools'][number] }>;
	stream?: boolean;
}

function sendJson(response: ServerResponse, status: number, body: unknown): void {
	response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}

function sendCompletion(response: ServerResponse, streamed: boolean, reply: ModelReply): void {
	const calls = 'calls' in reply ? reply.calls : [];
	const message = {
		role: 'assistant',
		content: 'text' in reply ? reply.text : null,
		...(calls.length > 0 && {
			tool_calls: calls.map((call, index) => ({
				index,
				id: `call_${randomUUID()}`,
				type: 'function',
				function: { name: call.tool, arguments: JSON.stringify(call.arguments) },
			})),
		}),
	};
	const reason = calls.length > 0 ? 'tool_calls' : 'stop';
	const frame = {
		id: `chatcmpl-${randomUUID()}`,
		created: Math.floor(Date.now() / 1000),
		model: 'stub-model',
	};
	if (!streamed) {
		const usage = { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 };
		return sendJson(response, 200, {
			...frame,
			object: 'chat.completion',
			choices: [{ index: 0, message, finish_reason: reason }],
			usage,
		});
	}
	response.writeHead(200, { 'content-type': 'text/event-stream' });
	const parts = [
		{ index: 0, delta: message, finish_reason: null },
		{ index: 0, delta: {}, finish_reason: reason },
	];
	for (const choice of parts)
		response.write(
			`data: ${JSON.stringify({ ...frame, object: 'chat.completion.chunk', choices: [choice] })}\n\n`,
		);
	response.end('data: [DONE]\n\n');
}
