import { z } from 'zod';

import {
	CHANNEL_DELETION_NEEDS_ROLE,
	CHANNEL_EVENTS,
	CHANNEL_LIST_NEEDS_ROLE,
	CHANNELS_UNAUTHORIZED,
	connectRequestSchema,
	createChannelRequestSchema,
	createWebhookRequestSchema,
	deleteChannelRequestSchema,
	INSTANCE_NOT_FOUND,
	INSTANCE_STILL_CONNECTED,
	MEDIA_INPUT_MAX,
	sendRequestSchema,
	TEMPLATE_EVENTS,
	updateWebhookRequestSchema,
} from '../contract.mts';
import type { ErrorShape } from '../core/errors.mts';
import { BODY_LIMIT } from '../core/limits.mts';
import type { Operation } from '../faults/schema.mts';
import * as responses from './responses.mts';

export interface OperationDescription {
	method: 'get' | 'post' | 'put' | 'patch' | 'delete';
	/** With its parameters in braces. */
	path: string;
	summary: string;
	shape: ErrorShape;
	/** Whether the account must have the ENTERPRISE role; a text: the words for one that has not. */
	enterprise: boolean | string;
	/** What a wrong key is told, where that is not 401 `Unauthorized`. */
	unauthorized?: { status: number; message: string };
	/** What an unknown channel is told, where that is not `Channel not found`. */
	notFound?: string;
	/** Largest body in bytes, where files can be in it. */
	bodyLimit?: number;
	/** Without the Authorization header, 400 instead of 401. Source: docs/contract.md, template webhooks. */
	headerRequired?: boolean;
	request?: z.ZodTypeAny;
	/** The body can be left out. */
	requestOptional?: boolean;
	/** Query parameters, all of them texts. */
	query?: Record<string, z.ZodTypeAny>;
	success: { status: number; description: string; body?: z.ZodTypeAny };
	/** Refusals besides those that every operation has. */
	errors: Record<number, string>;
}

const CHANNEL_LIST_QUERY = {
	page: z.string().regex(/^\d{1,9}$/),
	pageSize: z.string().regex(/^(?:[1-9]\d?|100)$/),
	query: z.string(),
	type: z.string(),
};

const channel = { 404: 'Channel not found' };

/** What an account without the role is told, unless an operation has words of its own. Source: description. */
export const ROLE_REQUIRED = 'This action requires ENTERPRISE role';

/** Files in base64, and the rest of the body. */
const SEND_LIMIT = Math.ceil(MEDIA_INPUT_MAX / 3) * 4 + BODY_LIMIT;

const unauthorized = { status: 400, message: CHANNELS_UNAUTHORIZED };

/** The five operations on one kind of webhook. */
function webhookOperations(kind: 'Channel' | 'Template', root: string) {
	const isTemplate = kind === 'Template';
	const common = {
		shape: isTemplate ? ('B' as const) : ('A' as const),
		enterprise: true,
		headerRequired: isTemplate,
	};
	const one = isTemplate ? responses.templateWebhook : responses.channelWebhook;
	const withSecret = isTemplate
		? responses.templateWebhookWithSecret
		: responses.channelWebhookWithSecret;
	const events = {
		events: z.array(isTemplate ? z.enum(TEMPLATE_EVENTS) : z.enum(CHANNEL_EVENTS)).min(1),
		payloadFormat: z.literal('DEFAULT').optional(),
	};
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
			summary: `Create a ${name}. With signing, the response holds the secret, this once`,
			request: createWebhookRequestSchema.extend(events),
			success: { status: 201, description, body: withSecret },
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
			summary: `Change what is given of a ${name}. Every update with signing: true makes a new secret`,
			request: updateWebhookRequestSchema.extend({
				events: events.events.optional(),
				payloadFormat: events.payloadFormat,
			}),
			success: { status: 200, description, body: withSecret },
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
		summary: 'Complete the connection of a channel with what the connection SDK produced',
		shape: 'A',
		enterprise: false,
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
		summary:
			'Send a message: while the conversation window is open any kind, otherwise a template alone',
		shape: 'A',
		enterprise: false,
		bodyLimit: SEND_LIMIT,
		request: sendRequestSchema,
		success: { status: 200, description: 'The id of the message', body: responses.sent },
		errors: {
			...channel,
			422: 'Conversation window is closed, or Channel is not connected',
			502: 'The media could not be fetched or converted: nothing was sent',
		},
	},
	createChannel: {
		method: 'post',
		path: '/v1/channels',
		summary: 'Create a channel',
		shape: 'B',
		enterprise: false,
		request: createChannelRequestSchema,
		success: { status: 201, description: 'The id of the channel', body: responses.channelCreated },
		errors: {},
	},
	listChannels: {
		method: 'get',
		path: '/v1/channels',
		summary: 'List the channels of the tenant, a page at a time',
		shape: 'B',
		enterprise: CHANNEL_LIST_NEEDS_ROLE,
		unauthorized,
		query: CHANNEL_LIST_QUERY,
		success: { status: 200, description: 'A page of channels', body: responses.channelPage },
		errors: {},
	},
	getChannel: {
		method: 'get',
		path: '/v1/channels/{channelId}',
		summary: 'Get a channel with its webhooks',
		shape: 'B',
		enterprise: true,
		unauthorized,
		success: { status: 200, description: 'The channel', body: responses.channelWithWebhooks },
		errors: channel,
	},
	disconnectChannel: {
		method: 'put',
		path: '/v1/channels/{channelId}/disconnect',
		summary: 'Disconnect a channel',
		shape: 'A',
		enterprise: true,
		success: { status: 200, description: 'Disconnected', body: z.literal(true) },
		errors: channel,
	},
	deleteChannel: {
		method: 'delete',
		path: '/v1/channels/{channelId}',
		summary: 'Delete a channel that is not connected, with its webhooks',
		shape: 'A',
		enterprise: CHANNEL_DELETION_NEEDS_ROLE,
		notFound: INSTANCE_NOT_FOUND,
		request: deleteChannelRequestSchema,
		requestOptional: true,
		success: { status: 204, description: 'Deleted' },
		errors: {
			404: INSTANCE_NOT_FOUND,
			422: `${CHANNEL_DELETION_NEEDS_ROLE}, or ${INSTANCE_STILL_CONNECTED}`,
		},
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
};
