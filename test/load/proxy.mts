/**
 * The proxy of the guide: one public address, and each request goes to the next receiving process
 * of n8n that is ready.
 */
import { hash } from 'node:crypto';
import {
	type ClientRequest,
	createServer,
	type IncomingMessage,
	request as send,
	type ServerResponse,
} from 'node:http';
import { buffer } from 'node:stream/consumers';

import { listen } from '../core/harness/listen.mts';

/** Longest wait for a backend to say whether it is ready: n8n under load takes its time. */
const READY_LIMIT_MS = 10_000;

export interface Proxy {
	url: string;
	/** Skips backends that refuse a connection or are not ready. */
	backends: URL[];
	/** The number of the backend that gets a request while it is ready. */
	first: (url: string) => number;
	/**
	 * Responses by status, with the proxy's own: 502 when a backend broke off, 503 when none is
	 * ready.
	 */
	statuses: Map<number, number>;
	stop(): Promise<void>;
}

/** Asks for its readiness, because a starting n8n responds 200 to every request and drops it. */
async function isReady(backend: URL): Promise<boolean> {
	try {
		return (
			await fetch(new URL('/healthz/readiness', backend), {
				signal: AbortSignal.timeout(READY_LIMIT_MS),
			})
		).ok;
	} catch {
		return false;
	}
}

/** Each backend in turn. */
export function inTurn(): Proxy['first'] {
	let turn = 0;
	return () => turn++;
}

/** The same for the same path. */
export const byPath = (url: string): number =>
	hash('sha256', url.split('?')[0] ?? '', 'buffer').readUInt32BE();

export async function openProxy(): Promise<Proxy> {
	const proxy = {
		backends: [] as URL[],
		first: inTurn(),
		statuses: new Map<number, number>(),
	};
	const begin = (
		response: ServerResponse,
		status: number,
		headers: IncomingMessage['headers'] = {},
	): void => {
		proxy.statuses.set(status, (proxy.statuses.get(status) ?? 0) + 1);
		response.writeHead(status, headers);
	};

	async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
		const body = await buffer(request);
		const first = proxy.first(request.url ?? '');
		const order = proxy.backends.map(
			(_, index) => proxy.backends[(first + index) % proxy.backends.length],
		);
		for (const backend of order) {
			if (!backend || !(await isReady(backend))) continue;
			const outcome = await pass(backend, request, body, response);
			if (outcome === 'responded') return;
			// A second backend could run the request again. The service decides whether to repeat it.
			if (outcome === 'broken') {
				begin(response, 502);
				return void response.end();
			}
		}
		begin(response, 503);
		response.end();
	}

	async function pass(
		backend: URL,
		{ method, url, headers }: IncomingMessage,
		body: Buffer,
		response: ServerResponse,
	): Promise<'responded' | 'unreachable' | 'broken'> {
		return await new Promise((resolve) => {
			let connected = false;
			const outgoing: ClientRequest = send(
				{ host: backend.hostname, port: backend.port, method, path: url, headers },
				(incoming) => {
					begin(response, incoming.statusCode ?? 502, incoming.headers);
					incoming.pipe(response);
					incoming.on('end', () => resolve('responded'));
					incoming.on('error', () => {
						response.destroy();
						resolve('responded');
					});
				},
			);
			outgoing.on('socket', (socket) => {
				if (!socket.connecting) connected = true;
				else socket.once('connect', () => (connected = true));
			});
			outgoing.on('error', () => resolve(connected ? 'broken' : 'unreachable'));
			// The backend must see that the client disconnected.
			response.on('close', () => {
				if (response.writableFinished) return;
				outgoing.destroy();
				resolve('responded');
			});
			outgoing.end(body);
		});
	}

	const server = createServer((request, response) => {
		serve(request, response).catch(() => response.destroy());
	});
	return Object.assign(proxy, await listen(server));
}
