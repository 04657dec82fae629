import type { FastifyInstance } from 'fastify';
import { z } from 'zod';

import type { Context } from '../../core/context.mts';
import { CHANNEL_NOT_FOUND, idSchema } from '../../contract.mts';
import { ServiceError } from '../../core/errors.mts';
import { type Channel, phonesOf } from '../../store/channels.mts';
import { parseWith } from '../json.mts';
import { channelNamed } from './chats.mts';

/** What a person chooses in the connection dialog; the first number when left out. */
const choiceSchema = z.object({ channelId: idSchema, phoneId: z.string().max(64).optional(), coexistence: z.boolean().default(false) }).strict();

/** What the connection SDK hands to its page. Source: published. */
export interface SdkAnswer {
	success: boolean;
	channelId: string;
	code: string;
	wabaId: string;
	phoneId: string;
	coexistence: boolean;
}

/** What the person behind the dialog agrees to: an answer with a fresh code. */
export function grantConnection(context: Context, channel: Channel, choice: Omit<z.infer<typeof choiceSchema>, 'channelId'>): SdkAnswer {
	const phones = phonesOf(channel.id);
	const phone = choice.phoneId === undefined ? phones[0]! : phones.find(({ phoneId }) => phoneId === choice.phoneId);
	if (!phone) throw new ServiceError(404, 'The business account has no such phone number');
	const grant = { wabaId: phone.wabaId, phoneId: phone.phoneId, coexistence: choice.coexistence };
	const code = context.db.transaction(() => context.codes.issue(channel.id, grant, context.settings.current.codeLifetime));
	return { success: true, channelId: channel.id, code, ...grant };
}

export function connectionRoutes(app: FastifyInstance, context: Context): void {
	/** The stand-in of the connection SDK calls this with the public key, which is good for nothing else. */
	app.post('/_sandbox/sdk/connect', async (request) => {
		const key = /^Bearer +(\S+)$/i.exec(request.headers.authorization ?? '')?.[1];
		const tenant = key === undefined ? undefined : context.tenants.findByPublicKey(key);
		if (!tenant) throw new ServiceError(401, 'Unauthorized');
		const { channelId, ...choice } = parseWith(choiceSchema, request.body);
		const channel = channelNamed(context, channelId);
		if (channel.tenantId !== tenant.id) throw new ServiceError(404, CHANNEL_NOT_FOUND.message);
		return grantConnection(context, channel, choice);
	});

	app.post('/_sandbox/channels/:channelId/disconnect', async (request) => {
		const channel = channelNamed(context, (request.params as { channelId: string }).channelId);
		if (!channel.connected) throw new ServiceError(422, 'Channel is not connected');
		context.db.transaction(() => {
			context.channels.setDisconnected(channel.id);
			context.emitter.connection('DISCONNECTED', channel);
		});
		context.bus.publish('channel', () => context.channels.get(channel.id));
		return { id: channel.id, connected: false };
	});
}
