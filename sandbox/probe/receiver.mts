import type { IncomingHttpHeaders } from 'node:http';
import { gunzipSync } from 'node:zlib';

import fastify from 'fastify';

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
	/** The response to a delivery. `count`: how many came to this webhook, with this one. */
	react: (name: string, count: number) => Reaction;
}

export async function startReceiver(options: ReceiverOptions): Promise<Receiver> {
	const received: Delivered[] = [];
	const hits = new Set<string>();
	const app = fastify({ bodyLimit: BODY_MAX, forceCloseConnections: true });
	app.removeAllContentTypeParsers();
	app.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body));
	app.all('*', (request, reply) => {
		const [token, name = ''] = request.url.split('/').slice(-2);
		if (token !== options.token) return reply.code(404).send();
		hits.add(name);
		if (name === PICTURE_NAME) return reply.type('image/png').send(PICTURE);
		const delivered = read(name, request.headers, (request.body ?? Buffer.alloc(0)) as Buffer);
		if (!delivered || !options.isKept(delivered.json)) return reply.send();
		received.push(delivered);
		const count = received.filter((other) => other.name === name).length;
		const reaction = options.react(name, count);
		if (reaction !== 'hold')
			return reply
				.code(reaction.status)
				.headers(reaction.headers ?? {})
				.send();
		reply.hijack();
		reply.raw.once('close', () => (delivered.gaveUpAfter = Date.now() - delivered.at));
		return reply;
	});
	const { port } = options;
	await app.listen({ port, host: '127.0.0.1' }).catch(({ code }: { code?: string }) => {
		throw new StartError(`Port ${port} cannot be used (${code}). Choose another with --port.`);
	});
	const addressOf = (name: string) => `${options.publicUrl}/${options.token}/${name}`;
	const close = async () => void (await app.close());
	return { addressOf, pictureUrl: addressOf(PICTURE_NAME), received, hits, close };
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
