/** The one public address of n8n's processes that receive: each request goes to the next one that is ready, as the guide's proxy has it. */
import { type ClientRequest, createServer, type IncomingMessage, request as send, type ServerResponse } from 'node:http';
import { buffer } from 'node:stream/consumers';

import { listen } from '../core/harness/listen.mts';

/** Longest wait for a backend to say whether it is ready: n8n under load takes its time. */
const READY_LIMIT_MS = 10_000;

export interface FrontDoor {
	url: string;
	/** Addresses behind it. What does not accept a connection, or says that it is not ready, is passed over. */
	backends: URL[];
	/** Answers by status, those of its own among them: 502 when a backend broke off, 503 when none is ready. */
	statuses: Map<number, number>;
	stop(): Promise<void>;
}

/** An n8n that is starting answers whatever it gets 200, and takes none of it. Whether it is ready is the one thing that it then says truly. */
async function isReady(backend: URL): Promise<boolean> {
	try {
		return (await fetch(new URL('/healthz/readiness', backend), { signal: AbortSignal.timeout(READY_LIMIT_MS) })).ok;
	} catch {
		return false;
	}
}

export async function openFrontDoor(): Promise<FrontDoor> {
	const door = { backends: [] as URL[], statuses: new Map<number, number>() };
	let turn = 0;

	const begin = (response: ServerResponse, status: number, headers: IncomingMessage['headers'] = {}): void => {
		door.statuses.set(status, (door.statuses.get(status) ?? 0) + 1);
		response.writeHead(status, headers);
	};

	async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
		const body = await buffer(request);
		const order = door.backends.map((_, index) => door.backends[(turn + index) % door.backends.length]);
		turn += 1;
		for (const backend of order) {
			if (!backend || !(await isReady(backend))) continue;
			const outcome = await pass(backend, request, body, response);
			if (outcome === 'answered') return;
			// The backend has the request: another one could run it a second time, so that is left to the service.
			if (outcome === 'broken') {
				begin(response, 502);
				return void response.end();
			}
		}
		begin(response, 503);
		response.end();
	}

	async function pass(backend: URL, { method, url, headers }: IncomingMessage, body: Buffer, response: ServerResponse): Promise<'answered' | 'unreachable' | 'broken'> {
		return await new Promise((resolve) => {
			let connected = false;
			const outgoing: ClientRequest = send({ host: backend.hostname, port: backend.port, method, path: url, headers }, (incoming) => {
				begin(response, incoming.statusCode ?? 502, incoming.headers);
				incoming.pipe(response);
				incoming.on('end', () => resolve('answered'));
				incoming.on('error', () => {
					response.destroy();
					resolve('answered');
				});
			});
			outgoing.on('socket', (socket) => {
				if (!socket.connecting) connected = true;
				else socket.once('connect', () => (connected = true));
			});
			outgoing.on('error', () => resolve(connected ? 'broken' : 'unreachable'));
			// Whoever gave up waiting must be seen to have left.
			response.on('close', () => {
				if (response.writableFinished) return;
				outgoing.destroy();
				resolve('answered');
			});
			outgoing.end(body);
		});
	}

	const server = createServer((request, response) => {
		serve(request, response).catch(() => response.destroy());
	});
	return Object.assign(door, await listen(server));
}
