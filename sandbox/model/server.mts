/**
 * A stand-in for a language model on this machine: an OpenAI-compatible API that follows rules, so
 * that agents answer without a paid key.
 */
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

import { chatCompletions } from './chatCompletions.mts';
import type { ModelReply, ModelRequest } from './conversation.mts';
import { responses } from './responses.mts';
import { replyByRules } from './rules.mts';
import { transcribe } from './transcribe.mts';
import { trouble } from './trouble.mts';
import type { ModelApi } from './wire.mts';

export interface ModelOptions {
	/** Default 0: a free port. */
	port?: number;
	/** What the model says. The reason of an error reaches the caller. */
	reply?: (request: ModelRequest) => ModelReply;
}

export interface Model {
	/** The Base URL for credentials: it ends with /v1. */
	url: string;
	close: () => Promise<void>;
}

const APIS = new Map<string, ModelApi>([
	['/v1/chat/completions', chatCompletions],
	['/v1/responses', responses],
]);
const MODELS = {
	object: 'list',
	data: [{ id: 'stand-in', object: 'model', created: 0, owned_by: 'sandbox' }],
};
/** Voice notes have up to 16 MB. */
const MOST_BYTES = 32 * 1024 * 1024;

/** Listens on the loopback interface alone. The process can end while it listens. */
export async function startModel({
	port = 0,
	reply = replyByRules,
}: ModelOptions = {}): Promise<Model> {
	const server = createServer((request, response) => {
		respond(request, response, reply).catch((error: unknown) =>
			// 400: callers do not ask again.
			sendJson(response, 400, { error: { message: String(error), type: 'invalid_request_error' } }),
		);
	});
	server.unref().listen(port, '127.0.0.1');
	await once(server, 'listening');
	return {
		url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
		close: async () => {
			server.close();
			server.closeAllConnections();
			await once(server, 'close');
		},
	};
}

async function respond(
	request: IncomingMessage,
	response: ServerResponse,
	reply: (request: ModelRequest) => ModelReply,
): Promise<void> {
	const [path = ''] = (request.url ?? '').split('?');
	const api = APIS.get(path);
	if (path === '/v1/models') sendJson(response, 200, MODELS);
	else if (path === '/v1/audio/transcriptions') {
		const type = request.headers['content-type'] ?? '';
		sendJson(response, 200, { text: await transcribe(await bodyOf(request), type) });
	} else if (api) {
		const body: unknown = JSON.parse((await bodyOf(request)).toString());
		const { model, stream, ...asked } = api.read(body);
		await trouble(asked);
		const said = reply(asked);
		if (stream) sendEvents(response, api.streamed(said, model));
		else sendJson(response, 200, api.whole(said, model));
	} else
		sendJson(response, 404, {
			error: { message: `The stand-in has no ${path}.`, type: 'invalid_request_error' },
		});
}

async function bodyOf(request: IncomingMessage): Promise<Buffer> {
	const chunks: Buffer[] = [];
	let bytes = 0;
	for await (const chunk of request as AsyncIterable<Buffer>) {
		bytes += chunk.length;
		if (bytes > MOST_BYTES) throw new Error(`The body is larger than ${MOST_BYTES} bytes`);
		chunks.push(chunk);
	}
	return Buffer.concat(chunks);
}

function sendJson(response: ServerResponse, status: number, body: unknown): void {
	response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}

function sendEvents(response: ServerResponse, events: string[]): void {
	response.writeHead(200, { 'content-type': 'text/event-stream' });
	for (const event of events) response.write(event);
	response.end();
}
