import type { FastifyInstance } from 'fastify';
import { z } from 'zod';

import type { Context } from '../../core/context.mts';
import { ServiceError } from '../../core/errors.mts';
import { CHANNEL_NOT_FOUND, idSchema, MESSAGE_STATES, requiredText } from '../../contract.mts';
import { templateChangeSchema } from '../../events/bodies.mts';
import { contentSchema } from '../../events/content.mts';
import { type Channel, phonesOf } from '../../store/channels.mts';
import type { Message } from '../../store/messages.mts';
import { parseWith } from '../json.mts';
import { tenantNamed } from './world.mts';

const MAX_LIST = 10_000;
const customer = requiredText.max(128);

/** What a customer says: who, to which channel, and a content of any kind, its fields beside. Without a type it is a text. */
export const inboundSchema = z
	.object({ channelId: idSchema, from: customer, name: z.string().min(1).max(256).optional(), type: z.string().default('TEXT') })
	.passthrough();

const messageView = (message: Message) => {
	const iso = (time: number) => new Date(time).toISOString();
	const reached = Object.fromEntries(Object.entries(message.reached).map(([state, time]) => [state, iso(time)]));
	return { ...message, createdAt: iso(message.createdAt), reached };
};

export function channelNamed(context: Context, id: string): Channel {
	const channel = context.channels.get(id.toUpperCase());
	if (!channel) throw new ServiceError(404, CHANNEL_NOT_FOUND.message);
	return channel;
}

export function chatRoutes(app: FastifyInstance, context: Context): void {
	const { conversations, messages } = context;

	app.post('/_sandbox/inbound', async (request, reply) => {
		const { channelId, from, name, ...rest } = parseWith(inboundSchema, request.body);
		const content = parseWith(contentSchema, rest);
		const message = await conversations.receive({ channel: channelNamed(context, channelId), from, name, content });
		return reply.code(201).send({ messageId: message.id });
	});

	app.get('/_sandbox/messages', async (request) => {
		const query = z.object({
			channelId: idSchema.optional(),
			customer: customer.optional(),
			after: z.coerce.number().int().min(0).optional(),
			limit: z.coerce.number().int().min(1).max(MAX_LIST).default(1000),
		});
		const filter = parseWith(query, request.query);
		return { messages: messages.list({ ...filter, channelId: filter.channelId?.toUpperCase() }).map(messageView) };
	});

	app.get('/_sandbox/messages/:id', async (request) => {
		const message = messages.get((request.params as { id: string }).id.toUpperCase());
		if (!message) throw new ServiceError(404, 'Message not found');
		return messageView(message);
	});

	app.post('/_sandbox/messages/:id/status', async (request) => {
		const { status } = parseWith(z.object({ status: z.enum(MESSAGE_STATES) }).strict(), request.body);
		const message = messages.get((request.params as { id: string }).id.toUpperCase());
		if (!message) throw new ServiceError(404, 'Message not found');
		return messageView(context.db.transaction(() => conversations.setState(message, status)));
	});

	app.get('/_sandbox/conversations', async (request) => {
		const { channelId } = parseWith(z.object({ channelId: idSchema }), request.query);
		const channel = channelNamed(context, channelId);
		return {
			conversations: messages.conversations(channel.id, MAX_LIST).map(({ lastInboundAt, windowClosesAt, ...rest }) => ({
				...rest,
				lastInboundAt: new Date(lastInboundAt).toISOString(),
				windowClosesAt: new Date(windowClosesAt).toISOString(),
				lastMessage: messages.list({ channelId: channel.id, customer: rest.customer, limit: 1 }).map(messageView)[0] ?? null,
			})),
		};
	});

	app.post('/_sandbox/read', async (request) => {
		const body = parseWith(z.object({ channelId: idSchema, customer }).strict(), request.body);
		return { read: conversations.markRead(channelNamed(context, body.channelId), body.customer) };
	});

	app.post('/_sandbox/templates', async (request) => {
		const { tenant, ...rest } = parseWith(z.object({ tenant: idSchema.optional() }).passthrough(), request.body);
		const { id } = tenantNamed(context, tenant);
		const change = parseWith(templateChangeSchema, rest);
		const wabaId = context.channels.ofTenant(id).find((channel) => channel.wabaId)?.wabaId ?? phonesOf(id)[0]!.wabaId;
		return { webhooks: context.db.transaction(() => context.emitter.template(id, change, wabaId)) };
	});
}
