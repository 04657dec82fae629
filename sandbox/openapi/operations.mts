import { z } from 'zod';

import {
	CHANNEL_EVENTS,
	connectRequestSchema,
	createChannelRequestSchema,
	createWebhookRequestSchema,
	sendRequestSchema,
	TEMPLATE_EVENTS,
	updateWebhookRequestSchema,
} from '../contract.mts';
import type { ErrorShape } from '../core/errors.mts';
import type { Operation } from '../faults/schema.mts';
import * as answers from './responses.mts';

export interface OperationDescription {
	method: 'get' | 'post' | 'patch' | 'delete';
	/** With its parameters in braces. */
	path: string;
	summary: string;
	shape: ErrorShape;
	/** The account must have the ENTERPRISE role. */
	enterprise: boolean;
	request?: z.ZodTypeAny;
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

/** The five operations on one kind of webhook. */
function webhookOperations(kind: 'Channel' | 'Template', root: string) {
	const isTemplate = kind === 'Template';
	const common = { shape: isTemplate ? ('B' as const) : ('A' as const), enterprise: true };
	const one = isTemplate ? answers.templateWebhook : answers.channelWebhook;
	const withSecret = isTemplate ? answers.templateWebhookWithSecret : answers.channelWebhookWithSecret;
	const events = {
		events: z.array(isTemplate ? z.enum(TEMPLATE_EVENTS) : z.enum(CHANNEL_EVENTS)).min(1),
		payloadFormat: z.literal('DEFAULT').optional(),
	};
	const missing = { 404: isTemplate ? 'Webhook not found' : 'Channel not found, or Webhook not found' };
	const name = `${kind.toLowerCase()} webhook`;
	const description = `The ${name}`;
	return {
		list: {
			...common,
			method: 'get',
			path: root,
			summary: isTemplate ? 'List the enabled template webhooks of the tenant' : 'List the webhooks of a channel',
			success: { status: 200, description: 'The webhooks', body: z.array(one) },
			errors: isTemplate ? {} : channel,
		},
		create: {
			...common,
			method: 'post',
			path: root,
			summary: `Create a ${name}. With signing, the answer holds the secret, this once`,
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
			request: updateWebhookRequestSchema.extend({ events: events.events.optional(), payloadFormat: events.payloadFormat }),
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
		success: { status: 200, description: 'Whether the channel is connected', body: answers.connected },
		errors: { ...channel, 422: 'The connection was refused' },
	},
	sendMessage: {
		method: 'post',
		path: '/v1/channels/{channelId}/messages',
		summary: 'Send a free-form text, while the conversation window is open',
		shape: 'A',
		enterprise: false,
		request: sendRequestSchema,
		success: { status: 200, description: 'The id of the message', body: answers.sent },
		errors: { ...channel, 422: 'Conversation window is closed, or Channel is not connected' },
	},
	createChannel: {
		method: 'post',
		path: '/v1/channels',
		summary: 'Create a channel',
		shape: 'B',
		enterprise: false,
		request: createChannelRequestSchema,
		success: { status: 201, description: 'The id of the channel', body: answers.channelCreated },
		errors: {},
	},
	listChannels: {
		method: 'get',
		path: '/v1/channels',
		summary: 'List the channels of the tenant, a page at a time',
		shape: 'B',
		enterprise: false,
		query: CHANNEL_LIST_QUERY,
		success: { status: 200, description: 'A page of channels', body: answers.channelPage },
		errors: {},
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
