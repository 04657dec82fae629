import { createServer } from 'node:http';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

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
	await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
	return {
		requests,
		url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
		close: async () => {
			server.closeAllConnections();
			await new Promise((resolve) => server.close(resolve));
		},
	};
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
