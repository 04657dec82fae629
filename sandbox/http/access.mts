import type { FastifyReply, FastifyRequest } from 'fastify';

import type { Context } from '../core/context.mts';
import { type ErrorShape, ServiceError } from '../core/errors.mts';
import { CHANNEL_NOT_FOUND, TEMPLATE_UNAUTHORIZED, WINDOW_CLOSED } from '../contract.mts';
import type { Operation } from '../faults/schema.mts';
import type { Channel } from '../store/channels.mts';
import type { Tenant } from '../store/tenants.mts';

declare module 'fastify' {
	interface FastifyContextConfig {
		/** Shape of the route's errors. */
		shape?: ErrorShape;
		operation?: Operation;
		/** The account must have the ENTERPRISE role. */
		enterprise?: boolean;
		/** Without the Authorization header, 400 instead of 401. Source: description, template webhooks. */
		headerRequired?: boolean;
	}
	interface FastifyRequest {
		tenant: Tenant | null;
		channel: Channel | null;
		/** The connection is to be cut instead of answering. */
		dropAnswer: boolean;
	}
}

/** Shape of an error where no route says it: by the beginning of the path. */
export function shapeOfPath(url: string): ErrorShape {
	return /^\/v1\/webhooks(?:[/?]|$)|^\/v1\/channels\/?(?:\?|$)|^\/_sandbox(?:[/?]|$)/.test(url) ? 'B' : 'A';
}

function tenantOf(context: Context, request: FastifyRequest): Tenant {
	const { authorization } = request.headers;
	if (!authorization && request.routeOptions.config.headerRequired) throw new ServiceError(400, 'Authorization header is required');
	const key = /^Bearer +(\S+)$/i.exec(authorization ?? '')?.[1];
	const tenant = key === undefined ? undefined : context.tenants.findBySecretKey(key);
	// The description says it of the other routes; of the template routes it is assumed.
	if (!tenant) throw new ServiceError(TEMPLATE_UNAUTHORIZED.status, TEMPLATE_UNAUTHORIZED.message);
	return tenant;
}

/** Who asks, whether they may, and about which channel of theirs: before the body is looked at. */
export function authorize(context: Context, request: FastifyRequest): void {
	const tenant = tenantOf(context, request);
	if (request.routeOptions.config.enterprise && !tenant.enterprise) throw new ServiceError(422, 'This action requires ENTERPRISE role');
	request.tenant = tenant;
	const { channelId } = request.params as { channelId?: string };
	if (channelId === undefined) return;
	const channel = context.channels.get(channelId.toUpperCase());
	if (channel?.tenantId !== tenant.id) throw new ServiceError(CHANNEL_NOT_FOUND.status, CHANNEL_NOT_FOUND.message);
	request.channel = channel;
}

/** Lets the faults of a route strike. Returns false when the connection was cut and nothing more is to happen. */
export async function strike(
	context: Context,
	request: FastifyRequest,
	reply: FastifyReply,
	wait: (ms: number) => Promise<unknown>,
): Promise<boolean> {
	const { operation } = request.routeOptions.config;
	if (!operation) return true;
	for (const fault of context.faults.takeForRoute(operation)) {
		switch (fault.kind) {
			case 'latency':
				await wait(fault.ms);
				break;
			case 'dropBefore':
				reply.hijack();
				request.raw.socket.destroy();
				return false;
			case 'dropAfter':
				request.dropAnswer = true;
				break;
			case 'windowClosed':
				throw new ServiceError(WINDOW_CLOSED.status, WINDOW_CLOSED.message);
			case 'status': {
				const headers: Record<string, string> = fault.retryAfter === undefined ? {} : { 'retry-after': String(fault.retryAfter) };
				throw new ServiceError(fault.status, fault.message ?? 'Fault injected by the sandbox', headers);
			}
		}
	}
	return true;
}

/** The tenant of a request that `authorize` let through. */
export function tenantIn(request: FastifyRequest): Tenant {
	if (!request.tenant) throw new Error('the route has no tenant: it was not authorized');
	return request.tenant;
}

/** The channel of a request that `authorize` let through. */
export function channelIn(request: FastifyRequest): Channel {
	if (!request.channel) throw new Error('the route has no channel: it was not authorized');
	return request.channel;
}
