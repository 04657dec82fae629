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
		/** Its entry in the log of requests to the service; null of the others. */
		logged: LoggedRequest | null;
		/** Bytes of its body. */
		bodySize: number;
		/** The connection is to be cut instead of responding. */
		dropResponse: boolean;
	}
}

/** How the operation of a request is described; undefined where there is none, as before a path is found. */
export function describedAt({ routeOptions }: FastifyRequest) {
	const operation = routeOptions?.config?.operation;
	return operation && OPERATION_DESCRIPTIONS[operation];
}

/** Shape of an error where no operation says it: by the beginning of the path. */
export function shapeOfPath(url: string): ErrorShape {
	return /^\/v1\/webhooks(?:[/?]|$)|^\/v1\/channels\/?(?:\?|$)|^\/_sandbox(?:[/?]|$)/.test(url)
		? 'B'
		: 'A';
}

/** The tenant whose secret key a request has; undefined when it has none that is known. */
function tenantWithKey({ tenants }: Context, { headers }: FastifyRequest): Tenant | undefined {
	const key = /^Bearer +(\S+)$/i.exec(headers.authorization ?? '')?.[1];
	return key === undefined ? undefined : tenants.findBySecretKey(key);
}

function tenantOf(context: Context, request: FastifyRequest): Tenant {
	if (!request.headers.authorization && describedAt(request)?.headerRequired)
		throw new Refusal(400, 'Authorization header is required');
	const tenant = tenantWithKey(context, request);
	if (tenant) return tenant;
	// Of the template routes it is assumed.
	const { status, message } = describedAt(request)?.unauthorized ?? TEMPLATE_UNAUTHORIZED;
	throw new Refusal(status, message);
}

/** Who asks, whether they may, and about which channel of theirs: before the body is looked at. */
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

/** Lets the faults of a route strike. Returns false when the connection was cut and nothing more is to happen. */
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
				throw new Refusal(fault.status, fault.message ?? 'Fault injected by the sandbox', {
					headers,
				});
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
