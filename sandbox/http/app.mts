import { setTimeout as sleep } from 'node:timers/promises';

import fastify, {
	type FastifyError,
	type FastifyInstance,
	type FastifyReply,
	type FastifyRequest,
} from 'fastify';

import type { Context } from '../context.mts';
import { errorBody, type ErrorShape, Refusal } from '../core/errors.mts';
import { BODY_LIMIT } from '../core/limits.mts';
import { authorize, describedAt, shapeOfPath, strike } from './access.mts';
import { channelRoutes } from './channels.mts';
import { controlPlane } from './control/index.mts';
import { type Access, guard } from './guard.mts';
import { parseJson, tooLarge } from './json.mts';
import { mediaRoutes } from './media.mts';
import { pageRoutes } from './page.mts';
import { refuseOtherMethods } from './route.mts';
import { webhookRoutes } from './webhooks.mts';

/** A request must have arrived whole within this time, in milliseconds. */
const REQUEST_TIMEOUT = 30_000;
const MAX_CONNECTIONS = 2000;

/** A caller's mistake in words of ours: the framework's own are about its insides. */
function refusalOf(error: FastifyError, { routeOptions }: FastifyRequest): Refusal | undefined {
	switch (error.code) {
		case 'FST_ERR_CTP_BODY_TOO_LARGE':
			return tooLarge(routeOptions.bodyLimit ?? BODY_LIMIT);
		case 'FST_ERR_CTP_INVALID_MEDIA_TYPE':
			return new Refusal(415, 'The body must be JSON, with Content-Type: application/json');
		default:
			return error.statusCode !== undefined && error.statusCode >= 400 && error.statusCode < 500
				? new Refusal(error.statusCode, 'The request is not valid')
				: undefined;
	}
}

/** The shape of an error at a route: what it is about can have its own, and the settings choose that of send. */
function shapeAt(context: Context, request: FastifyRequest, { details }: Refusal): ErrorShape {
	if (details.shape) return details.shape;
	if (request.routeOptions?.config?.operation === 'sendMessage')
		return context.settings.current.sendErrors;
	return describedAt(request)?.shape ?? shapeOfPath(request.raw.url ?? '');
}

function sendError(
	context: Context,
	error: unknown,
	request: FastifyRequest,
	reply: FastifyReply,
): void {
	let refusal = error instanceof Refusal ? error : undefined;
	if (!refusal && error instanceof Error) refusal = refusalOf(error as FastifyError, request);
	if (!refusal) {
		const where = `${request.method} ${request.url.split('?')[0]}`;
		console.error(`The sandbox failed at ${where}. Please report this:`, error);
		refusal = new Refusal(500, 'Internal error of the sandbox');
	}
	if (request.logged) request.logged.refusal = refusal.message;
	void reply
		.code(refusal.status)
		.headers(refusal.details.headers ?? {})
		.send(errorBody(shapeAt(context, request, refusal), refusal, context.clock.now()));
}

/** The routes of the service: logged, struck by faults, and open to those with a key. */
async function serviceRoutes(app: FastifyInstance, context: Context): Promise<void> {
	app.addHook('onRequest', async (request, reply) => {
		const entry = context.requests.begin(request.method, request.url.split('?')[0]!);
		request.logged = entry;
		// The end of the response comes also when the client goes away or the connection is cut.
		reply.raw.once('close', () => {
			context.requests.end(entry, reply.raw.writableFinished ? reply.statusCode : null);
			context.bus.emit('notice', 'request', entry);
		});
		if (await strike(context, request, reply, sleep)) authorize(context, request);
	});
	app.addHook('onSend', async (request) => {
		if (request.dropResponse) request.raw.socket.destroy();
	});
	await app.register(async (scope) => channelRoutes(scope, context));
	await app.register(async (scope) => webhookRoutes(scope, context));
	await app.register(async (scope) => refuseOtherMethods(scope));
}

export async function createApp(context: Context, access: Access): Promise<FastifyInstance> {
	const app = fastify({
		bodyLimit: BODY_LIMIT,
		requestTimeout: REQUEST_TIMEOUT,
		forceCloseConnections: true,
		routerOptions: { maxParamLength: 256, ignoreTrailingSlash: true },
		frameworkErrors: (error, request, reply) => sendError(context, error, request, reply),
	});
	app.server.maxConnections = MAX_CONNECTIONS;
	app.decorateRequest('tenant', null);
	app.decorateRequest('channel', null);
	app.decorateRequest('logged', null);
	app.decorateRequest('dropResponse', false);
	app.decorateRequest('bodySize', 0);
	// Before all else, and for every route: what is refused strikes no fault and is not logged.
	app.addHook('onRequest', guard(access));
	app.removeAllContentTypeParsers();
	app.addContentTypeParser(
		'application/json',
		{ parseAs: 'buffer' },
		async (request: FastifyRequest, body: string | Buffer) => {
			request.bodySize = body.length;
			return parseJson(Buffer.from(body));
		},
	);
	app.setErrorHandler((error, request, reply) => sendError(context, error, request, reply));
	app.setNotFoundHandler(async () => {
		throw new Refusal(404, 'Not found');
	});
	await app.register(async (scope) => serviceRoutes(scope, context));
	await app.register(async (scope) => controlPlane(scope, context));
	await app.register(async (scope) => mediaRoutes(scope, context));
	await app.register(async (scope) => pageRoutes(scope));
	return app;
}
