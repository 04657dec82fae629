import type { FastifyInstance } from 'fastify';
import { z } from 'zod';

import type { Context } from '../../context.mts';
import { CHANNEL_NOT_FOUND, connectRequestSchema, idSchema } from '../../contract.mts';
import { Refusal } from '../../core/errors.mts';
import { isAllowedHost } from '../../core/loopback.mts';
import { Sender } from '../../delivery/send.mts';
import { type BusinessPhone, type Channel, phonesOf } from '../../store/channels.mts';
import { disconnect } from '../channels.mts';
import { parseWith } from '../json.mts';
import { channelNamed } from './find.mts';

/** Milliseconds that the backend has for its response: an n8n workflow may run first. */
const BACKEND_TIMEOUT = 60_000;

/** What a person chooses in the connection dialog; the first number when left out. */
const choiceSchema = z
	.object({ phoneId: z.string().max(64).optional(), coexistence: z.boolean().default(false) })
	.strict();

/** What the connection SDK hands to its page. Source: published. */
const sdkResultSchema = connectRequestSchema
	.extend({ success: z.literal(true), channelId: idSchema })
	.strict();

/** Where the page's backend is, which calls Connect with the secret key. */
const postSchema = z.object({ url: z.string().url().max(2048), answer: sdkResultSchema }).strict();

function phoneChosen(channel: Channel, phoneId: string | undefined): BusinessPhone {
	const phones = phonesOf(channel.id);
	const phone =
		phoneId === undefined ? phones[0] : phones.find((candidate) => candidate.phoneId === phoneId);
	if (!phone) throw new Refusal(404, 'The business account has no such phone number');
	return phone;
}

export function connectionRoutes(app: FastifyInstance, context: Context): void {
	const { db, bus, channels, codes, emitter, settings } = context;
	const sender = new Sender(BACKEND_TIMEOUT, 4);
	app.addHook('onClose', () => sender.close());

	const channelOf = (params: unknown) =>
		channelNamed(context, (params as { channelId: string }).channelId);
	const announce = (channel: Channel) => bus.emit('notice', 'channel', channels.get(channel.id));

	/** The numbers that the dialog offers. */
	app.get('/_sandbox/channels/:channelId/phones', async (request) => ({
		phones: phonesOf(channelOf(request.params).id),
	}));

	/** The stand-in of the connection SDK calls this with the public key, which is good for nothing else. */
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
		const { wabaId, phoneId } = phoneChosen(channel, choice.phoneId);
		const grant = { wabaId, phoneId, coexistence: choice.coexistence };
		const code = db.transaction(() =>
			codes.issue(channel.id, grant, settings.current.codeLifetime),
		);
		return { success: true, channelId: channel.id, code, ...grant };
	});

	/** Posts the SDK's result to the page's backend, such as an n8n webhook, and gives its response. */
	app.post('/_sandbox/sdk/post', async (request) => {
		const { url, answer: result } = parseWith(postSchema, request.body);
		const { hostname, protocol } = new URL(url);
		if (!/^https?:$/.test(protocol)) throw new Refusal(400, 'url must be an http or https URL');
		if (!isAllowedHost(hostname, context.allowedHosts)) {
			throw new Refusal(
				403,
				`${hostname} is not this machine. Start the sandbox with --allow-delivery-to ${hostname} to call it`,
			);
		}
		const body = Buffer.from(JSON.stringify(result));
		return await sender.call({
			url,
			headers: { 'content-type': 'application/json' },
			body,
			controller: new AbortController(),
		});
	});

	/** Connects a channel as if the whole flow had been gone through. */
	app.post('/_sandbox/channels/:channelId/connect', async (request) => {
		const channel = channelOf(request.params);
		const { phoneId, coexistence } = parseWith(choiceSchema, request.body ?? {});
		const phone = phoneChosen(channel, phoneId);
		db.transaction(() => {
			channels.setConnected(channel.id, { ...phone, coexistence }, phone.number);
			emitter.connection('CONNECTED', channels.get(channel.id)!);
		});
		announce(channel);
		return { id: channel.id, connected: true };
	});

	app.post('/_sandbox/channels/:channelId/disconnect', async (request) => {
		const channel = channelOf(request.params);
		if (!channel.connected) throw new Refusal(422, 'Channel is not connected');
		disconnect(context, channel);
		return { id: channel.id, connected: false };
	});

	/** Whether free-form messages need an open window. */
	app.patch('/_sandbox/channels/:channelId', async (request) => {
		const channel = channelOf(request.params);
		const { hasWindow } = parseWith(z.object({ hasWindow: z.boolean() }).strict(), request.body);
		db.transaction(() => channels.setWindow(channel.id, hasWindow));
		announce(channel);
		return { id: channel.id, hasWindow };
	});
}
