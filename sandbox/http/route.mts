import type { FastifyInstance, FastifyRequest } from 'fastify';

import { Refusal } from '../core/errors.mts';
import type { Operation } from '../faults/schema.mts';
import { OPERATION_DESCRIPTIONS } from '../openapi/operations.mts';

const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'];

/** The path in the server framework's form. */
const urlOf = (path: string) => path.replace(/\{(\w+)\}/g, ':$1');

/** Serves an operation. Its description alone has the method, path, kind of errors and status. */
export function serve(
	app: FastifyInstance,
	operation: Operation,
	handle: (request: FastifyRequest) => unknown,
): void {
	const { method, path, success, bodyLimit } = OPERATION_DESCRIPTIONS[operation];
	app.route({
		method,
		url: urlOf(path),
		config: { operation },
		...(bodyLimit === undefined ? {} : { bodyLimit }),
		handler: async (request, reply) => await reply.code(success.status).send(await handle(request)),
	});
}

/**
 * Refuses other methods on an operation's path, so that a wrong method differs from a wrong path.
 */
export function refuseOtherMethods(app: FastifyInstance): void {
	for (const path of new Set(Object.values(OPERATION_DESCRIPTIONS).map(({ path }) => path))) {
		const url = urlOf(path);
		const isServed = (method: string) => app.hasRoute({ url, method });
		const allow = METHODS.filter(isServed).join(', ');
		const refuse = async () => {
			throw new Refusal(405, 'Method not allowed', { headers: { allow } });
		};
		const method = METHODS.filter((name) => !isServed(name));
		app.route({ url, method, onRequest: refuse, handler: refuse });
	}
}
