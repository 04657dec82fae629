import type { FastifyInstance, FastifyRequest } from 'fastify';

import { channelDate, templateDate } from '../core/clock.mts';
import type { Context } from '../context.mts';
import { Refusal } from '../core/errors.mts';
import { storedId } from '../core/ids.mts';
import {
	CHANNEL_EVENTS,
	CHANNEL_EVENTS_ONLY,
	createWebhookRequestSchema,
	cutText,
	RESERVED_DELIVERY_HEADERS,
	TEMPLATE_EVENTS,
	type UpdateWebhookRequest,
	updateWebhookRequestSchema,
	type WebhookAuth,
} from '../contract.mts';
import { PAYLOAD_FORMATS, type StoredWebhook, type WebhookScope } from '../store/webhooks.mts';
import { channelIn, tenantIn } from './access.mts';
import { parseWith } from './json.mts';
import { serve } from './route.mts';

/** A webhook as the service shows it, without credentials and secret. Source: docs/contract.md. */
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
		payloadFormat: webhook.payloadFormat,
		customAttributes: webhook.customAttributes,
		createdAt: date(webhook.createdAt),
		updatedAt: date(webhook.updatedAt),
	};
}

const HEADER_NAME = /^[A-Za-z0-9!#$%&'*+.^_`|~-]{1,128}$/;
const HEADER_VALUE = /^[\x20-\x7e\x80-\xff]*$/;

/**
 * The body with its credentials in `auth`. Requests for template webhooks can have them flat:
 * `authType` beside `token` or `key`. Source: published.
 */
function withAuth(body: unknown): unknown {
	if (typeof body !== 'object' || body === null || !('authType' in body)) return body;
	const { authType, token, key, ...others } = body as Record<string, unknown>;
	return { ...others, auth: { type: authType, token, key } };
}

/**
 * Credentials become headers of the delivery. An impossible header is refused here, not at the
 * first event.
 */
function checkAuth(auth: WebhookAuth): void {
	for (const [field, value] of Object.entries(auth)) {
		if (!HEADER_VALUE.test(value))
			throw new Refusal(400, `auth.${field} has characters that no header can carry`);
	}
	if (auth.type !== 'CUSTOM_HEADER') return;
	const isReserved = (RESERVED_DELIVERY_HEADERS as readonly string[]).includes(
		auth.headerName.toLowerCase(),
	);
	if (!HEADER_NAME.test(auth.headerName) || isReserved)
		throw new Refusal(400, 'auth.headerName is not a header that can be chosen');
}

/** Refuses events of the other kind of webhook. Source: published. */
function checkEvents(events: readonly string[], isTemplate: boolean): void {
	const isTemplateEvent = (event: string) => (TEMPLATE_EVENTS as readonly string[]).includes(event);
	if (isTemplate) {
		if (events.every(isTemplateEvent)) return;
		throw new Refusal(422, 'Global webhooks (without instance) accept only template events');
	}
	if (events.some(isTemplateEvent))
		throw new Refusal(CHANNEL_EVENTS_ONLY.status, CHANNEL_EVENTS_ONLY.message);
	const unknown = events.find((event) => !(CHANNEL_EVENTS as readonly string[]).includes(event));
	if (unknown !== undefined)
		throw new Refusal(400, `events: ${cutText(unknown, 64)} is not an event of a channel`);
}

/** Checks of a create or an update that the schema cannot express. */
function check<T extends UpdateWebhookRequest>(request: T, isTemplate: boolean): T {
	if (request.url !== undefined && !/^https?:$/.test(new URL(request.url).protocol))
		throw new Refusal(400, 'url must be an http or https URL');
	if (request.events) checkEvents(request.events, isTemplate);
	if (request.auth) checkAuth(request.auth);
	const formats = PAYLOAD_FORMATS[isTemplate ? 'template' : 'channel'];
	if (!formats.some((format) => format === (request.payloadFormat ?? 'DEFAULT')))
		throw new Refusal(400, `payloadFormat: must be one of ${formats.join(', ')}`);
	return request.events ? { ...request, events: [...new Set(request.events)] } : request;
}

/**
 * The webhooks of a channel, or the template webhooks of a tenant: the same five operations on two
 * paths.
 */
function webhookRoutesOf(
	kind: 'Channel' | 'Template',
	app: FastifyInstance,
	{ db, webhooks, deliveries, worker, bus, settings }: Context,
): void {
	const isTemplate = kind === 'Template';
	const scopeOf = (request: FastifyRequest): WebhookScope => ({
		tenantId: tenantIn(request).id,
		channelId: isTemplate ? null : channelIn(request).id,
	});
	const bodyOf = ({ body }: FastifyRequest) => (isTemplate ? withAuth(body) : body);
	const lag = () => (isTemplate ? settings.current.templateRoutingLag : 0);
	const find = (request: FastifyRequest): StoredWebhook => {
		const { webhookId } = request.params as { webhookId: string };
		const webhook = webhooks.get(storedId(webhookId));
		const scope = scopeOf(request);
		if (webhook?.tenantId !== scope.tenantId || webhook.channelId !== scope.channelId)
			throw new Refusal(404, 'Webhook not found');
		return webhook;
	};
	const changed = (webhook: StoredWebhook) => {
		worker.wake();
		bus.emit('notice', 'webhook', webhookView(webhook));
	};

	serve(app, `list${kind}Webhooks`, (request) =>
		webhooks
			.inScope(scopeOf(request))
			.filter(({ status }) => !isTemplate || status === 'ENABLED')
			.map(webhookView),
	);

	serve(app, `create${kind}Webhook`, (request) => {
		const body = check(parseWith(createWebhookRequestSchema, bodyOf(request)), isTemplate);
		const webhook = db.transaction(() => webhooks.create(scopeOf(request), body, lag()));
		changed(webhook);
		// Null without signing. Source: published.
		return { ...webhookView(webhook), secret: webhook.secret };
	});

	serve(app, `get${kind}Webhook`, (request) => webhookView(find(request)));

	serve(app, `update${kind}Webhook`, (request) => {
		const known = find(request);
		const body = check(parseWith(updateWebhookRequestSchema, bodyOf(request)), isTemplate);
		const webhook = db.transaction(() => webhooks.update(known, body, lag()));
		changed(webhook);
		return { ...webhookView(webhook), ...(body.signing ? { secret: webhook.secret } : {}) };
	});

	serve(app, `delete${kind}Webhook`, (request) => {
		const { id } = find(request);
		db.transaction(() => {
			webhooks.delete(id);
			deliveries.cancelFor(id);
		});
		worker.drop(id);
		bus.emit('notice', 'webhook', { id, deleted: true });
	});
}

export function webhookRoutes(app: FastifyInstance, context: Context): void {
	webhookRoutesOf('Channel', app, context);
	webhookRoutesOf('Template', app, context);
}
