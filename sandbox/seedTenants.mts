import { z } from 'zod';

import type { Context } from './context.mts';
import { CHANNEL_TYPE, idSchema, requiredText } from './contract.mts';
import { storedId } from './core/ids.mts';
import { phonesOf } from './store/channels.mts';

const name = requiredText.max(256);

const newChannelSchema = z
	.object({
		name,
		type: name.default(CHANNEL_TYPE),
		/** 32 hexadecimal characters; made when left out. */
		id: idSchema.optional(),
		connected: z.boolean().default(true),
		hasWindow: z.boolean().default(true),
	})
	.strict();

const newTenantSchema = z
	.object({
		name,
		secretKey: z.string(),
		publicKey: z.string(),
		enterprise: z.boolean().default(true),
		channels: z.array(newChannelSchema).max(1000).default([]),
	})
	.strict();

/** Tenants to add, each with its keys and channels. */
export const newTenantsSchema = z.array(newTenantSchema).min(1).max(100);
export type NewTenants = z.infer<typeof newTenantsSchema>;

/**
 * Adds tenants and their channels, all or none.
 *
 * @returns their ids, with those of their channels, in the same order
 * @throws Refusal for keys of another form, or that another tenant has, and for ids that another channel has
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
		// After a rollback the stores must not remember what is not there.
		context.tenants.reload();
		context.channels.forget();
	}
}

function addChannel(
	{ channels }: Context,
	tenantId: string,
	wanted: z.infer<typeof newChannelSchema>,
): string {
	const wantedId = wanted.id && storedId(wanted.id);
	const { id } = channels.create(tenantId, wanted.name, wanted.type, wantedId);
	const phone = phonesOf(id)[0]!;
	if (!wanted.hasWindow) channels.setWindow(id, false);
	if (wanted.connected) channels.setConnected(id, { ...phone, coexistence: false }, phone.number);
	return id;
}
