import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { gunzipSync } from 'node:zlib';

import { DEMO_CHANNEL_ID, DEMO_SECRET_KEY } from '#sandbox/seed.mts';
import { startSandbox, type SandboxOptions } from '#sandbox/server.mts';
import { requireDocumentedEvents } from './documentedEvents.mts';

/** A response of the sandbox. `body` is undefined if it was empty. */
export interface ClientResponse<T = unknown> {
	status: number;
	headers: Headers;
	body: T;
}

export interface CallOptions {
	method?: string;
	/** Sent as JSON. A string is sent unchanged. */
	body?: unknown;
	/** Secret key. Null sends no Authorization header. The default is the demo tenant's key. */
	key?: string | null;
	headers?: Record<string, string>;
}

/** The names and types in a value, without the values. */
export function shapeOf(value: unknown): unknown {
	if (Array.isArray(value)) return value.map(shapeOf);
	if (typeof value !== 'object' || value === null) return typeof value;
	return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, shapeOf(inner)]));
}

/** Variants of a value: each part of it removed, or replaced by others. */
export function variantsOf(value: unknown, othersOf: (part: unknown) => unknown[]): unknown[] {
	const others = othersOf(value);
	if (Array.isArray(value)) {
		const list: unknown[] = value;
		const inside = list.flatMap((item, index) =>
			variantsOf(item, othersOf).map((other) => list.with(index, other)),
		);
		return [...others, ...inside];
	}
	if (typeof value !== 'object' || value === null) return others;
	const inside = Object.entries(value).flatMap(([key, inner]) => {
		const { [key]: _removed, ...without } = value as Record<string, unknown>;
		return [without, ...variantsOf(inner, othersOf).map((other) => ({ ...value, [key]: other }))];
	});
	return [...others, ...inside];
}

/** A template, as a send has it. */
export const templateContent = (name: string, components: object[], code = 'en_US') => ({
	type: 'TEMPLATE',
	attachments: [{ template: { name, language: { policy: 'deterministic', code }, components } }],
});

/** Has a server listen on this machine. */
export async function listening(server: Server) {
	await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
	return {
		url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
		close: () =>
			new Promise<void>((resolve) => {
				server.close(() => resolve());
				server.closeAllConnections();
			}),
	};
}

/**
 * Waits until `look` returns something, and returns it. Fails with `what` after `limit`
 * milliseconds.
 */
export async function until<T>(
	what: string,
	look: () => Promise<T | undefined | false> | T | undefined | false,
	limit = 10_000,
): Promise<T> {
	const end = Date.now() + limit;
	for (;;) {
		const found = await look();
		if (found !== undefined && found !== false) return found;
		if (Date.now() > end) throw new Error(`gave up waiting until ${what}`);
		await sleep(10);
	}
}

/** The token of a sandbox that other machines can call. */
export interface ClientKeys {
	secretKey?: string | null;
	token?: string | undefined;
}

/** Calls a sandbox by its address. */
export function clientOf(url: string, { secretKey = DEMO_SECRET_KEY, token }: ClientKeys = {}) {
	const call = async <T = unknown,>(
		path: string,
		{ method, body, key = secretKey, headers = {} }: CallOptions = {},
	): Promise<ClientResponse<T>> => {
		const response = await fetch(url + path, {
			method: method ?? (body === undefined ? 'GET' : 'POST'),
			headers: {
				...(key === null ? {} : { authorization: `Bearer ${key}` }),
				...(token === undefined ? {} : { 'x-sandbox-token': token }),
				...(body === undefined ? {} : { 'content-type': 'application/json' }),
				...headers,
			},
			...(body === undefined
				? {}
				: { body: typeof body === 'string' ? body : JSON.stringify(body) }),
		});
		const text = await response.text();
		const isJson = response.headers.get('content-type')?.startsWith('application/json');
		return {
			status: response.status,
			headers: response.headers,
			body: (text === '' ? undefined : isJson ? JSON.parse(text) : text) as T,
		};
	};
	/** A call of the control API, which must succeed. */
	const control = async <T = unknown,>(path: string, options: CallOptions = {}): Promise<T> => {
		const response = await call<T>(`/_sandbox${path}`, { ...options, key: null });
		if (response.status >= 300)
			throw new Error(`${path} answered ${response.status}: ${JSON.stringify(response.body)}`);
		return response.body;
	};
	/** Sends a content of any kind. */
	const sendContent = <T = { messageId: string },>(recipient: string, content: unknown) =>
		call<T>(`/v1/channels/${DEMO_CHANNEL_ID}/messages`, {
			body: { recipient: { identifier: recipient }, content },
		});
	const send = (recipient: string, message: string, channelId = DEMO_CHANNEL_ID) =>
		call<{ messageId: string }>(`/v1/channels/${channelId}/messages`, {
			body: { recipient: { identifier: recipient }, content: { type: 'TEXT', body: { message } } },
		});
	const inbound = (from: string, text: string, more: Record<string, unknown> = {}) =>
		control<{ messageId: string }>('/inbound', {
			body: { channelId: DEMO_CHANNEL_ID, from, text, ...more },
		});
	return { url, secretKey, token, call, control, send, sendContent, inbound };
}

export type Client = ReturnType<typeof clientOf>;

/** Its `close` fails if an event did not match the OpenAPI document. */
export async function startTestSandbox(
	options: SandboxOptions = {},
): Promise<Client & { close: () => Promise<void> }> {
	const sandbox = await startSandbox(options);
	const close = async () => {
		await sandbox.close();
		requireDocumentedEvents();
	};
	const { url, demoSecretKey: secretKey, token } = sandbox;
	return { ...clientOf(url, { secretKey, token }), close };
}

export interface Received {
	headers: IncomingHttpHeaders;
	/** The received bytes. */
	wire: Buffer;
	/** Unzipped if it was gzipped. */
	body: Buffer;
	json: unknown;
}

/** How a receiver responds: a status and headers, or null to cut the connection. */
export type Reaction = {
	status?: number;
	headers?: Record<string, string>;
	body?: string;
	delay?: number;
	/** Delays the response until this settles. */
	held?: Promise<void>;
} | null;

/** A receiver of deliveries. `react` decides each response; without it, 200. */
export async function startReceiver(
	react: (received: Received, count: number) => Reaction = () => ({}),
) {
	const received: Received[] = [];
	const server = createServer((request, response) => {
		const chunks: Buffer[] = [];
		request.on('data', (chunk: Buffer) => chunks.push(chunk));
		request.on('end', () => {
			const wire = Buffer.concat(chunks);
			const body = request.headers['content-encoding'] === 'gzip' ? gunzipSync(wire) : wire;
			const entry = {
				headers: request.headers,
				wire,
				body,
				json: JSON.parse(body.toString()) as unknown,
			};
			received.push(entry);
			const reaction = react(entry, received.length);
			if (reaction === null) return void request.socket.destroy();
			const respond = () =>
				response.writeHead(reaction.status ?? 200, reaction.headers).end(reaction.body ?? '');
			if (reaction.held) return void reaction.held.then(respond);
			if (reaction.delay === undefined) return void respond();
			setTimeout(respond, reaction.delay).unref();
		});
	});
	const { url, close } = await listening(server);
	return { url: `${url}/hook`, received, close };
}

export type Receiver = Awaited<ReturnType<typeof startReceiver>>;
