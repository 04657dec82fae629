import { z } from 'zod';

import { CHANNEL_TYPES, TYPE_REFUSED } from './channelTypes.mts';
import type { Context } from './context.mts';
import { idSchema, requiredText } from './contract.mts';
import { storedId } from './core/ids.mts';
import { phonesOf } from './store/channels.mts';

const name = requiredText.max(256);

const newChannelSchema = z.strictObject({
	name,
	type: z.enum(CHANNEL_TYPES, { message: TYPE_REFUSED }).default(CHANNEL_TYPES[0]),
	/** 32 hexadecimal characters; generated if left out. */
	id: idSchema.optional(),
	connected: z.boolean().default(true),
	/** Name of its business account, made if there is none. Left out: the tenant's first one. */
	business: name.optional(),
	/** As the type has it, if left out. */
	hasWindow: z.boolean().optional(),
});

const newTenantSchema = z.strictObject({
	name,
	secretKey: z.string(),
	publicKey: z.string(),
	enterprise: z.boolean().default(true),
	channels: z.array(newChannelSchema).max(1000).default([]),
});

/** Tenants to add, with their keys and channels. */
export const newTenantsSchema = z.array(newTenantSchema).min(1).max(100);
export type NewTenants = z.infer<typeof newTenantsSchema>;

/**
 * Adds tenants and their channels, all or none.
 *
 * @returns their ids and those of their channels, in the same order
 * @throws Refusal for keys of another form, keys of another tenant, and ids of another channel
 */
export function addTenants(context: Context, tenants: NewTenants) {
	try {
		return context.db.transaction(() =>
			tenants.map(({ channels, ...tenant }) => {
				const { id } = context.tenants.create(tenant);
				return { id, channels: channels.map((channel) => addChannel(context, id, channel)) };
			}),
		);
	} finally {
		// After a rollback, the stores must not remember what was not written.
		context.tenants.reload();
		context.channels.forget();
	}
}

function addChannel(
	{ channels, businesses }: Context,
	tenantId: string,
	wanted: z.infer<typeof newChannelSchema>,
): string {
	const wantedId = wanted.id && storedId(wanted.id);
	const { id } = channels.create(tenantId, wanted.name, wanted.type, wantedId);
	if (wanted.hasWindow !== undefined) channels.setWindow(id, wanted.hasWindow);
	if (!wanted.connected && wanted.business === undefined) return id;
	const { phoneId, number } = phonesOf(id, wanted.type)[0]!;
	const wabaId = businesses.named(tenantId, wanted.business).id;
	channels.setConnected(id, { wabaId, phoneId, coexistence: false }, number);
	if (!wanted.connected) channels.setDisconnected(id);
	return id;
}
