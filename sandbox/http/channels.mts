import type { FastifyInstance } from 'fastify';
import { z } from 'zod';

import type { Context } from '../context.mts';
import { Refusal } from '../core/errors.mts';
import {
	CHANNEL_PAGE_SIZE,
	CHANNEL_TYPE,
	connectRequestSchema,
	createChannelRequestSchema,
	deleteChannelRequestSchema,
	INSTANCE_STILL_CONNECTED,
} from '../contract.mts';
import { type Channel, phonesOf } from '../store/channels.mts';
import { channelIn, tenantIn } from './access.mts';
import { parseWith } from './json.mts';
import { removeWith } from './remove.mts';
import { serve } from './route.mts';
import { readSend } from './send.mts';

const wholeNumber = z
	.string()
	.regex(/^\d{1,9}$/, 'must be a whole number')
	.transform(Number);

/** Query of the channel list. Source: published. */
export const channelListQuerySchema = z.object({
	page: wholeNumber.optional(),
	pageSize: wholeNumber
		.pipe(z.number().min(1).max(CHANNEL_PAGE_SIZE.max))
		.default(String(CHANNEL_PAGE_SIZE.default)),
	query: z.string().max(256).optional(),
	type: z.string().max(256).optional(),
});

/** A channel as the service shows it. The token is a secret: who shows channels must leave it out. Source of the form: published. */
const channelView = (channel: Channel, webhooksCount: number) => ({
	id: channel.id,
	name: channel.name,
	type: channel.type,
	token: channel.token,
	tenant: channel.tenantId,
	created: new Date(channel.createdAt).toISOString(),
	due: null,
	paymentStatus: 'PAID',
	trial: false,
	phoneConnected: channel.connected,
	phoneNumberConnected: channel.connected ? channel.businessNumber : null,
	businessId: channel.wabaId,
	webhooksCount,
});

const holds = (text: string, part: string) => text.toLowerCase().includes(part.toLowerCase());

/** Disconnects a channel that is connected, and tells its webhooks. */
export function disconnect({ db, channels, emitter, bus }: Context, channel: Channel): void {
	if (!channel.connected) return;
	db.transaction(() => {
		channels.setDisconnected(channel.id);
		emitter.connection('DISCONNECTED', channel);
	});
	bus.emit('notice', 'channel', channels.get(channel.id));
}

export function channelRoutes(app: FastifyInstance, context: Context): void {
	const webhooksOf = ({ tenantId, id }: Channel) =>
		context.webhooks.inScope({ tenantId, channelId: id });

	serve(app, 'createChannel', (request) => {
		const { name, type } = parseWith(createChannelRequestSchema, request.body);
		const channel = context.db.transaction(() =>
			context.channels.create(tenantIn(request).id, name, type),
		);
		context.bus.emit('notice', 'channel', channel);
		return { id: channel.id };
	});

	serve(app, 'listChannels', (request) => {
		const { firstPage } = context.settings.current;
		const {
			page = firstPage,
			pageSize,
			query,
			type,
		} = parseWith(channelListQuerySchema, request.query);
		const all = context.channels.ofTenant(tenantIn(request).id);
		if (type && type !== CHANNEL_TYPE && !all.some((channel) => channel.type === type))
			throw new Refusal(400, 'type: there is no such type of channel');
		const matching = all
			.filter((channel) => !type || channel.type === type)
			.filter(({ name, id }) => !query || holds(name, query) || holds(id, query));
		// Where pages start at 1, page 0 is the first one too.
		const start = Math.max(0, page - firstPage) * pageSize;
		const content = matching
			.slice(start, start + pageSize)
			.map((channel) => channelView(channel, webhooksOf(channel).length));
		return {
			total: matching.length,
			totalPage: Math.ceil(matching.length / pageSize),
			pageSize,
			page: Math.max(page, firstPage),
			content,
		};
	});

	serve(app, 'connectChannel', (request) => {
		const channel = channelIn(request);
		const body = parseWith(connectRequestSchema, request.body);
		const connected = context.db.transaction(() => {
			if (!context.codes.redeem(channel.id, body)) return false;
			const phone = phonesOf(channel.id).find(({ phoneId }) => phoneId === body.phoneId);
			context.channels.setConnected(channel.id, body, phone?.number ?? body.phoneId);
			context.emitter.connection('CONNECTED', context.channels.get(channel.id)!);
			return true;
		});
		if (connected) context.bus.emit('notice', 'channel', context.channels.get(channel.id));
		else if (context.settings.current.connectRefusal === 'ERROR')
			throw new Refusal(422, 'The connection was refused: the code is not valid');
		return { success: connected };
	});

	serve(app, 'getChannel', (request) => {
		const channel = channelIn(request);
		const webhooks = webhooksOf(channel).map(({ id, url, events }) => ({ id, url, events }));
		return { ...channelView(channel, webhooks.length), webhooks };
	});

	serve(app, 'disconnectChannel', (request) => {
		disconnect(context, channelIn(request));
		return true;
	});

	serve(app, 'deleteChannel', (request) => {
		const channel = channelIn(request);
		parseWith(deleteChannelRequestSchema, request.body ?? {});
		if (channel.connected) throw new Refusal(422, INSTANCE_STILL_CONNECTED);
		removeWith(context, webhooksOf(channel), () => context.channels.delete(channel.id));
		context.bus.emit('notice', 'channel', { id: channel.id, deleted: true });
	});

	serve(app, 'sendMessage', async (request) => {
		const send = readSend(request);
		if (request.logged) request.logged.recipient = send.recipient.identifier;
		const message = await context.conversations.send(channelIn(request), send);
		return { messageId: message.id };
	});
}
