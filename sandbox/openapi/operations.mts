import { z } from 'zod';

import {
	CHANNEL_DELETION_NEEDS_ROLE,
	CHANNEL_EVENTS,
	CHANNEL_LIST_NEEDS_ROLE,
	cancelReasonSchema,
	CHANNEL_PAGE_SIZE,
	CHANNELS_UNAUTHORIZED,
	connectRequestSchema,
	createChannelRequestSchema,
	createWebhookRequestSchema,
	CREDIT_LIMIT_EXCEEDED,
	errorBSchema,
	INSTANCE_NOT_FOUND,
	INSTANCE_HAS_ACTIVE_SUBSCRIPTION,
	INSTANCE_STILL_CONNECTED,
	MEDIA_INPUT_MAX,
	sendRequestSchema,
	SUBSCRIPTION_TERMINATED,
	TEMPLATE_EVENTS,
	updateWebhookRequestSchema,
} from '../contract.mts';
import { CHANNEL_TYPES } from '../channelTypes.mts';
import type { Operation } from '../faults/schema.mts';
import { PAYLOAD_FORMATS } from '../store/webhooks.mts';
import { type OperationDescription, sizeOfPage } from './operation.mts';
import * as responses from './responses.mts';
import { templateOperations } from './templateOperations.mts';

/** In a query. */
export const wholeNumber = z
	.string()
	.regex(/^\d{1,9}$/, 'must be a whole number')
	.transform(Number);

/** Query of the channel list. Source: published. */
export const channelListQuerySchema = z.object({
	page: wholeNumber.optional(),
	pageSize: wholeNumber.default(String(CHANNEL_PAGE_SIZE.default)),
	query: z.string().max(256).optional(),
	type: z.string().max(256).optional(),
});

const channel = { 404: 'Channel not found' };

/** The error without the role, unless an operation has its own. Source: description. */
export const ROLE_REQUIRED = 'This action requires ENTERPRISE role';

/** Largest request body in bytes, without its files. Nothing is published: assumed. */
export const BODY_LIMIT = 256 * 1024;

/** Files in base64, plus the rest of the body. */
const SEND_LIMIT = Math.ceil(MEDIA_INPUT_MAX / 3) * 4 + BODY_LIMIT;

const unauthorized = { status: 400, message: CHANNELS_UNAUTHORIZED };

const text = z.string().min(1);

/**
 * A body with credentials in `auth`, or flat: `authType` in place of `auth.type`, with what is
 * published beside it. If `authType` is there, `auth` is ignored.
 */
const withEitherAuth = (body: z.ZodObject<z.ZodRawShape & { auth: z.ZodTypeAny }>) => {
	const flat = body.omit({ auth: true });
	return z.union([
		body.extend({ authType: z.literal('NONE').optional() }),
		flat.extend({ authType: z.literal('BEARER'), token: text }),
		flat.extend({ authType: z.literal('API_KEY'), key: text }),
	]);
};

/** The five operations on one kind of webhook. */
function webhookOperations(kind: 'Channel' | 'Template', root: string) {
	const isTemplate = kind === 'Template';
	const common = {
		shape: isTemplate ? ('B' as const) : ('A' as const),
		enterprise: true,
		headerRequired: isTemplate,
	};
	const one = isTemplate ? responses.templateWebhook : responses.channelWebhook;
	const [created, updated] = isTemplate
		? [responses.createdTemplateWebhook, responses.updatedTemplateWebhook]
		: [responses.createdChannelWebhook, responses.updatedChannelWebhook];
	const formats = PAYLOAD_FORMATS[isTemplate ? 'template' : 'channel'];
	const own = {
		events: z.array(isTemplate ? z.enum(TEMPLATE_EVENTS) : z.enum(CHANNEL_EVENTS)).min(1),
		payloadFormat: z.enum(formats).optional(),
	};
	const creation = createWebhookRequestSchema.extend(own);
	const change = updateWebhookRequestSchema.extend({ ...own, events: own.events.optional() });
	const missing = {
		404: isTemplate ? 'Webhook not found' : 'Channel not found, or Webhook not found',
	};
	const name = `${kind.toLowerCase()} webhook`;
	const description = `The ${name}`;
	return {
		list: {
			...common,
			method: 'get',
			path: root,
			summary: isTemplate
				? 'List the enabled template webhooks of the tenant'
				: 'List the webhooks of a channel',
			success: { status: 200, description: 'The webhooks', body: z.array(one) },
			errors: isTemplate ? {} : channel,
		},
		create: {
			...common,
			method: 'post',
			path: root,
			summary: `Create a ${name}. With signing, only this response contains the secret`,
			request: isTemplate ? withEitherAuth(creation) : creation,
			success: { status: 201, description, body: created },
			errors: isTemplate ? {} : channel,
		},
		get: {
			...common,
			method: 'get',
			path: `${root}/{webhookId}`,
			summary: `Get a ${name}`,
			success: { status: 200, description, body: one },
			errors: missing,
		},
		update: {
			...common,
			method: 'patch',
			path: `${root}/{webhookId}`,
			summary: `Change the given fields of a ${name}. Every update with signing: true makes a new secret`,
			request: isTemplate ? withEitherAuth(change) : change,
			success: { status: 200, description, body: updated },
			errors: missing,
		},
		delete: {
			...common,
			method: 'delete',
			path: `${root}/{webhookId}`,
			summary: `Delete a ${name}. Deliveries to it stop at once`,
			success: { status: 204, description: 'Deleted' },
			errors: missing,
		},
	} satisfies Record<string, OperationDescription>;
}

const channelWebhooks = webhookOperations('Channel', '/v1/channels/{channelId}/webhooks');
const templateWebhooks = webhookOperations('Template', '/v1/webhooks');

/** Every operation of the service. */
export const OPERATION_DESCRIPTIONS: Record<Operation, OperationDescription> = {
	connectChannel: {
		method: 'post',
		path: '/v1/channels/{channelId}/connect',
		summary:
			'Complete the connection of a channel with the result of the connection SDK. The body is that of the official type: the others take code, accessToken, accessToken and pageId, or botToken',
		shape: 'A',
		request: connectRequestSchema,
		success: {
			status: 200,
			description: 'Whether the channel is connected',
			body: responses.connected,
		},
		errors: { ...channel, 422: 'The connection was refused' },
	},
	sendMessage: {
		method: 'post',
		path: '/v1/channels/{channelId}/messages',
		otherShapes: [errorBSchema, responses.errorC, responses.errorD],
		summary: 'Send a message. While the conversation window is closed, only a template works',
		shape: 'A',
		bodyLimit: SEND_LIMIT,
		request: sendRequestSchema,
		success: { status: 200, description: 'The id of the message', body: responses.sent },
		errors: {
			...channel,
			422: 'Conversation window is closed, Channel is not connected, or the channel cannot have this recipient',
			502: 'The media could not be fetched or converted: nothing was sent',
		},
	},
	createChannel: {
		method: 'post',
		path: '/v1/channels',
		summary: 'Create a channel',
		shape: 'A',
		request: createChannelRequestSchema.extend({ type: z.enum(CHANNEL_TYPES) }),
		success: { status: 201, description: 'The id of the channel', body: responses.channelCreated },
	},
	listChannels: {
		method: 'get',
		path: '/v1/channels',
		summary: 'List the channels of the tenant, a page at a time',
		shape: 'B',
		enterprise: CHANNEL_LIST_NEEDS_ROLE,
		unauthorized,
		query: channelListQuerySchema.extend({
			pageSize: sizeOfPage(CHANNEL_PAGE_SIZE),
			type: z.enum(CHANNEL_TYPES).optional(),
		}),
		success: { status: 200, description: 'A page of channels', body: responses.channelPage },
	},
	getChannel: {
		method: 'get',
		path: '/v1/channels/{channelId}',
		summary: 'Get a channel with its webhooks',
		shape: 'B',
		enterprise: CHANNEL_LIST_NEEDS_ROLE,
		unauthorized,
		success: { status: 200, description: 'The channel', body: responses.channelWithWebhooks },
		errors: channel,
	},
	disconnectChannel: {
		method: 'put',
		path: '/v1/channels/{channelId}/disconnect',
		summary: 'Disconnect a channel',
		shape: 'A',
		success: { status: 200, description: 'Disconnected', body: z.literal(true) },
		errors: { ...channel, 502: 'Integration error' },
	},
	deleteChannel: {
		method: 'delete',
		path: '/v1/channels/{channelId}',
		summary: 'Delete a channel that is neither connected nor paid, with its webhooks',
		shape: 'A',
		enterprise: CHANNEL_DELETION_NEEDS_ROLE,
		notFound: INSTANCE_NOT_FOUND,
		request: cancelReasonSchema,
		requestOptional: true,
		success: { status: 204, description: 'Deleted' },
		errors: {
			404: INSTANCE_NOT_FOUND,
			422: `${CHANNEL_DELETION_NEEDS_ROLE}, ${INSTANCE_STILL_CONNECTED} or ${INSTANCE_HAS_ACTIVE_SUBSCRIPTION}`,
			502: ['The service behind failed', errorBSchema],
		},
	},
	subscribeChannel: {
		method: 'get',
		path: '/v1/channels/{channelId}/subscribe',
		summary: 'Subscribe a channel. Each call charges the account, although it is a GET',
		shape: 'A',
		enterprise: true,
		success: { status: 200, description: 'Subscribed', body: responses.subscribed },
		errors: {
			...channel,
			422: `${ROLE_REQUIRED}, ${CREDIT_LIMIT_EXCEEDED} or ${SUBSCRIPTION_TERMINATED}`,
		},
	},
	cancelSubscription: {
		method: 'delete',
		path: '/v1/channels/{channelId}/cancel',
		summary: 'Cancel the subscription of a channel, which works on until the end of the paid time',
		shape: 'A',
		enterprise: true,
		query: z.object({ cancel: z.literal('true') }),
		request: cancelReasonSchema,
		requestOptional: true,
		success: { status: 204, description: 'Cancelled' },
		errors: channel,
	},
	listChannelWebhooks: channelWebhooks.list,
	createChannelWebhook: channelWebhooks.create,
	getChannelWebhook: channelWebhooks.get,
	updateChannelWebhook: channelWebhooks.update,
	deleteChannelWebhook: channelWebhooks.delete,
	listTemplateWebhooks: templateWebhooks.list,
	createTemplateWebhook: templateWebhooks.create,
	getTemplateWebhook: templateWebhooks.get,
	updateTemplateWebhook: templateWebhooks.update,
	deleteTemplateWebhook: templateWebhooks.delete,
	...templateOperations,
};
