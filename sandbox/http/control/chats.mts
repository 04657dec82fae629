import type { FastifyInstance } from 'fastify';
import { z } from 'zod';

import { requireCustomer } from '../../channelTypes.mts';
import type { Context } from '../../context.mts';
import { Refusal } from '../../core/errors.mts';
import { idSchema, MESSAGE_STATES, requiredText } from '../../contract.mts';
import { storedId } from '../../core/ids.mts';
import { failureOf } from '../../events/failure.mts';
import { customerContentSchema, writtenContentSchema } from '../../store/content.mts';
import type { Conversation, Message } from '../../store/messages.mts';
import { parseWith } from '../json.mts';
import { channelNamed } from './find.mts';
import { checkUploaded } from './media.mts';
import { type Receipt, receiptsOf } from './deliveries.mts';

const MAX_LIST = 10_000;
const customer = requiredText.max(128);

const said = {
	channelId: idSchema,
	name: z.string().min(1).max(256).optional(),
	type: z.string().default('TEXT'),
	forwarded: z.boolean().default(false),
};

/**
 * A customer's message: who, to which channel, and the fields of its content. Without a type it is
 * a text.
 */
export const inboundSchema = z.object({ ...said, from: customer }).passthrough();

/** A message that a colleague writes on the business's phone: to whom, and a content as above. */
export const fromPhoneSchema = z.object({ ...said, to: customer }).passthrough();

const tapSchema = z.strictObject({ buttonId: z.string().min(1).max(256), name: said.name });

const customerSchema = z.strictObject({ channelId: idSchema, customer });

const iso = (time: number) => new Date(time).toISOString();

/** A message as the control API shows it. */
export const messageView = (message: Message) => {
	const reached = Object.fromEntries(
		Object.entries(message.reached).map(([state, time]) => [state, iso(time)]),
	);
	const failure = failureOf(message) ?? null;
	return { ...message, createdAt: iso(message.createdAt), reached, failure };
};

export type MessageView = ReturnType<typeof messageView>;
/** With what became of the deliveries of a customer's message. */
export type MessageWithReceipts = MessageView & { deliveries?: Receipt[] };

function conversationView(
	{ lastInboundAt, windowClosesAt, ...rest }: Conversation,
	lastMessage: Message | undefined,
) {
	return {
		...rest,
		lastInboundAt: lastInboundAt === null ? null : iso(lastInboundAt),
		windowClosesAt: windowClosesAt === null ? null : iso(windowClosesAt),
		lastMessage: lastMessage ? messageView(lastMessage) : null,
	};
}
export type ConversationView = ReturnType<typeof conversationView>;

export function chatRoutes(app: FastifyInstance, context: Context): void {
	const { conversations, messages } = context;

	const messageNamed = (params: unknown): Message => {
		const message = messages.get(storedId((params as { id: string }).id));
		if (!message) throw new Refusal(404, 'Message not found');
		return message;
	};

	app.post('/_sandbox/inbound', async (request, reply) => {
		const { channelId, from, name, forwarded, ...rest } = parseWith(inboundSchema, request.body);
		const content = parseWith(customerContentSchema, rest);
		const channel = channelNamed(context, channelId);
		requireCustomer(channel.type, from, 'from');
		checkUploaded(context, channel, content);
		const message = await conversations.receive({
			...{ channel, customer: from, name, content, forwarded },
		});
		return reply.code(201).send({ messageId: message.id });
	});

	app.post('/_sandbox/from-phone', async (request, reply) => {
		const { channelId, to, name, forwarded, ...rest } = parseWith(fromPhoneSchema, request.body);
		const content = parseWith(writtenContentSchema, rest);
		const channel = channelNamed(context, channelId);
		requireCustomer(channel.type, to, 'to');
		checkUploaded(context, channel, content);
		const message = await conversations.sendFromPhone({
			...{ channel, customer: to, name, content, forwarded },
		});
		return reply.code(201).send({ messageId: message.id });
	});

	/** The customer taps a button of the business's message. */
	app.post('/_sandbox/messages/:id/tap', async (request, reply) => {
		const { buttonId, name } = parseWith(tapSchema, request.body);
		const { channelId, customer, content } = messageNamed(request.params);
		const isReply = content.type === 'INTERACTIVE_BUTTON' || content.type === 'TEMPLATE';
		if (!isReply) throw new Refusal(422, 'This message has no buttons that send a reply');
		const button = content.buttons.find(({ id }) => id === buttonId);
		if (!button) throw new Refusal(404, 'buttonId: the message has no such button');
		const tapped = await conversations.receive({
			...{ channel: channelNamed(context, channelId), customer, name, forwarded: false },
			content: { type: 'BUTTON_REPLY', text: button.title, id: button.id },
		});
		return reply.code(201).send({ messageId: tapped.id });
	});

	app.get('/_sandbox/messages', async (request) => {
		const query = z.object({
			channelId: idSchema.optional(),
			customer: customer.optional(),
			after: z.coerce.number().int().min(0).optional(),
			limit: z.coerce.number().int().min(1).max(MAX_LIST).default(1000),
			deliveries: z.enum(['true', 'false']).default('false'),
		});
		const { deliveries, ...filter } = parseWith(query, request.query);
		const list = messages.list({
			...filter,
			channelId: filter.channelId && storedId(filter.channelId),
		});
		const view = (message: Message): MessageWithReceipts =>
			deliveries === 'true' && message.direction === 'in'
				? { ...messageView(message), deliveries: receiptsOf(context, message.id) }
				: messageView(message);
		return { messages: list.map(view) };
	});

	app.get('/_sandbox/messages/:id', async (request) => messageView(messageNamed(request.params)));

	app.post('/_sandbox/messages/:id/status', async (request) => {
		const { status } = parseWith(z.strictObject({ status: z.enum(MESSAGE_STATES) }), request.body);
		const message = messageNamed(request.params);
		return messageView(context.db.transaction(() => conversations.setState(message, status)));
	});

	/** Chats as a rehearsal script: all of a channel, or one customer's. */
	app.get('/_sandbox/rehearsal', async (request, reply) => {
		const query = z.object({ channel: idSchema, customer: customer.optional() });
		const wanted = parseWith(query, request.query);
		const { id: channelId, name } = channelNamed(context, wanted.channel);
		const list = messages.list({ channelId, customer: wanted.customer, limit: MAX_LIST });
		if (list.length === 0) throw new Refusal(404, 'This chat has no messages');
		const chats = messages.conversations(channelId, MAX_LIST);
		const names = new Map(chats.map((chat) => [chat.customer, chat.name]));
		// Loaded on demand, so that a start does not wait for it.
		const { recordedScript } = await import('../../rehearsal/record.mts');
		const recording = { messages: list.map(messageView), names, name: `Recorded from ${name}` };
		return reply.type('text/yaml; charset=utf-8').send(recordedScript(recording));
	});

	app.get('/_sandbox/conversations', async (request) => {
		const { channelId } = parseWith(z.object({ channelId: idSchema }), request.query);
		const channel = channelNamed(context, channelId);
		const last = (customer: string) =>
			messages.list({ channelId: channel.id, customer, limit: 1 })[0];
		return {
			conversations: messages
				.conversations(channel.id, MAX_LIST)
				.map((conversation) => conversationView(conversation, last(conversation.customer))),
		};
	});

	app.delete('/_sandbox/conversations', async (request, reply) => {
		const query = parseWith(customerSchema, request.query);
		const { id } = channelNamed(context, query.channelId);
		context.db.transaction(() => messages.remove(id, query.customer));
		messages.reload();
		context.conversations.reload();
		context.worker.reload();
		context.requests.clear();
		context.bus.emit('notice', 'channel', context.channels.get(id));
		return reply.code(204).send();
	});

	app.post('/_sandbox/close-window', async (request) => {
		const body = parseWith(customerSchema, request.body);
		const { id } = channelNamed(context, body.channelId);
		messages.closeWindow(id, body.customer);
		context.bus.emit('notice', 'channel', context.channels.get(id));
		return { channelId: id, customer: body.customer, windowOpen: false };
	});

	app.post('/_sandbox/read', async (request) => {
		const body = parseWith(customerSchema, request.body);
		return { read: conversations.markRead(channelNamed(context, body.channelId), body.customer) };
	});
}
