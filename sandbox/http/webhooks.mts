import type { FastifyInstance, FastifyRequest } from 'fastify';

import { channelDate, templateDate } from '../core/clock.mts';
import type { Context } from '../core/context.mts';
import { ServiceError } from '../core/errors.mts';
import {
	CHANNEL_EVENTS,
	CHANNEL_EVENTS_ONLY,
	createWebhookRequestSchema,
	RESERVED_DELIVERY_HEADERS,
	TEMPLATE_EVENTS,
	type UpdateWebhookRequest,
	updateWebhookRequestSchema,
	type WebhookAuth,
} from '../contract.mts';
import type { StoredWebhook, WebhookScope } from '../store/webhooks.mts';
import { channelIn, tenantIn } from './access.mts';
import { parseWith } from './json.mts';

const HEADER_NAME = /^[A-Za-z0-9!#$%&'*+.^_`|~-]{1,128}$/;
const HEADER_VALUE = /^[\x20-\x7e\x80-\xff]*$/;

/** A webhook as the service shows it. Credentials and the secret are left out. Source: description. */
export function webhookView(webhook: StoredWebhook) {
	const isTemplate = webhook.channelId === null;
	const date = isTemplate ? templateDate : channelDate;
	return {
		id: webhook.id,
		channelId: webhook.channelId,
		instanceId: webhook.channelId,
		url: webhook.url,
		description: webhook.description,
		events: webhook.events,
		status: webhook.status,
		signing: webhook.secret !== null,
		auth: { type: webhook.auth.type, configured: webhook.auth.type !== 'NONE' },
		payloadFormat: 'DEFAULT',
		customAttributes: webhook.customAttributes,
		createdAt: date(webhook.createdAt),
		updatedAt: date(webhook.updatedAt),
	};
}

/** Credentials become headers of the delivery: what cannot be one is refused here, not at the first event. */
function checkAuth(auth: WebhookAuth): void {
	for (const [field, value] of Object.entries(auth)) {
		if (!HEADER_VALUE.test(value)) throw new ServiceError(400, `auth.${field} has characters that no header can carry`);
	}
	if (auth.type !== 'CUSTOM_HEADER') return;
	const isReserved = (RESERVED_DELIVERY_HEADERS as readonly string[]).includes(auth.headerName.toLowerCase());
	if (!HEADER_NAME.test(auth.headerName) || isReserved) throw new ServiceError(400, 'auth.headerName is not a header that can be chosen');
}

/** Each kind of webhook refuses the other kind's events. Source: published. */
function checkEvents(events: readonly string[], isTemplate: boolean): void {
	const isTemplateEvent = (event: string) => (TEMPLATE_EVENTS as readonly string[]).includes(event);
	if (isTemplate) {
		if (events.every(isTemplateEvent)) return;
		throw new ServiceError(422, 'Global webhooks (without instance) accept only template events');
	}
	if (events.some(isTemplateEvent)) throw new ServiceError(CHANNEL_EVENTS_ONLY.status, CHANNEL_EVENTS_ONLY.message);
	const unknown = events.find((event) => !(CHANNEL_EVENTS as readonly string[]).includes(event));
	if (unknown !== undefined) throw new ServiceError(400, `events: ${unknown.slice(0, 64)} is not an event of a channel`);
}

/** What the schema cannot say about a create or an update. */
function check<T extends UpdateWebhookRequest>(request: T, isTemplate: boolean): T {
	if (request.url !== undefined && !/^https?:$/.test(new URL(request.url).protocol))
		throw new ServiceError(400, 'url must be an http or https URL');
	if (request.events) checkEvents(request.events, isTemplate);
	if (request.auth) checkAuth(request.auth);
	if (request.payloadFormat !== undefined && request.payloadFormat !== 'DEFAULT') {
		throw new ServiceError(400, 'payloadFormat: the sandbox has only DEFAULT');
	}
	return request.events ? { ...request, events: [...new Set(request.events)] } : request;
}

/** The webhooks of a channel and the template webhooks of a tenant: the same five operations on two paths. */
export function webhookRoutes(app: FastifyInstance, context: Context): void {
	const { db, webhooks, worker, bus, settings } = context;

	const register = (root: string, isTemplate: boolean) => {
		const kind = isTemplate ? ('Template' as const) : ('Channel' as const);
		const shared = { shape: isTemplate ? ('B' as const) : ('A' as const), enterprise: true, headerRequired: isTemplate };
		const scopeOf = (request: FastifyRequest): WebhookScope => ({
			tenantId: tenantIn(request).id,
			channelId: isTemplate ? null : channelIn(request).id,
		});
		const lag = () => (isTemplate ? settings.current.templateRoutingLag : 0);
		const find = (request: FastifyRequest): StoredWebhook => {
			const { webhookId } = request.params as { webhookId: string };
			const webhook = webhooks.get(webhookId.toUpperCase());
			const scope = scopeOf(request);
			if (webhook?.tenantId !== scope.tenantId || webhook.channelId !== scope.channelId)
				throw new ServiceError(404, 'Webhook not found');
			return webhook;
		};
		const changed = (webhook: StoredWebhook) => {
			worker.wake();
			bus.publish('webhook', () => webhookView(webhook));
		};

		app.get(root, { config: { ...shared, operation: `list${kind}Webhooks` } }, async (request) =>
			webhooks
				.inScope(scopeOf(request))
				.filter(({ status }) => !isTemplate || status === 'ENABLED')
				.map(webhookView),
		);

		app.post(root, { config: { ...shared, operation: `create${kind}Webhook` } }, async (request, reply) => {
			const body = check(parseWith(createWebhookRequestSchema, request.body), isTemplate);
			const webhook = db.transaction(() => webhooks.create(scopeOf(request), body, lag()));
			changed(webhook);
			return reply.code(201).send({ ...webhookView(webhook), ...(webhook.secret === null ? {} : { secret: webhook.secret }) });
		});

		app.get(`${root}/:webhookId`, { config: { ...shared, operation: `get${kind}Webhook` } }, async (request) =>
			webhookView(find(request)),
		);

		app.patch(`${root}/:webhookId`, { config: { ...shared, operation: `update${kind}Webhook` } }, async (request) => {
			const known = find(request);
			const body = check(parseWith(updateWebhookRequestSchema, request.body), isTemplate);
			const webhook = db.transaction(() => webhooks.update(known, body, lag()));
			changed(webhook);
			return { ...webhookView(webhook), ...(body.signing ? { secret: webhook.secret } : {}) };
		});

		app.delete(`${root}/:webhookId`, { config: { ...shared, operation: `delete${kind}Webhook` } }, async (request, reply) => {
			const webhook = find(request);
			db.transaction(() => {
				webhooks.delete(webhook.id);
				context.deliveries.cancelFor(webhook.id);
			});
			worker.drop(webhook.id);
			bus.publish('webhook', () => ({ id: webhook.id, deleted: true }));
			return reply.code(204).send();
		});
	};

	register('/v1/channels/:channelId/webhooks', false);
	register('/v1/webhooks', true);
}
