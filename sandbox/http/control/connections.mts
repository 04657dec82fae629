import type { FastifyInstance } from 'fastify';
import { z } from 'zod';

import type { Context } from '../../context.mts';
import { kindOf } from '../../channelTypes.mts';
import { CHANNEL_NOT_FOUND, idSchema } from '../../contract.mts';
import { Refusal } from '../../core/errors.mts';
import { isSameServer } from '../../core/loopback.mts';
import { Sender } from '../../delivery/send.mts';
import { type Channel, type Phone, phonesOf } from '../../store/channels.mts';
import { PAYMENT_STATUSES } from '../../store/payment.mts';
import { connect, disconnect } from '../channels.mts';
import { parseWith } from '../json.mts';
import { channelNamed } from './find.mts';

/** Milliseconds for the backend's response, because an n8n workflow may run first. */
const BACKEND_TIMEOUT = 60_000;

/** The person's choice in the connection dialog. Without it, the first number. */
const choiceSchema = z.strictObject({
	phoneId: z.string().max(64).optional(),
	coexistence: z.boolean().default(false),
});

/** What the connection SDK returns to its page, by the kind of channel. Source: published. */
const sdkResultSchema = z.object({ success: z.literal(true), channelId: idSchema }).passthrough();

/** The address of the page's backend, which calls Connect with the secret key. */
const postSchema = z.strictObject({ url: z.string().url().max(2048), answer: sdkResultSchema });

const channelChangeSchema = z
	.object({ hasWindow: z.boolean(), paymentStatus: z.enum(PAYMENT_STATUSES) })
	.partial()
	.strict()
	.refine((change) => Object.keys(change).length > 0, 'give hasWindow or paymentStatus');

/** A number, an inbox or a bot that the connection page offers, with its business account. */
export interface BusinessPhone extends Phone {
	wabaId: string;
}

/** The numbers or names of the channel's business account, or before it has one, of the first. */
function phonesOffered(
	{ businesses }: Context,
	{ id, type, wabaId, tenantId }: Channel,
): BusinessPhone[] {
	const business = wabaId ?? businesses.first(tenantId).id;
	return phonesOf(id, type).map((phone) => ({ wabaId: business, ...phone }));
}

function phoneChosen(
	phones: BusinessPhone[],
	channel: Channel,
	phoneId: string | undefined,
): BusinessPhone {
	const phone =
		phoneId === undefined ? phones[0] : phones.find((candidate) => candidate.phoneId === phoneId);
	if (!phone) throw new Refusal(404, 'The business account has no such phone number');
	const ownNumber = phone.phoneId === channel.phoneId ? channel.businessNumber : null;
	return ownNumber === null ? phone : { ...phone, number: ownNumber };
}

export function connectionRoutes(app: FastifyInstance, context: Context): void {
	const { db, bus, channels, codes } = context;
	const sender = new Sender(BACKEND_TIMEOUT, 4);
	app.addHook('onClose', () => sender.close());

	const channelOf = (params: unknown) =>
		channelNamed(context, (params as { channelId: string }).channelId);
	const chosen = (channel: Channel, phoneId: string | undefined) =>
		phoneChosen(phonesOffered(context, channel), channel, phoneId);
	const announce = (channel: Channel) => bus.emit('notice', 'channel', channels.get(channel.id));

	/** The numbers, or the names, that the dialog offers. */
	app.get('/_sandbox/channels/:channelId/phones', async (request) => {
		const channel = channelOf(request.params);
		return {
			phones: phonesOffered(context, channel),
			asksCoexistence: kindOf(channel.type).beside.includes('coexistence'),
		};
	});

	/**
	 * The stand-in of the connection SDK calls this with the public key, which allows nothing else.
	 */
	app.post('/_sandbox/sdk/connect', async (request) => {
		const key = /^Bearer +(\S+)$/i.exec(request.headers.authorization ?? '')?.[1];
		const tenant = key === undefined ? undefined : context.tenants.findByPublicKey(key);
		if (!tenant) throw new Refusal(401, 'Unauthorized');
		const { channelId, ...choice } = parseWith(
			choiceSchema.extend({ channelId: idSchema }),
			request.body,
		);
		const channel = channelNamed(context, channelId);
		if (channel.tenantId !== tenant.id) throw new Refusal(404, CHANNEL_NOT_FOUND.message);
		const kind = kindOf(channel.type);
		const { wabaId, phoneId } = chosen(channel, choice.phoneId);
		const known = { wabaId, phoneId, pageId: phoneId, coexistence: choice.coexistence };
		const fields = Object.fromEntries(kind.beside.map((name) => [name, known[name]]));
		const code = db.transaction(() => codes.issue(channel.id, kind, { phoneId, fields }));
		return { success: true, channelId: channel.id, [kind.grant]: code, ...fields };
	});

	/** Posts the SDK's result to the page's backend, a webhook of n8n, and returns its response. */
	app.post('/_sandbox/sdk/post', async (request) => {
		const { url, answer: result } = parseWith(postSchema, request.body);
		const wanted = new URL(url);
		if (!context.n8n || !isSameServer(wanted, context.n8n))
			throw new Refusal(
				403,
				'url: the page posts only to the n8n that the sandbox knows. Start the sandbox with --n8n http://127.0.0.1:5678, or where your n8n listens',
			);
		const body = Buffer.from(JSON.stringify(result));
		return await sender.call({
			url: context.n8n.origin + wanted.pathname + wanted.search,
			headers: { 'content-type': 'application/json' },
			body,
			controller: new AbortController(),
		});
	});

	/** Connects a channel as the whole connection flow would. */
	app.post('/_sandbox/channels/:channelId/connect', async (request) => {
		const channel = channelOf(request.params);
		const { phoneId, coexistence } = parseWith(choiceSchema, request.body ?? {});
		const phone = chosen(channel, phoneId);
		connect(context, channel, { ...phone, coexistence }, phone.number);
		return { id: channel.id, connected: true };
	});

	app.post('/_sandbox/channels/:channelId/disconnect', async (request) => {
		const channel = channelOf(request.params);
		if (!channel.connected) throw new Refusal(422, 'Channel is not connected');
		disconnect(context, channel);
		return { id: channel.id, connected: false };
	});

	/** Whether free-form messages need an open window, and the state of the subscription. */
	app.patch('/_sandbox/channels/:channelId', async (request) => {
		const { id } = channelOf(request.params);
		const change = parseWith(channelChangeSchema, request.body);
		db.transaction(() => {
			if (change.hasWindow !== undefined) channels.setWindow(id, change.hasWindow);
			if (change.paymentStatus) channels.setPayment(id, change.paymentStatus);
		});
		const channel = channels.get(id)!;
		announce(channel);
		return { id, hasWindow: channel.hasWindow, paymentStatus: channel.paymentStatus };
	});
}
