import {
	CHANNEL_DELETION_NEEDS_ROLE,
	CHANNEL_EVENTS_ONLY,
	CHANNEL_NOT_CONNECTED,
	CHANNEL_NOT_FOUND,
	INSTANCE_NOT_FOUND,
	INVALID_BODY_STATUS,
	WEBHOOK_URL_MAX,
} from '../contract.mts';
import { done, factsOf, type Fact, refused } from './fact.mts';

const channels = factsOf('channels');
const webhooks = factsOf('webhooks');
const templates = factsOf('templates');
const WEBHOOK_CHANGES = ['createChannelWebhook', 'updateChannelWebhook'] as const;

/** Facts about a channel that the probe creates and deletes. */
const CHANNELS = {
	'channel.create': channels('Creating a channel returns its ID', done('createChannel', 200, 201)),
	'channel.new-unknown-type': channels(
		'A channel of an unknown type is not created',
		refused('createChannel', 'B', { status: 400, words: /^type must be one of/ }),
	),
	'channel.disconnect': channels('Disconnecting returns true', done('disconnectChannel', 200)),
	'channel.disconnect-unknown': channels(
		'Disconnecting an unknown channel finds none',
		refused('disconnectChannel', 'A', CHANNEL_NOT_FOUND),
	),
	'channel.deletion-role': channels(
		'Deleting a channel needs the ENTERPRISE role',
		refused('deleteChannel', 'A', { status: 422, words: CHANNEL_DELETION_NEEDS_ROLE }),
	),
	'channel.delete': channels(
		'Deleting a channel takes a reason and returns nothing',
		done('deleteChannel', 204),
	),
	'channel.delete-unknown': channels(
		'Deleting an unknown channel finds none',
		refused('deleteChannel', 'A', { status: 404, words: INSTANCE_NOT_FOUND }),
	),
	'connect.refused': channels('Connecting with a wrong code is refused: success false, or a 4xx'),
	'connect.fields': channels('Connecting needs all four fields', {
		...refused('connectChannel', 'A', {
			status: INVALID_BODY_STATUS,
			sandboxWords: /^code is required$/,
		}),
		assumes: ['INVALID_BODY_STATUS'],
	}),
	'send.not-connected': channels('A channel that is not connected sends nothing', {
		...refused('sendMessage', 'A', CHANNEL_NOT_CONNECTED),
		assumes: ['CHANNEL_NOT_CONNECTED'],
	}),
} satisfies Record<string, Fact>;

/** Facts about webhooks that the probe creates and deletes. */
const WEBHOOKS = {
	'webhook.create': webhooks('Creating a webhook returns it', done('createChannelWebhook', 201)),
	'webhook.secret': webhooks('The secret is 64 lower-case hexadecimal characters'),
	'webhook.no-secret': webhooks('Without signing, the secret is null'),
	'webhook.auth': webhooks('Each kind of credentials is taken and listed'),
	'webhook.flat-auth': webhooks(
		'Credentials of a template webhook are taken flat: authType beside token',
	),
	'webhook.get': webhooks('A webhook of a channel can be got', done('getChannelWebhook', 200)),
	'webhook.update': webhooks(
		'An update changes the given fields',
		done('updateChannelWebhook', 200),
	),
	'webhook.events-replaced': webhooks('The events of an update replace the list'),
	'webhook.new-secret': webhooks('Each update with signing makes a new secret'),
	'webhook.several': webhooks('A channel can have several webhooks'),
	'webhook.delete': webhooks(
		'Deleting a webhook returns nothing',
		done('deleteChannelWebhook', 204),
	),
	'webhook.url-required': webhooks(
		'A webhook needs a URL',
		refused(WEBHOOK_CHANGES, 'A', { status: 400, words: 'url is required' }),
	),
	'webhook.events-required': webhooks('A webhook needs events', {
		...refused(WEBHOOK_CHANGES, 'A', { status: INVALID_BODY_STATUS, words: 'events is required' }),
		assumes: ['INVALID_BODY_STATUS'],
	}),
	'webhook.malformed': webhooks('A malformed body is refused', {
		...refused(WEBHOOK_CHANGES, 'A', {
			status: INVALID_BODY_STATUS,
			sandboxWords: /^The body is not valid JSON$/,
		}),
		assumes: ['INVALID_BODY_STATUS'],
	}),
	'webhook.wrong-type': webhooks('A field of a wrong type is refused', {
		...refused(WEBHOOK_CHANGES, 'A', {
			status: INVALID_BODY_STATUS,
			sandboxWords: /^events: Expected array/,
		}),
		assumes: ['INVALID_BODY_STATUS'],
	}),
	'webhook.template-events': webhooks('A webhook of a channel refuses template events', {
		...refused(WEBHOOK_CHANGES, 'A', CHANNEL_EVENTS_ONLY),
		assumes: ['CHANNEL_EVENTS_ONLY'],
	}),
	'webhook.reserved-headers': webhooks('Credentials cannot set headers of the request itself', {
		assumes: ['RESERVED_DELIVERY_HEADERS'],
	}),
	'webhook.long-url': webhooks(`A URL has at most ${WEBHOOK_URL_MAX} characters`),
	'webhook.time': webhooks("createdAt is the service's time, to the second at least", {
		assumes: ['WEBHOOK_TIME_RESOLUTION'],
	}),
	'template-webhook.create': webhooks(
		'Creating a template webhook returns it',
		done('createTemplateWebhook', 201),
	),
	'template-webhook.get': webhooks(
		'A template webhook can be got',
		done('getTemplateWebhook', 200),
	),
	'template-webhook.update': webhooks(
		'A template webhook can be updated',
		done('updateTemplateWebhook', 200),
	),
	'template-webhook.delete': webhooks(
		'Deleting a template webhook returns nothing',
		done('deleteTemplateWebhook', 204),
	),
	'template-webhook.channel-events': webhooks(
		'A template webhook refuses the events of channels',
		refused(['createTemplateWebhook', 'updateTemplateWebhook'], 'B', {
			status: 422,
			words: 'Global webhooks (without instance) accept only template events',
		}),
	),
} satisfies Record<string, Fact>;

/** Facts about templates that the probe submits and deletes. */
const TEMPLATES = {
	'template.refusal': templates('A template that is against a rule is refused with 422, not 502'),
	'template.delete-by-id': templates('An ID alone deletes a template in one language'),
	'template.delete-by-name': templates('With its name, it is deleted in all languages'),
} satisfies Record<string, Fact>;

export const CHANGES = { ...CHANNELS, ...WEBHOOKS, ...TEMPLATES };
