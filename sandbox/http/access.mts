import type { FastifyReply, FastifyRequest } from 'fastify';

import type { Context } from '../context.mts';
import { type ErrorShape, Refusal } from '../core/errors.mts';
import { storedId } from '../core/ids.mts';
import { CHANNEL_NOT_FOUND, TEMPLATE_UNAUTHORIZED, WINDOW_CLOSED } from '../contract.mts';
import type { Operation } from '../faults/schema.mts';
import { OPERATION_DESCRIPTIONS, ROLE_REQUIRED } from '../openapi/operations.mts';
import type { LoggedRequest } from '../core/request-log.mts';
import type { Channel } from '../store/channels.mts';
import type { Tenant } from '../store/tenants.mts';

declare module 'fastify' {
	interface FastifyContextConfig {
		operation?: Operation;
	}
	interface FastifyRequest {
		tenant: Tenant | null;
		channel: Channel | null;
		/** Its entry in the request log of the service; null for other routes. */
		logged: LoggedRequest | null;
		/** Size of its body in bytes. */
		bodySize: number;
		/** Whether to cut the connection instead of responding. */
		dropResponse: boolean;
		/** What it is told though it was carried out. */
		failsAfter: Refusal | null;
	}
}

/** The description of a request's operation; undefined before the path is found. */
export function describedAt({ routeOptions }: FastifyRequest) {
	const operation = routeOptions?.config?.operation;
	return operation && OPERATION_DESCRIPTIONS[operation];
}

/** Shape of an error without an operation, by the beginning of the path. */
export function shapeOfPath(url: string): ErrorShape {
	return /^\/v1\/webhooks(?:[/?]|$)|^\/v1\/channels\/?(?:\?|$)|^\/_sandbox(?:[/?]|$)/.test(url)
		? 'B'
		: 'A';
}

/** The tenant of a request's secret key; undefined without a known key. */
function tenantWithKey({ tenants }: Context, { headers }: FastifyRequest): Tenant | undefined {
	const key = /^Bearer +(\S+)$/i.exec(headers.authorization ?? '')?.[1];
	return key === undefined ? undefined : tenants.findBySecretKey(key);
}

function tenantOf(context: Context, request: FastifyRequest): Tenant {
	if (!request.headers.authorization && describedAt(request)?.headerRequired)
		throw new Refusal(400, 'Authorization header is required');
	const tenant = tenantWithKey(context, request);
	if (tenant) return tenant;
	// Assumed for the template routes.
	const { status, message } = describedAt(request)?.unauthorized ?? TEMPLATE_UNAUTHORIZED;
	throw new Refusal(status, message);
}

/** Finds the caller, whether they may call, and their channel, before the body is read. */
export function authorize(context: Context, request: FastifyRequest): void {
	const tenant = tenantOf(context, request);
	const { blockedAddress } = context.settings.current;
	if (blockedAddress !== null)
		throw new Refusal(400, `${blockedAddress} not allowed`, { shape: 'B' });
	const { enterprise = false, notFound = CHANNEL_NOT_FOUND.message } = describedAt(request) ?? {};
	if (enterprise && !tenant.enterprise)
		throw new Refusal(422, enterprise === true ? ROLE_REQUIRED : enterprise);
	request.tenant = tenant;
	const { channelId } = request.params as { channelId?: string };
	if (channelId === undefined) return;
	const channel = context.channels.get(storedId(channelId));
	if (channel?.tenantId !== tenant.id) throw new Refusal(CHANNEL_NOT_FOUND.status, notFound);
	request.channel = channel;
}

/**
 * Applies the faults of a route. Returns false if the connection was cut and the request is over.
 */
export async function strike(
	context: Context,
	request: FastifyRequest,
	reply: FastifyReply,
	wait: (ms: number) => Promise<unknown>,
): Promise<boolean> {
	const { operation } = request.routeOptions.config;
	if (!operation) return true;
	const tenantId = tenantWithKey(context, request)?.id;
	for (const fault of context.faults.takeForRoute(operation, tenantId)) {
		switch (fault.kind) {
			case 'latency':
				await wait(fault.ms);
				break;
			case 'dropBefore':
				reply.hijack();
				request.raw.socket.destroy();
				return false;
			case 'dropAfter':
				request.dropResponse = true;
				break;
			case 'windowClosed':
				throw new Refusal(WINDOW_CLOSED.status, WINDOW_CLOSED.message);
			case 'status': {
				const headers: Record<string, string> =
					fault.retryAfter === undefined ? {} : { 'retry-after': String(fault.retryAfter) };
				const { message = 'Fault injected by the sandbox', shape } = fault;
				const refusal = new Refusal(fault.status, message, {
					headers,
					...(shape === undefined ? {} : { shape }),
				});
				if (!fault.after) throw refusal;
				request.failsAfter = refusal;
				break;
			}
		}
	}
	return true;
}

/** The tenant of a request that `authorize` accepted. */
export function tenantIn(request: FastifyRequest): Tenant {
	if (!request.tenant) throw new Error('the route has no tenant: it was not authorized');
	return request.tenant;
}

/** The channel of a request that `authorize` accepted. */
export function channelIn(request: FastifyRequest): Channel {
	if (!request.channel) throw new Error('the route has no channel: it was not authorized');
	return request.channel;
}
