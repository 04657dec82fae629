import { setTimeout as sleep } from 'node:timers/promises';
import { inspect } from 'node:util';

import fastify, {
	type FastifyError,
	type FastifyInstance,
	type FastifyReply,
	type FastifyRequest,
} from 'fastify';

import type { Context } from '../context.mts';
import { errorBody, type ErrorShape, Refusal } from '../core/errors.mts';
import { BODY_LIMIT } from '../openapi/operations.mts';
import { printError } from '../print.mts';
import { authorize, describedAt, shapeOfPath, strike } from './access.mts';
import { channelRoutes } from './channels.mts';
import { controlPlane } from './control/index.mts';
import { type Access, guard } from './guard.mts';
import { parseJson, tooLarge } from './json.mts';
import { mediaRoutes } from './media.mts';
import { pageRoutes } from './page.mts';
import { refuseOtherMethods } from './route.mts';
import { templateChangeRoutes } from './templateChanges.mts';
import { templateRoutes } from './templates.mts';
import { webhookRoutes } from './webhooks.mts';

/** Milliseconds for a request to arrive completely. */
const REQUEST_TIMEOUT = 30_000;
const MAX_CONNECTIONS = 2000;

/** A caller's mistake in our words, because the framework's describe its own internals. */
function refusalOf(error: FastifyError, request: FastifyRequest): Refusal | undefined {
	switch (error.code) {
		case 'FST_ERR_CTP_BODY_TOO_LARGE':
			return tooLarge(request.routeOptions.bodyLimit ?? BODY_LIMIT);
		case 'FST_ERR_CTP_INVALID_MEDIA_TYPE': {
			const { requestType } = describedAt(request) ?? {};
			return new Refusal(
				415,
				requestType === undefined
					? 'The body must be JSON, with Content-Type: application/json'
					: `The body must be a form, with Content-Type: ${requestType}`,
			);
		}
		default:
			return error.statusCode !== undefined && error.statusCode >= 400 && error.statusCode < 500
				? new Refusal(error.statusCode, 'The request is not valid')
				: undefined;
	}
}

/** The error shape of a route. Some errors have their own. */
function shapeAt(request: FastifyRequest, { details }: Refusal): ErrorShape {
	if (details.shape) return details.shape;
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
		const where = `${request.method} ${pathOf(request)}`;
		printError(`The sandbox failed at ${where}. Please report this: ${inspect(error)}`);
		refusal = new Refusal(500, 'Internal error of the sandbox');
	}
	const { status, headers, body } = responseTo(context, refusal, request);
	void reply.code(status).headers(headers).send(body);
}

const pathOf = ({ url }: FastifyRequest): string => url.split('?')[0]!;

/** What the caller is told of a refusal. Writes it into the log of the requests, too. */
function responseTo(context: Context, refusal: Refusal, request: FastifyRequest) {
	const { message, details, status } = refusal;
	if (request.logged)
		request.logged.refusal = [message, details.description].filter(Boolean).join(': ');
	const at = { now: context.clock.now(), path: pathOf(request) };
	return {
		status,
		headers: details.headers ?? {},
		body: errorBody(shapeAt(request, refusal), refusal, at),
	};
}

/** The routes of the service: logged, with faults, and open to callers with a key. */
async function serviceRoutes(app: FastifyInstance, context: Context): Promise<void> {
	app.addHook('onRequest', async (request, reply) => {
		const entry = context.requests.begin(request.method, pathOf(request));
		request.logged = entry;
		// The end of the response is reported also when the client disconnects or the connection is
		// cut.
		reply.raw.once('close', () => {
			context.requests.end(entry, reply.raw.writableFinished ? reply.statusCode : null);
			context.bus.emit('notice', 'request', entry);
		});
		if (await strike(context, request, reply, sleep)) authorize(context, request);
	});
	app.addHook('onSend', async (request, reply, payload) => {
		if (request.dropResponse) request.raw.socket.destroy();
		const { failsAfter } = request;
		if (!failsAfter || reply.statusCode >= 300) return payload;
		const told = responseTo(context, failsAfter, request);
		const body = JSON.stringify(told.body);
		void reply.code(told.status).headers(told.headers);
		// The framework has counted the other body.
		void reply.header('content-length', Buffer.byteLength(body));
		return body;
	});
	await app.register(async (scope) => channelRoutes(scope, context));
	await app.register(async (scope) => webhookRoutes(scope, context));
	await app.register(async (scope) => templateRoutes(scope, context));
	await app.register(async (scope) => templateChangeRoutes(scope, context));
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
	app.decorateRequest('failsAfter', null);
	app.decorateRequest('bodySize', 0);
	// Before anything else, for every route: a refused call triggers no fault and is not logged.
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
