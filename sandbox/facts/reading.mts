import {
	CHANNEL_LIST_NEEDS_ROLE,
	CHANNEL_NOT_FOUND,
	CHANNEL_PAGE_SIZE,
	CHANNELS_UNAUTHORIZED,
	TEMPLATE_UNAUTHORIZED,
} from '../contract.mts';
import type { Operation } from '../faults/schema.mts';
import type { Fact } from './fact.mts';

export const CHANNEL_WEBHOOK_OPERATIONS = [
	'listChannelWebhooks',
	'createChannelWebhook',
	'getChannelWebhook',
	'updateChannelWebhook',
	'deleteChannelWebhook',
] as const satisfies Operation[];
export const TEMPLATE_WEBHOOK_OPERATIONS = [
	'listTemplateWebhooks',
	'createTemplateWebhook',
	'getTemplateWebhook',
	'updateTemplateWebhook',
	'deleteTemplateWebhook',
] as const satisfies Operation[];

const need = 'reading';

/** Facts that GET requests show. */
export const READING = {
	'channels.page': {
		...{
			says: 'The list of channels is a page with total, totalPage, pageSize, page, content',
			need,
		},
		success: { operation: 'listChannels', statuses: [200] },
	},
	'channels.first-page': { says: 'The first page of the channels is 0', need },
	'channels.default-page-size': {
		...{ says: `A page has ${CHANNEL_PAGE_SIZE.default} channels by default`, need },
	},
	'channels.largest-page': {
		...{ says: `A page has at most ${CHANNEL_PAGE_SIZE.max} channels`, need },
	},
	'channels.newest-first': { says: 'The newest channel comes first', need },
	'channels.query': { says: 'The query of the list finds a channel by its ID', need },
	'channels.fields': { says: 'A channel of the list has the published fields', need },
	'channels.unknown-type': {
		...{ says: 'The list refuses an unknown type', need },
		refusal: {
			...{ operations: ['listChannels'], status: 400, shape: 'B' },
			words: /^type must be one of/,
		},
	},
	'channels.wrong-key': {
		...{ says: 'The list of channels refuses a wrong key', need },
		refusal: {
			...{ operations: ['listChannels'], status: 400, shape: 'B' },
			words: CHANNELS_UNAUTHORIZED,
		},
	},
	'channels.role': {
		...{ says: 'The list of channels needs the ENTERPRISE role', need },
		refusal: {
			...{ operations: ['listChannels'], status: 422, shape: 'B' },
			words: CHANNEL_LIST_NEEDS_ROLE,
		},
	},
	'channel.get': {
		...{ says: 'A channel is shown with its webhooks: id, url, events', need },
		success: { operation: 'getChannel', statuses: [200] },
	},
	'channel.id-form': { says: 'IDs are upper-case hexadecimal characters', need },
	'channel.role': {
		...{ says: 'Getting a channel needs the ENTERPRISE role', need },
		refusal: {
			...{ operations: ['getChannel'], status: 422, shape: 'B' },
			words: CHANNEL_LIST_NEEDS_ROLE,
		},
	},
	'channel.wrong-key': {
		...{ says: 'Getting a channel refuses a wrong key', need },
		refusal: {
			...{ operations: ['getChannel'], status: 400, shape: 'B' },
			words: CHANNELS_UNAUTHORIZED,
		},
	},
	'channel.unknown': {
		...{ says: 'An unknown channel is not found', need },
		refusal: {
			...{ operations: ['getChannel'], status: CHANNEL_NOT_FOUND.status, shape: 'B' },
			words: CHANNEL_NOT_FOUND.message,
		},
	},
	'webhooks.unknown-channel': {
		...{ says: 'The webhooks of an unknown channel are not found', need },
		refusal: {
			...{ operations: CHANNEL_WEBHOOK_OPERATIONS, status: CHANNEL_NOT_FOUND.status, shape: 'A' },
			words: CHANNEL_NOT_FOUND.message,
		},
	},
	'webhooks.unknown': {
		...{ says: 'An unknown webhook of a channel is not found', need },
		refusal: {
			...{ operations: CHANNEL_WEBHOOK_OPERATIONS, status: 404, shape: 'A' },
			words: 'Webhook not found',
		},
	},
	'template-webhooks.unknown': {
		...{ says: 'An unknown template webhook is not found', need },
		refusal: {
			...{ operations: TEMPLATE_WEBHOOK_OPERATIONS, status: 404, shape: 'B' },
			words: 'Webhook not found',
		},
	},
	'template-webhooks.wrong-key': {
		...{
			says: 'The template webhooks refuse a wrong key',
			need,
			assumes: ['TEMPLATE_UNAUTHORIZED'],
		},
		refusal: {
			...{ operations: TEMPLATE_WEBHOOK_OPERATIONS, status: TEMPLATE_UNAUTHORIZED.status },
			...{ shape: 'B', words: TEMPLATE_UNAUTHORIZED.message },
		},
	},
	'templates.businesses': {
		...{ says: 'The templates path lists the businesses: businessId, name', need },
		assumes: ['DEFAULT_TEMPLATES_PATH'],
	},
} as const satisfies Record<string, Fact>;
