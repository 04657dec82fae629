import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';

import { listen } from './listen.mts';

export interface ReceivedRequest {
	method: string;
	url: string;
	headers: IncomingMessage['headers'];
	body: string;
}

/** A server that responds as a test says, and keeps what arrived. */
export async function startScriptedService(
	respond: (request: ReceivedRequest, response: ServerResponse, count: number) => void,
) {
	const requests: ReceivedRequest[] = [];
	const server = createServer((request, response) => {
		const chunks: Buffer[] = [];
		request.on('data', (chunk: Buffer) => chunks.push(chunk));
		request.on('end', () => {
			const received = {
				method: request.method!,
				url: request.url!,
				headers: request.headers,
				body: Buffer.concat(chunks).toString(),
			};
			requests.push(received);
			respond(received, response, requests.length);
		});
	});
	const { url, stop } = await listen(server);
	return { requests, url, close: stop };
}

export function respondJson(
	response: ServerResponse,
	status: number,
	body: unknown,
	headers: Record<string, string> = {},
): void {
	response
		.writeHead(status, { 'content-type': 'application/json', ...headers })
		.end(body === undefined ? undefined : JSON.stringify(body));
}
