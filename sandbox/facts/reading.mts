import {
	CHANNEL_LIST_NEEDS_ROLE,
	CHANNEL_NOT_FOUND,
	CHANNEL_PAGE_SIZE,
	CHANNELS_UNAUTHORIZED,
	TEMPLATE_UNAUTHORIZED,
} from '../contract.mts';
import type { Operation } from '../faults/schema.mts';
import { done, factsOf, type Fact, refused } from './fact.mts';

const CHANNEL_WEBHOOK_OPERATIONS = [
	'listChannelWebhooks',
	'createChannelWebhook',
	'getChannelWebhook',
	'updateChannelWebhook',
	'deleteChannelWebhook',
] as const satisfies Operation[];
const TEMPLATE_WEBHOOK_OPERATIONS = [
	'listTemplateWebhooks',
	'createTemplateWebhook',
	'getTemplateWebhook',
	'updateTemplateWebhook',
	'deleteTemplateWebhook',
] as const satisfies Operation[];

const reading = factsOf('reading');

/** Facts that GET requests show. */
export const READING = {
	'channels.page': reading(
		'The list of channels is a page with total, totalPage, pageSize, page, content',
		done('listChannels', 200),
	),
	'channels.first-page': reading('The first page of the channels is 0'),
	'channels.default-page-size': reading(
		`A page has ${CHANNEL_PAGE_SIZE.default} channels by default`,
	),
	'channels.largest-page': reading(`A page has at most ${CHANNEL_PAGE_SIZE.max} channels`),
	'channels.newest-first': reading('The newest channel comes first'),
	'channels.query': reading('The query of the list finds a channel by its ID'),
	'channels.fields': reading('A channel of the list has the published fields'),
	'channels.unknown-type': reading(
		'The list refuses an unknown type',
		refused('listChannels', 'B', { status: 400, words: /^type must be one of/ }),
	),
	'channels.wrong-key': reading(
		'The list of channels refuses a wrong key',
		refused('listChannels', 'B', { status: 400, words: CHANNELS_UNAUTHORIZED }),
	),
	'channels.role': reading(
		'The list of channels needs the ENTERPRISE role',
		refused('listChannels', 'B', { status: 422, words: CHANNEL_LIST_NEEDS_ROLE }),
	),
	'channel.get': reading(
		'A channel is shown with its webhooks: id, url, events',
		done('getChannel', 200),
	),
	'channel.id-form': reading('IDs are upper-case hexadecimal characters'),
	'channel.role': reading(
		'Getting a channel needs the ENTERPRISE role',
		refused('getChannel', 'B', { status: 422, words: CHANNEL_LIST_NEEDS_ROLE }),
	),
	'channel.wrong-key': reading(
		'Getting a channel refuses a wrong key',
		refused('getChannel', 'B', { status: 400, words: CHANNELS_UNAUTHORIZED }),
	),
	'channel.unknown': reading(
		'An unknown channel is not found',
		refused('getChannel', 'B', CHANNEL_NOT_FOUND),
	),
	'webhooks.unknown-channel': reading(
		'The webhooks of an unknown channel are not found',
		refused(CHANNEL_WEBHOOK_OPERATIONS, 'A', CHANNEL_NOT_FOUND),
	),
	'webhooks.unknown': reading(
		'An unknown webhook of a channel is not found',
		refused(CHANNEL_WEBHOOK_OPERATIONS, 'A', { status: 404, words: 'Webhook not found' }),
	),
	'template-webhooks.unknown': reading(
		'An unknown template webhook is not found',
		refused(TEMPLATE_WEBHOOK_OPERATIONS, 'B', { status: 404, words: 'Webhook not found' }),
	),
	'template-webhooks.wrong-key': reading('The template webhooks refuse a wrong key', {
		...refused(TEMPLATE_WEBHOOK_OPERATIONS, 'B', TEMPLATE_UNAUTHORIZED),
		assumes: ['TEMPLATE_UNAUTHORIZED'],
	}),
	'templates.businesses': reading('The templates path lists the businesses: businessId, name', {
		assumes: ['DEFAULT_TEMPLATES_PATH'],
	}),
} satisfies Record<string, Fact>;
