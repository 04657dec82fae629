import {
	CHANNEL_DELETION_NEEDS_ROLE,
	CHANNEL_EVENTS_ONLY,
	CHANNEL_NOT_CONNECTED,
	CHANNEL_NOT_FOUND,
	INSTANCE_NOT_FOUND,
	INVALID_BODY_STATUS,
	WEBHOOK_URL_MAX,
} from '../contract.mts';
import type { Fact } from './fact.mts';

const channels = { need: 'channels' } as const;
const webhooks = { need: 'webhooks' } as const;
const onWebhooks = {
	operations: ['createChannelWebhook', 'updateChannelWebhook'],
	shape: 'A',
} as const;

/** Facts about a channel that the probe creates and deletes. */
const CHANNELS = {
	'channel.create': {
		...{ ...channels, says: 'Creating a channel returns its ID' },
		success: { operation: 'createChannel', statuses: [200, 201] },
	},
	'channel.new-unknown-type': {
		...{ ...channels, says: 'A channel of an unknown type is not created' },
		refusal: {
			...{ operations: ['createChannel'], status: 400, shape: 'B' },
			words: /^type must be one of/,
		},
	},
	'channel.disconnect': {
		...{ ...channels, says: 'Disconnecting returns true' },
		success: { operation: 'disconnectChannel', statuses: [200] },
	},
	'channel.disconnect-unknown': {
		...{ ...channels, says: 'Disconnecting an unknown channel finds none' },
		refusal: {
			...{ operations: ['disconnectChannel'], status: CHANNEL_NOT_FOUND.status, shape: 'A' },
			words: CHANNEL_NOT_FOUND.message,
		},
	},
	'channel.deletion-role': {
		...{ ...channels, says: 'Deleting a channel needs the ENTERPRISE role' },
		refusal: {
			...{ operations: ['deleteChannel'], status: 422, shape: 'A' },
			words: CHANNEL_DELETION_NEEDS_ROLE,
		},
	},
	'channel.delete': {
		...{ ...channels, says: 'Deleting a channel takes a reason and returns nothing' },
		success: { operation: 'deleteChannel', statuses: [204] },
	},
	'channel.delete-unknown': {
		...{ ...channels, says: 'Deleting an unknown channel finds none' },
		refusal: {
			...{ operations: ['deleteChannel'], status: 404, shape: 'A' },
			words: INSTANCE_NOT_FOUND,
		},
	},
	'connect.refused': {
		...{ ...channels, says: 'Connecting with a wrong code is refused: success false, or a 4xx' },
	},
	'connect.fields': {
		...{ ...channels, says: 'Connecting needs all four fields', assumes: ['INVALID_BODY_STATUS'] },
		refusal: {
			...{ operations: ['connectChannel'], status: INVALID_BODY_STATUS, shape: 'A' },
			sandboxWords: /^code is required$/,
		},
	},
	'send.not-connected': {
		...{ ...channels, says: 'A channel that is not connected sends nothing' },
		assumes: ['CHANNEL_NOT_CONNECTED'],
		refusal: {
			...{ operations: ['sendMessage'], status: CHANNEL_NOT_CONNECTED.status, shape: 'A' },
			words: CHANNEL_NOT_CONNECTED.message,
		},
	},
} as const satisfies Record<string, Fact>;

/** Facts about webhooks that the probe creates and deletes. */
const WEBHOOKS = {
	'webhook.create': {
		...{ ...webhooks, says: 'Creating a webhook returns it' },
		success: { operation: 'createChannelWebhook', statuses: [201] },
	},
	'webhook.secret': {
		...{ ...webhooks, says: 'The secret is 64 lower-case hexadecimal characters' },
	},
	'webhook.no-secret': { ...webhooks, says: 'Without signing, the secret is null' },
	'webhook.auth': { ...webhooks, says: 'Each kind of credentials is taken and listed' },
	'webhook.flat-auth': { ...webhooks, says: 'Credentials are taken flat: authType beside token' },
	'webhook.get': {
		...{ ...webhooks, says: 'A webhook of a channel can be got' },
		success: { operation: 'getChannelWebhook', statuses: [200] },
	},
	'webhook.update': {
		...{ ...webhooks, says: 'An update changes the given fields' },
		success: { operation: 'updateChannelWebhook', statuses: [200] },
	},
	'webhook.events-replaced': { ...webhooks, says: 'The events of an update replace the list' },
	'webhook.new-secret': { ...webhooks, says: 'Each update with signing makes a new secret' },
	'webhook.several': { ...webhooks, says: 'A channel can have several webhooks' },
	'webhook.delete': {
		...{ ...webhooks, says: 'Deleting a webhook returns nothing' },
		success: { operation: 'deleteChannelWebhook', statuses: [204] },
	},
	'webhook.url-required': {
		...{ ...webhooks, says: 'A webhook needs a URL' },
		refusal: { ...onWebhooks, status: 400, words: 'url is required' },
	},
	'webhook.events-required': {
		...{ ...webhooks, says: 'A webhook needs events', assumes: ['INVALID_BODY_STATUS'] },
		refusal: { ...onWebhooks, status: INVALID_BODY_STATUS, words: 'events is required' },
	},
	'webhook.malformed': {
		...{ ...webhooks, says: 'A malformed body is refused', assumes: ['INVALID_BODY_STATUS'] },
		refusal: {
			...{ ...onWebhooks, status: INVALID_BODY_STATUS },
			sandboxWords: /^The body is not valid JSON$/,
		},
	},
	'webhook.wrong-type': {
		...{
			...webhooks,
			says: 'A field of a wrong type is refused',
			assumes: ['INVALID_BODY_STATUS'],
		},
		refusal: {
			...{ ...onWebhooks, status: INVALID_BODY_STATUS, sandboxWords: /^events: Expected array/ },
		},
	},
	'webhook.template-events': {
		...{ ...webhooks, says: 'A webhook of a channel refuses template events' },
		assumes: ['CHANNEL_EVENTS_ONLY'],
		refusal: {
			...{ ...onWebhooks, status: CHANNEL_EVENTS_ONLY.status, words: CHANNEL_EVENTS_ONLY.message },
		},
	},
	'webhook.reserved-headers': {
		...{ ...webhooks, says: 'Credentials cannot set headers of the request itself' },
		assumes: ['RESERVED_DELIVERY_HEADERS'],
	},
	'webhook.long-url': {
		...{ ...webhooks, says: `A URL has at most ${WEBHOOK_URL_MAX} characters` },
	},
	'webhook.time': {
		...{ ...webhooks, says: "createdAt is the service's time, to the second at least" },
		assumes: ['WEBHOOK_TIME_RESOLUTION'],
	},
	'template-webhook.create': {
		...{ ...webhooks, says: 'Creating a template webhook returns it' },
		success: { operation: 'createTemplateWebhook', statuses: [201] },
	},
	'template-webhook.get': {
		...{ ...webhooks, says: 'A template webhook can be got' },
		success: { operation: 'getTemplateWebhook', statuses: [200] },
	},
	'template-webhook.update': {
		...{ ...webhooks, says: 'A template webhook can be updated' },
		success: { operation: 'updateTemplateWebhook', statuses: [200] },
	},
	'template-webhook.delete': {
		...{ ...webhooks, says: 'Deleting a template webhook returns nothing' },
		success: { operation: 'deleteTemplateWebhook', statuses: [204] },
	},
	'template-webhook.channel-events': {
		...{ ...webhooks, says: 'A template webhook refuses the events of channels' },
		refusal: {
			...{ operations: ['createTemplateWebhook', 'updateTemplateWebhook'], status: 422 },
			...{ shape: 'B', words: 'Global webhooks (without instance) accept only template events' },
		},
	},
} as const satisfies Record<string, Fact>;

export const CHANGES = { ...CHANNELS, ...WEBHOOKS } as const satisfies Record<string, Fact>;
