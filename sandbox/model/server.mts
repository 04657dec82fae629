/**
 * A stand-in for a language model on this machine: an OpenAI-compatible API that follows rules, so
 * that agents answer without a paid key.
 */
import type { AddressInfo } from 'node:net';
import { Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';

import fastify, {
	type FastifyError,
	type FastifyInstance,
	type FastifyReply,
	type FastifyRequest,
} from 'fastify';

import { Refusal } from '../core/errors.mts';
import { parseForm } from '../http/form.mts';
import { guard } from '../http/guard.mts';
import { parseJson } from '../http/json.mts';
import { chatCompletions } from './chatCompletions.mts';
import type { ModelReply, ModelRequest } from './conversation.mts';
import { responses } from './responses.mts';
import { replyByRules } from './rules.mts';
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

const APIS: Array<[path: string, api: ModelApi]> = [
	['/v1/chat/completions', chatCompletions],
	['/v1/responses', responses],
];
const MODELS = {
	object: 'list',
	data: [{ id: 'stand-in', object: 'model', created: 0, owned_by: 'sandbox' }],
};
/** Voice notes have up to 16 MB. */
const MOST_BYTES = 32 * 1024 * 1024;

const HOST = '127.0.0.1';

/** Listens on the loopback interface alone. The process can end while it listens. */
export async function startModel({
	port = 0,
	reply = replyByRules,
}: ModelOptions = {}): Promise<Model> {
	const app = fastify({ bodyLimit: MOST_BYTES, forceCloseConnections: true });
	app.addHook('onRequest', guard({ address: HOST, allowedHosts: [] }));
	readBodies(app);
	app.setErrorHandler((error: FastifyError, _request, response) =>
		// 400: callers do not ask again.
		sendError(response, error instanceof Refusal ? error.status : (error.statusCode ?? 400), error),
	);
	app.setNotFoundHandler(async ({ url }, response) =>
		sendError(response, 404, `The stand-in has no ${url.split('?')[0]}.`),
	);
	app.get('/v1/models', () => MODELS);
	app.post('/v1/audio/transcriptions', ({ body }) => ({ text: transcribe(body) }));
	for (const [path, api] of APIS)
		app.post(path, async ({ body }, response) => {
			const { model, stream, ...asked } = api.read(body);
			await trouble(asked);
			const said = reply(asked);
			if (!stream) return api.whole(said, model);
			return response.type('text/event-stream').send(Readable.from(api.streamed(said, model)));
		});
	await app.listen({ port, host: HOST });
	app.server.unref();
	return {
		url: `http://${HOST}:${(app.server.address() as AddressInfo).port}/v1`,
		close: () => app.close(),
	};
}

/** What a person asks of the stand-in in their last line: to fail, or to take its time. */
const FAILS = /\(the model fails\)/i;
const TAKES = /\(the model takes (\d{1,3}) s\)/i;

/** Waits or throws as the last line says. Not when a tool has given its result. */
async function trouble({ messages }: ModelRequest): Promise<void> {
	const last = messages.at(-1);
	if (last?.role !== 'user') return;
	const line = last.content.trim().split('\n').at(-1) ?? '';
	const [, seconds] = TAKES.exec(line) ?? [];
	if (seconds !== undefined) await sleep(Number(seconds) * 1000);
	if (FAILS.test(line)) throw new Error('The stand-in fails, because the last line asks for it');
}

/** The words of a voice note. The stand-in hears none, and says so. */
function transcribe(form: unknown): string {
	const file = form instanceof FormData ? form.get('file') : null;
	if (!(file instanceof File)) throw new Error('The form has no file');
	return `(a voice note of ${Math.ceil(file.size / 1000)} kB, which the stand-in cannot hear)`;
}

/** JSON and forms, by the sandbox's own bounds. */
function readBodies(app: FastifyInstance): void {
	app.removeAllContentTypeParsers();
	const parseAs = { parseAs: 'buffer' } as const;
	app.addContentTypeParser<Buffer>('application/json', parseAs, async (_: unknown, body: Buffer) =>
		parseJson(body),
	);
	app.addContentTypeParser<Buffer>(
		/^multipart\/form-data/,
		parseAs,
		async ({ headers }: FastifyRequest, body: Buffer) =>
			await parseForm(body, headers['content-type'] ?? ''),
	);
}

const sendError = (response: FastifyReply, status: number, error: unknown): FastifyReply =>
	response.code(status).send({ error: { message: String(error), type: 'invalid_request_error' } });
