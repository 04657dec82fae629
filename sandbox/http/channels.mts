import type { FastifyInstance } from 'fastify';

import {
	isChannelType,
	kindOf,
	requireCustomer,
	requireTaken,
	TYPE_REFUSED,
} from '../channelTypes.mts';
import type { Context } from '../context.mts';
import { Refusal } from '../core/errors.mts';
import {
	CANCEL_REQUIRED,
	cancelReasonSchema,
	CHANNEL_PAGE_SIZE,
	createChannelRequestSchema,
	INSTANCE_HAS_ACTIVE_SUBSCRIPTION,
	INSTANCE_STILL_CONNECTED,
	SUBSCRIPTION_TERMINATED,
	SUBSCRIPTION_UPDATED,
} from '../contract.mts';
import { channelListQuerySchema } from '../openapi/operations.mts';
import { type Channel, type ConnectedTo, phonesOf } from '../store/channels.mts';
import { isPaidFor, PAID_TIME, type PaymentStatus } from '../store/payment.mts';
import { channelIn, tenantIn } from './access.mts';
import { parseWith } from './json.mts';
import { removeWith } from './remove.mts';
import { serve } from './route.mts';
import { readSend } from './send.mts';

/**
 * A channel as the service shows it. Its token is a secret: leave it out wherever channels are
 * shown. Source of the form: published.
 */
const channelView = (channel: Channel) => ({
	id: channel.id,
	name: channel.name,
	type: channel.type,
	token: channel.token,
	tenant: channel.tenantId,
	created: new Date(channel.createdAt).toISOString(),
	due: channel.due,
	paymentStatus: channel.paymentStatus,
	trial: channel.paymentStatus === 'TRIAL',
	phoneConnected: channel.connected,
	phoneNumberConnected: channel.connected ? channel.businessNumber : null,
	businessId: channel.wabaId,
});

/** The refusal is published. */
function requirePageSize(pageSize: number): void {
	const { max } = CHANNEL_PAGE_SIZE;
	if (pageSize < 1 || pageSize > max)
		throw new Refusal(400, `pageSize must be between 1 and ${max}`);
}

function requireType(type: string): void {
	if (!isChannelType(type)) throw new Refusal(400, TYPE_REFUSED, { shape: 'B' });
}

const holds = (text: string, part: string) => text.toLowerCase().includes(part.toLowerCase());

/** Connects a channel and tells its webhooks. `businessNumber`: how customers know it. */
export function connect(
	{ db, channels, emitter, bus }: Context,
	{ id }: Channel,
	connectedTo: ConnectedTo,
	businessNumber: string,
): void {
	db.transaction(() => {
		channels.setConnected(id, connectedTo, businessNumber);
		emitter.connection('CONNECTED', channels.get(id)!);
		db.afterCommit(() => bus.emit('notice', 'channel', channels.get(id)));
	});
}

/** Disconnects a connected channel and tells its webhooks. */
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
		requireType(type);
		const channel = context.db.transaction(() =>
			context.channels.create(tenantIn(request).id, name, type),
		);
		context.bus.emit('notice', 'channel', channel);
		return { id: channel.id };
	});

	serve(app, 'listChannels', (request) => {
		const { page = 0, pageSize, query, type } = parseWith(channelListQuerySchema, request.query);
		requirePageSize(pageSize);
		if (type) requireType(type);
		// Newest first. Source: published.
		const matching = context.channels
			.ofTenant(tenantIn(request).id)
			.toReversed()
			.filter((channel) => !type || channel.type === type)
			.filter(({ name, id }) => !query || holds(name, query) || holds(id, query));
		const start = page * pageSize;
		const content = matching
			.slice(start, start + pageSize)
			.map((channel) => ({ ...channelView(channel), webhooksCount: webhooksOf(channel).length }));
		return {
			total: matching.length,
			totalPage: Math.ceil(matching.length / pageSize),
			pageSize,
			page,
			content,
		};
	});

	serve(app, 'connectChannel', (request) => {
		const channel = channelIn(request);
		const kind = kindOf(channel.type);
		const body = parseWith(kind.connectRequest, request.body);
		const connected = context.db.transaction(() => {
			const grant = context.codes.redeem(channel.id, kind, body);
			if (!grant) return false;
			const { phoneId, fields } = grant;
			const phone = phonesOf(channel.id, channel.type).find((one) => one.phoneId === phoneId);
			const { wabaId } = fields;
			const business = typeof wabaId === 'string' ? wabaId : null;
			const coexistence = fields['coexistence'] === true;
			const connectedTo = { wabaId: business, phoneId, coexistence };
			connect(context, channel, connectedTo, phone?.number ?? phoneId);
			return true;
		});
		return { success: connected };
	});

	serve(app, 'getChannel', (request) => {
		const channel = channelIn(request);
		const webhooks = webhooksOf(channel).map(({ id, url, events }) => ({ id, url, events }));
		return { ...channelView(channel), webhooks };
	});

	serve(app, 'disconnectChannel', (request) => {
		disconnect(context, channelIn(request));
		return true;
	});

	serve(app, 'deleteChannel', (request) => {
		const channel = channelIn(request);
		parseWith(cancelReasonSchema, request.body ?? {});
		if (channel.connected) throw new Refusal(422, INSTANCE_STILL_CONNECTED);
		if (isPaidFor(channel.paymentStatus)) throw new Refusal(422, INSTANCE_HAS_ACTIVE_SUBSCRIPTION);
		removeWith(context, webhooksOf(channel), () => context.channels.delete(channel.id));
		context.bus.emit('notice', 'channel', { id: channel.id, deleted: true });
	});

	const changePayment = (channel: Channel, status: PaymentStatus, due?: number) => {
		context.channels.setPayment(channel.id, status, due);
		context.bus.emit('notice', 'channel', context.channels.get(channel.id));
	};

	serve(app, 'subscribeChannel', (request) => {
		const channel = channelIn(request);
		if (channel.paymentStatus === 'CANCELED') throw new Refusal(422, SUBSCRIPTION_TERMINATED);
		changePayment(channel, 'PAID', context.clock.now() + PAID_TIME);
		return { type: SUBSCRIPTION_UPDATED, message: 'Subscription updated' };
	});

	serve(app, 'cancelSubscription', (request) => {
		const channel = channelIn(request);
		parseWith(cancelReasonSchema, request.body ?? {});
		const { cancel } = request.query as { cancel?: unknown };
		if (cancel !== 'true') throw new Refusal(400, CANCEL_REQUIRED);
		changePayment(channel, isPaidFor(channel.paymentStatus) ? 'CANCELLATION_PROCESS' : 'CANCELED');
	});

	serve(app, 'sendMessage', async (request) => {
		const send = readSend(request);
		const { identifier } = send.recipient;
		if (request.logged) request.logged.recipient = identifier;
		const channel = channelIn(request);
		requireCustomer(channel.type, identifier, 'recipient.identifier');
		requireTaken(channel.type, send.content);
		const message = await context.conversations.send(channel, send);
		return { messageId: message.id };
	});
}
