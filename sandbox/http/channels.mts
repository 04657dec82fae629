import type { FastifyInstance } from 'fastify';
import { z } from 'zod';

import type { Context } from '../core/context.mts';
import { ServiceError } from '../core/errors.mts';
import { CHANNEL_PAGE_SIZE, connectRequestSchema, createChannelRequestSchema, sendRequestSchema } from '../contract.mts';
import { type Channel, phonesOf } from '../store/channels.mts';
import { channelIn, tenantIn } from './access.mts';
import { parseWith } from './json.mts';

const wholeNumber = z
	.string()
	.regex(/^\d{1,9}$/, 'must be a whole number')
	.transform(Number);

/** Query of the channel list. Source: published. */
export const channelListQuerySchema = z.object({
	page: wholeNumber.optional(),
	pageSize: wholeNumber.pipe(z.number().min(1).max(CHANNEL_PAGE_SIZE.max)).default(String(CHANNEL_PAGE_SIZE.default)),
	query: z.string().max(256).optional(),
	type: z.string().max(256).optional(),
});

/** An entry of the channel list. The token is a secret that the real list can hold too: who shows lists must leave it out. */
const channelView = ({ id, name, type, token, connected }: Channel) => ({ id, name, type, token, connected });

export function channelRoutes(app: FastifyInstance, context: Context): void {
	app.post('/v1/channels', { config: { operation: 'createChannel', shape: 'B' } }, async (request, reply) => {
		const { name, type } = parseWith(createChannelRequestSchema, request.body);
		const channel = context.db.transaction(() => context.channels.create(tenantIn(request).id, name, type));
		context.bus.publish('channel', () => channel);
		return reply.code(201).send({ id: channel.id });
	});

	app.get('/v1/channels', { config: { operation: 'listChannels', shape: 'B' } }, async (request) => {
		const { firstPage } = context.settings.current;
		const { page = firstPage, pageSize, query, type } = parseWith(channelListQuerySchema, request.query);
		const matching = context.channels
			.ofTenant(tenantIn(request).id)
			.filter((channel) => !type || channel.type === type)
			.filter((channel) => !query || channel.name.toLowerCase().includes(query.toLowerCase()));
		// Where pages start at 1, page 0 is the first one too.
		const start = Math.max(0, page - firstPage) * pageSize;
		const content = matching.slice(start, start + pageSize).map(channelView);
		return {
			total: matching.length,
			totalPage: Math.ceil(matching.length / pageSize),
			pageSize,
			page: Math.max(page, firstPage),
			content,
		};
	});

	app.post('/v1/channels/:channelId/connect', { config: { operation: 'connectChannel', shape: 'A' } }, async (request) => {
		const channel = channelIn(request);
		const body = parseWith(connectRequestSchema, request.body);
		const connected = context.db.transaction(() => {
			if (!context.codes.redeem(channel.id, body)) return false;
			const phone = phonesOf(channel.id).find(({ phoneId }) => phoneId === body.phoneId);
			context.channels.setConnected(channel.id, body, phone?.number ?? body.phoneId);
			context.emitter.connection('CONNECTED', context.channels.get(channel.id)!);
			return true;
		});
		if (connected) context.bus.publish('channel', () => context.channels.get(channel.id));
		else if (context.settings.current.connectRefusal === 'ERROR')
			throw new ServiceError(422, 'The connection was refused: the code is not valid');
		return { success: connected };
	});

	app.post('/v1/channels/:channelId/messages', { config: { operation: 'sendMessage', shape: 'A' } }, async (request) => {
		const message = await context.conversations.send(channelIn(request), parseWith(sendRequestSchema, request.body));
		return { messageId: message.id };
	});
}
