import { setTimeout as sleep } from 'node:timers/promises';

import fastify, { type FastifyError, type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify';

import type { Context } from '../core/context.mts';
import { errorBody, ServiceError } from '../core/errors.mts';
import { authorize, shapeOfPath, strike } from './access.mts';
import { channelRoutes } from './channels.mts';
import { controlPlane } from './control/index.mts';
import { parseJson } from './json.mts';
import { pageRoutes } from './page.mts';
import { webhookRoutes } from './webhooks.mts';

/** Largest request body, in bytes. Nothing is published: assumed. */
export const BODY_LIMIT = 256 * 1024;

/** A request must have arrived whole within this time, in milliseconds. */
const REQUEST_TIMEOUT = 30_000;
const MAX_CONNECTIONS = 2000;

const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const;

export interface AppOptions {
	/** Host names besides this machine's under which the control API and the page may be called. */
	allowedHosts: readonly string[];
}

/** A caller's mistake in words of ours: the framework's own are about its insides. */
function refusalOf(error: FastifyError): ServiceError | undefined {
	switch (error.code) {
		case 'FST_ERR_CTP_BODY_TOO_LARGE':
			return new ServiceError(413, `The body is larger than ${BODY_LIMIT} bytes`);
		case 'FST_ERR_CTP_INVALID_MEDIA_TYPE':
			return new ServiceError(415, 'The body must be JSON, with Content-Type: application/json');
		default:
			return error.statusCode !== undefined && error.statusCode >= 400 && error.statusCode < 500
				? new ServiceError(error.statusCode, 'The request is not valid')
				: undefined;
	}
}

function answerError(error: unknown, request: FastifyRequest, reply: FastifyReply): void {
	let refusal = error instanceof ServiceError ? error : undefined;
	if (!refusal && error instanceof Error) refusal = refusalOf(error as FastifyError);
	if (!refusal) {
		const where = `${request.method} ${request.url.split('?')[0]}`;
		console.error(`The sandbox failed at ${where}. Please report this:`, error);
		refusal = new ServiceError(500, 'Internal error of the sandbox');
	}
	const shape = request.routeOptions?.config?.shape ?? shapeOfPath(request.raw.url ?? '');
	void reply
		.code(refusal.status)
		.headers(refusal.headers)
		.send(errorBody(shape, refusal.status, refusal.message));
}

/** Answers the methods that a path does not have, so that a wrong method is told from a wrong path. */
function refuseOtherMethods(app: FastifyInstance, known: Map<string, Set<string>>): void {
	for (const [url, methods] of known) {
		const allow = [...methods].join(', ');
		const refuse = async () => {
			throw new ServiceError(405, 'Method not allowed', { allow });
		};
		const method = METHODS.filter((name) => !methods.has(name));
		if (method.length > 0) app.route({ url, method, onRequest: refuse, handler: refuse });
	}
}

/** The routes of the service: logged, struck by faults, and open to those with a key. */
async function serviceRoutes(app: FastifyInstance, context: Context): Promise<void> {
	app.addHook('onRequest', async (request, reply) => {
		const entry = context.requests.begin(request.method, request.url.split('?')[0]!);
		// The end of the response comes also when the client goes away or the connection is cut.
		reply.raw.once('close', () => {
			context.requests.end(entry, reply.raw.writableFinished ? reply.statusCode : null);
			context.bus.publish('request', () => entry);
		});
		if (await strike(context, request, reply, sleep)) authorize(context, request);
	});
	app.addHook('onSend', async (request) => {
		if (request.dropAnswer) request.raw.socket.destroy();
	});
	const known = new Map<string, Set<string>>();
	app.addHook('onRoute', ({ url, method }) => {
		const methods = known.get(url) ?? new Set();
		for (const name of [method].flat()) methods.add(name);
		known.set(url, methods);
	});
	await app.register(async (scope) => channelRoutes(scope, context));
	await app.register(async (scope) => webhookRoutes(scope, context));
	await app.register(async (scope) => refuseOtherMethods(scope, new Map(known)));
}

export async function createApp(context: Context, options: AppOptions): Promise<FastifyInstance> {
	const app = fastify({
		bodyLimit: BODY_LIMIT,
		requestTimeout: REQUEST_TIMEOUT,
		forceCloseConnections: true,
		routerOptions: { maxParamLength: 256, ignoreTrailingSlash: true },
		frameworkErrors: (error, request, reply) => answerError(error, request, reply),
	});
	app.server.maxConnections = MAX_CONNECTIONS;
	app.decorateRequest('tenant', null);
	app.decorateRequest('channel', null);
	app.decorateRequest('dropAnswer', false);
	app.removeAllContentTypeParsers();
	app.addContentTypeParser('application/json', { parseAs: 'buffer' }, async (_request: FastifyRequest, body: string | Buffer) =>
		parseJson(Buffer.from(body)),
	);
	app.setErrorHandler(answerError);
	app.setNotFoundHandler(async () => {
		throw new ServiceError(404, 'Not found');
	});
	await app.register(async (scope) => serviceRoutes(scope, context));
	await app.register(async (scope) => controlPlane(scope, context, options));
	await app.register(async (scope) => pageRoutes(scope, options));
	return app;
}
