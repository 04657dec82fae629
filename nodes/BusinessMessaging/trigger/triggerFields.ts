import type { INodeProperties } from 'n8n-workflow';

import { CHANNEL_EVENT_OPTIONS, TEMPLATE_EVENT_OPTIONS } from '../shared/node/eventOptions';
import { channelField, TAPPED_BUTTON } from '../shared/node/fields';
import { groupingField, quietTimeField } from './grouping/groupingSettings';
import { options } from './options';

/** A single message causes several of these. */
const FREQUENT_EVENTS = [
	'MESSAGE_DELIVERY',
	'MESSAGE_STATUS',
	'PRESENCE_CHAT',
	'RECEIVED_AND_DELIVERY',
	'RECEIVED_STATUS',
];

const ROLE = 'This trigger needs an account with the ENTERPRISE role';

/** Each choice shows one box. With manual registration, that is the one below Registration. */
function notice(
	name: string,
	displayName: string,
	source: 'channel' | 'template',
	on: INodeProperties['displayOptions'] = {},
): INodeProperties {
	const show = { source: [source], registration: ['automatic'], ...on.show };
	return { displayName, name, type: 'notice', default: '', displayOptions: { ...on, show } };
}

/** In the order of the editor. Workflows save the names. */
export const fields: INodeProperties[] = [
	{
		displayName: 'Source',
		name: 'source',
		type: 'options',
		noDataExpression: true,
		options: [
			{
				name: 'Channel',
				value: 'channel',
				description: 'Messages to and from the customers of a channel, and its connection',
			},
			{
				name: 'Templates',
				value: 'template',
				description: "Changes of status and category of the account's message templates",
			},
		],
		default: 'channel',
		description: 'Where the events come from',
	},
	{
		...channelField,
		description:
			'The channel to listen to: where customers write, such as a business phone number or a bot',
		displayOptions: { show: { source: ['channel'] } },
	},
	{
		displayName: 'Events',
		name: 'channelEvents',
		type: 'multiOptions',
		required: true,
		options: CHANNEL_EVENT_OPTIONS.filter(({ action }) => action),
		allowArbitraryValues: true, // Saved workflows can hold the others.
		default: ['MESSAGE_RECEIVED'],
		description: `The events that start the workflow. A message gives text, sender.identifier and, after a tap on a button, ${TAPPED_BUTTON}.`,
		displayOptions: { show: { source: ['channel'] } },
	},
	{
		displayName: 'Events',
		name: 'templateEvents',
		type: 'multiOptions',
		required: true,
		options: TEMPLATE_EVENT_OPTIONS,
		default: ['UPDATE_TEMPLATE_CATEGORY', 'UPDATE_TEMPLATE_STATUS'],
		description: 'The events that start the workflow',
		displayOptions: { show: { source: ['template'] } },
	},
	notice('roleNotice', ROLE, 'channel', { hide: { channelEvents: FREQUENT_EVENTS } }),
	notice(
		'frequentEventsNotice',
		`${ROLE}. Each message causes several of these events, and each event starts an execution.`,
		'channel',
		{ show: { channelEvents: FREQUENT_EVENTS } },
	),
	notice(
		'templateLagNotice',
		`${ROLE}. After you publish or test, the first template events can take about 5 minutes.`,
		'template',
	),
	groupingField,
	quietTimeField,
	options,
	{
		displayName: 'Registration',
		name: 'registration',
		type: 'options',
		noDataExpression: true,
		options: [
			{
				name: 'Automatic',
				value: 'automatic',
				description:
					'This node registers its webhook when you publish the workflow, and removes it when you unpublish',
			},
			{
				name: 'Manual',
				value: 'manual',
				description:
					'You register the webhook in the dashboard of the service. The Test URL is another address. To test, register it, too.',
			},
		],
		default: 'automatic',
		description: 'Who registers the webhook, the URL to which the service delivers events',
	},
	{
		displayName:
			'Before you publish, register the <b>Production URL</b> shown above in the dashboard of the service, with the events chosen here, and enter its signing secret (Webhook Secret) or its bearer token (Webhook Token) in the credential',
		name: 'manualNotice',
		type: 'notice',
		default: '',
		displayOptions: { show: { registration: ['manual'] } },
	},
];
