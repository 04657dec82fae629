import type { FastifyInstance, FastifyRequest } from 'fastify';

import type { Context } from '../../core/context.mts';
import { ServiceError } from '../../core/errors.mts';
import { hostOf, isAllowedHost } from '../../core/loopback.mts';
import { IDEMPOTENCY_HEADER } from '../../contract.mts';
import type { AppOptions } from '../app.mts';
import { chatRoutes } from './chats.mts';
import { connectionRoutes } from './connections.mts';
import { deliveryRoutes } from './deliveries.mts';
import { eventRoutes } from './events.mts';
import { faultRoutes } from './faults.mts';
import { worldRoutes } from './world.mts';

/**
 * Refuses calls that a page of another site makes in somebody's browser: by its Origin, and by the Host that a rebound name leaves behind.
 * The control API has no key, so this and the loopback address are what guards it.
 */
export function guard({ allowedHosts }: AppOptions) {
	return async ({ headers, ip }: Pick<FastifyRequest, 'headers' | 'ip'>): Promise<void> => {
		const { host = '', origin } = headers;
		if (allowedHosts.length === 0 && !isAllowedHost(ip, allowedHosts)) {
			throw new ServiceError(
				403,
				'The sandbox is controlled from this machine only. Start it with --allow-host to be called from others',
			);
		}
		// Or whoever may register a webhook could have the sandbox itself call its control API.
		if (IDEMPOTENCY_HEADER in headers) throw new ServiceError(403, 'Deliveries do not reach the control API');
		const name = hostOf(host);
		if (name === undefined || !isAllowedHost(name, allowedHosts)) {
			throw new ServiceError(
				403,
				'The sandbox answers here only under the name of this machine. Start it with --allow-host to add one',
			);
		}
		if (origin !== undefined && origin !== `http://${host}`)
			throw new ServiceError(403, 'Calls from the pages of another site are refused');
	};
}

/** The control API: everything that the world outside does to the service. Errors are `{"error": "…"}`. */
export async function controlPlane(app: FastifyInstance, context: Context, options: AppOptions): Promise<void> {
	app.addHook('onRequest', guard(options));
	worldRoutes(app, context);
	chatRoutes(app, context);
	connectionRoutes(app, context);
	deliveryRoutes(app, context);
	faultRoutes(app, context);
	eventRoutes(app, context);
}
