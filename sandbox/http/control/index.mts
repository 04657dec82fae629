import type { FastifyInstance } from 'fastify';

import type { Context } from '../../context.mts';
import { chatRoutes } from './chats.mts';
import { connectionRoutes } from './connections.mts';
import { deliveryRoutes } from './deliveries.mts';
import { eventRoutes } from './events.mts';
import { faultRoutes } from './faults.mts';
import { administrationRoutes } from './administration.mts';
import { uploadRoutes } from './media.mts';
import { templateRoutes } from './templates.mts';

/**
 * The control API: everything that happens to the service from outside. Errors are `{"error":
 * "…"}`.
 */
export async function controlPlane(app: FastifyInstance, context: Context): Promise<void> {
	administrationRoutes(app, context);
	chatRoutes(app, context);
	templateRoutes(app, context);
	await app.register(async (scope) => uploadRoutes(scope, context));
	connectionRoutes(app, context);
	deliveryRoutes(app, context);
	faultRoutes(app, context);
	eventRoutes(app, context);
}
