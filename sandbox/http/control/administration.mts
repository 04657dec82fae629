import type { FastifyInstance } from 'fastify';
import { z } from 'zod';

import { CHANNEL_TYPES, kindOf } from '../../channelTypes.mts';
import type { Context } from '../../context.mts';
import { MAX_SPEED } from '../../core/clock.mts';
import { settingsPatchSchema } from '../../core/settings.mts';
import { ANIMATED_STICKER_MAX, idSchema, MEDIA_MAX, MEDIA_TYPES } from '../../contract.mts';
import { demoSecretKey } from '../../demoKey.mts';
import { reset } from '../../seed.mts';
import { addTenants, newTenantsSchema } from '../../seedTenants.mts';
import { parseWith } from '../json.mts';
import { removeWith } from '../remove.mts';
import { webhookView } from '../webhooks.mts';
import { tenantNamed } from './find.mts';

const MAX_ADVANCE = 10 * 366 * 86_400;

export const resetSchema = z.strictObject({
	seed: z.string().min(1).max(256).optional(),
	demo: z.boolean().optional(),
});

export const clockSchema = z
	.strictObject({
		/** Seconds forward. */
		advance: z.number().min(0).max(MAX_ADVANCE).optional(),
		now: z.string().datetime({ offset: true }).optional(),
		/** Seconds of the sandbox in a real second; 0 stops the clock. */
		speed: z.number().min(0).max(MAX_SPEED).optional(),
	})
	.refine((body) => Object.keys(body).length > 0, 'give advance (seconds), now (ISO 8601) or speed')
	.refine(
		(body) => body.advance === undefined || body.now === undefined,
		'give advance or now, not both',
	);

export const roleSchema = z.strictObject({ enterprise: z.boolean(), tenant: idSchema.optional() });

export const secretKeySchema = z.strictObject({
	secretKey: z.string(),
	tenant: idSchema.optional(),
});

export const seedSchema = z.strictObject({ tenants: newTenantsSchema });

/** The size limit and the types of a file, by the kind of message that carries it. */
const MEDIA = {
	IMAGE: { max: MEDIA_MAX.IMAGE, types: MEDIA_TYPES.IMAGE },
	VIDEO: { max: MEDIA_MAX.VIDEO, types: MEDIA_TYPES.VIDEO },
	AUDIO: { max: MEDIA_MAX.AUDIO, types: MEDIA_TYPES.AUDIO },
	STICKER: { max: ANIMATED_STICKER_MAX, types: MEDIA_TYPES.STICKER },
};

/**
 * An overview of everything. Without keys and webhook secrets, except the demo key, which the start
 * prints too.
 */
function stateOf(context: Context) {
	const { clock, settings, tenants, channels, webhooks, deliveries, faults, requests } = context;
	return {
		clock: { now: new Date(clock.now()).toISOString(), speed: clock.speed },
		settings: settings.current,
		demoSecretKey: demoSecretKey(context),
		tenants: tenants.list().map((tenant) => ({
			...tenant,
			channels: channels.ofTenant(tenant.id).map(({ token: _secret, ...channel }) => {
				const { hasTemplates, hasNumbers } = kindOf(channel.type);
				return { ...channel, hasTemplates, hasNumbers };
			}),
		})),
		webhooks: webhooks.all().map((webhook) => ({
			...webhookView(webhook),
			tenantId: webhook.tenantId,
			order: webhook.deliveryOrder,
		})),
		messages: context.messages.count,
		deliveries: deliveries.counts(),
		faults: faults.list(),
		requests: requests.summary(),
		media: MEDIA,
		channelTypes: CHANNEL_TYPES,
		asksForToken: context.isOpen,
	};
}

/** The state as the page reads it. */
export type State = ReturnType<typeof stateOf>;

export function administrationRoutes(app: FastifyInstance, context: Context): void {
	const { clock, bus } = context;

	app.get('/_sandbox/state', async () => stateOf(context));

	app.post('/_sandbox/reset', async (request) => {
		reset(context, parseWith(resetSchema, request.body ?? {}));
		return stateOf(context);
	});

	app.post('/_sandbox/seed', async (request, reply) => {
		const tenants = addTenants(context, parseWith(seedSchema, request.body).tenants);
		bus.emit('notice', 'tenant', tenants);
		return reply.code(201).send({ tenants });
	});

	app.delete('/_sandbox/tenants/:id', async (request, reply) => {
		const { id } = tenantNamed(context, (request.params as { id: string }).id);
		const webhooks = context.webhooks.all().filter(({ tenantId }) => tenantId === id);
		removeWith(context, webhooks, () => context.tenants.delete(id));
		context.channels.forget();
		context.faults.clear(id);
		bus.emit('notice', 'tenant', [{ id, deleted: true }]);
		return reply.code(204).send();
	});

	app.post('/_sandbox/clock', async (request) => {
		const { advance = 0, now, speed } = parseWith(clockSchema, request.body);
		const time = now === undefined ? clock.now() + advance * 1000 : Date.parse(now);
		clock.set(Math.floor(time), speed);
		const view = { now: new Date(clock.now()).toISOString(), speed: clock.speed };
		bus.emit('notice', 'clock', view);
		return view;
	});

	app.post('/_sandbox/role', async (request) => {
		const { enterprise, tenant } = parseWith(roleSchema, request.body);
		const { id } = tenantNamed(context, tenant);
		context.tenants.setEnterprise(id, enterprise);
		bus.emit('notice', 'tenant', [{ id, enterprise }]);
		return { tenant: id, enterprise };
	});

	app.post('/_sandbox/secret-key', async (request) => {
		const { secretKey, tenant } = parseWith(secretKeySchema, request.body);
		const { id } = tenantNamed(context, tenant);
		context.tenants.setSecretKey(id, secretKey);
		bus.emit('notice', 'tenant', [{ id }]);
		return { tenant: id };
	});

	app.patch('/_sandbox/settings', async (request) => {
		context.settings.change(parseWith(settingsPatchSchema, request.body));
		bus.emit('notice', 'settings', context.settings.current);
		return context.settings.current;
	});

	app.get('/_sandbox/requests', async (request) => {
		const query = z.object({
			method: z.string().max(16).optional(),
			path: z.string().max(2048).optional(),
			limit: z.coerce.number().int().min(1).max(20_000).default(1000),
		});
		const requests = context.requests.list(parseWith(query, request.query));
		return {
			...context.requests.summary(),
			requests: requests.map((entry) => ({ ...entry, time: new Date(entry.time).toISOString() })),
		};
	});

	app.delete('/_sandbox/requests', async (_request, reply) => {
		context.requests.clear();
		return reply.code(204).send();
	});
}
