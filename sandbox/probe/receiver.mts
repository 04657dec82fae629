import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import { gunzipSync } from 'node:zlib';

import { StartError } from '../core/errors.mts';

/** Larger bodies are refused. */
const BODY_MAX = 1024 * 1024;

/** A PNG of one pixel. */
const PICTURE = Buffer.from(
	'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
	'base64',
);
const PICTURE_NAME = 'picture.png';

/** A delivery as it arrived. */
export interface Delivered {
	/** Which webhook it came to. */
	name: string;
	headers: IncomingHttpHeaders;
	/** Uncompressed. */
	body: Buffer;
	json: unknown;
	isCompressed: boolean;
	/** Milliseconds: this machine's clock. */
	at: number;
	/** Milliseconds until the service gave up. Undefined: it has not. */
	gaveUpAfter?: number;
}

/** A status with headers, or `hold`: no response at all. */
export type Reaction = { status: number; headers?: Record<string, string> } | 'hold';

/** Decides the response to a delivery. @param count how many came to this webhook, with this one */
export type React = (delivered: Delivered, count: number) => Reaction;

/** The probe's own address for deliveries, and for a picture. */
export interface Receiver {
	/** The public address of a webhook, or of the picture. */
	addressOf: (name: string) => string;
	pictureUrl: string;
	/** Deliveries that `isKept` let in, oldest first. */
	received: Delivered[];
	/** The names that anything came to. */
	hits: ReadonlySet<string>;
	close: () => Promise<void>;
}

export interface ReceiverOptions {
	port: number;
	/** The address that leads here, without a trailing slash. */
	publicUrl: string;
	/** Nobody else knows it. */
	token: string;
	/** Deliveries about others are confirmed and forgotten. */
	isKept: (json: unknown) => boolean;
	react: React;
}

export async function startReceiver(options: ReceiverOptions): Promise<Receiver> {
	const received: Delivered[] = [];
	const hits = new Set<string>();
	const server = createServer((request, response) => {
		const chunks: Buffer[] = [];
		let size = 0;
		request.on('data', (chunk: Buffer) => {
			size += chunk.length;
			if (size > BODY_MAX) request.destroy();
			else chunks.push(chunk);
		});
		request.on('error', () => undefined);
		request.on('end', () => {
			const [token, name = ''] = (request.url ?? '').split('/').slice(-2);
			if (token !== options.token) return void response.writeHead(404).end();
			hits.add(name);
			if (name === PICTURE_NAME)
				return void response.writeHead(200, { 'content-type': 'image/png' }).end(PICTURE);
			const delivered = read(name, request.headers, Buffer.concat(chunks));
			if (delivered && options.isKept(delivered.json)) received.push(delivered);
			else return void response.writeHead(200).end();
			const count = received.filter((other) => other.name === name).length;
			respond(response, delivered, options.react(delivered, count));
		});
	});
	await new Promise<void>((resolve, reject) => {
		server.once('error', (error: NodeJS.ErrnoException) =>
			reject(
				new StartError(
					`Port ${options.port} cannot be used (${error.code}). Choose another with --port.`,
				),
			),
		);
		server.listen(options.port, '127.0.0.1', resolve);
	});
	const addressOf = (name: string) => `${options.publicUrl}/${options.token}/${name}`;
	return {
		addressOf,
		pictureUrl: addressOf(PICTURE_NAME),
		received,
		hits,
		close: () =>
			new Promise((resolve) => {
				server.close(() => resolve());
				server.closeAllConnections();
			}),
	};
}

function read(name: string, headers: IncomingHttpHeaders, wire: Buffer): Delivered | undefined {
	try {
		const isCompressed = headers['content-encoding'] === 'gzip';
		const body = isCompressed ? gunzipSync(wire, { maxOutputLength: BODY_MAX }) : wire;
		const json = JSON.parse(body.toString()) as unknown;
		return { name, headers, body, json, isCompressed, at: Date.now() };
	} catch {
		return undefined;
	}
}

function respond(response: ServerResponse, delivered: Delivered, reaction: Reaction): void {
	if (reaction !== 'hold') return void response.writeHead(reaction.status, reaction.headers).end();
	response.once('close', () => {
		delivered.gaveUpAfter = Date.now() - delivered.at;
	});
}
