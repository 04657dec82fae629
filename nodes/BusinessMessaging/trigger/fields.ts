import type { INodeProperties } from 'n8n-workflow';

import { channelField } from '../resources/shared/fields';
import { options } from './optionFields';

const CHANNEL_EVENT_OPTIONS = [
	{ name: 'Block', value: 'BLOCK', description: 'A contact was blocked or unblocked' },
	{ name: 'Connected', value: 'CONNECTED', description: 'The channel was connected' },
	{ name: 'Disconnected', value: 'DISCONNECTED', description: 'The channel was disconnected' },
	{ name: 'Initial Data', value: 'INITIAL_DATA', description: 'Data that was there when the channel was connected' },
	{ name: 'Message Delivery', value: 'MESSAGE_DELIVERY', description: 'Delivery of messages that the business sent' },
	{ name: 'Message Received', value: 'MESSAGE_RECEIVED', description: 'A customer wrote' },
	{ name: 'Message Status', value: 'MESSAGE_STATUS', description: 'The status of a message changed' },
	{ name: 'Presence in Chat', value: 'PRESENCE_CHAT', description: 'A contact is typing, online or away' },
	{ name: 'Received and Delivery', value: 'RECEIVED_AND_DELIVERY', description: 'Messages of customers and of the business' },
	{ name: 'Received Status', value: 'RECEIVED_STATUS', description: 'The status of a received message changed' },
];

/** Events of which a single message causes several. */
const FREQUENT_EVENTS = ['MESSAGE_DELIVERY', 'MESSAGE_STATUS', 'PRESENCE_CHAT', 'RECEIVED_AND_DELIVERY', 'RECEIVED_STATUS'];

/** What a person reads and fills in, in this order. The names are what saved workflows hold. */
export const fields: INodeProperties[] = [
	{
		displayName: 'Source',
		name: 'source',
		type: 'options',
		noDataExpression: true,
		options: [
			{ name: 'Channel', value: 'channel', description: 'Messages and the connection of a channel' },
			{ name: 'Templates', value: 'template', description: 'Status and category of the account\'s message templates' },
		],
		default: 'channel',
		description: 'What to listen to',
	},
	{ ...channelField, description: 'The channel to listen to: a business phone number connected to the service', displayOptions: { show: { source: ['channel'] } } },
	{
		displayName: 'Events',
		name: 'channelEvents',
		type: 'multiOptions',
		required: true,
		options: CHANNEL_EVENT_OPTIONS,
		default: ['MESSAGE_RECEIVED'],
		description: 'The events that start the workflow',
		displayOptions: { show: { source: ['channel'] } },
	},
	{
		displayName: 'Each message causes several of these events, and each event starts an execution. Choose them only if the workflow needs them.',
		name: 'frequentEventsNotice',
		type: 'notice',
		default: '',
		displayOptions: { show: { source: ['channel'], channelEvents: FREQUENT_EVENTS } },
	},
	{
		displayName: 'Events',
		name: 'templateEvents',
		type: 'multiOptions',
		required: true,
		options: [
			{ name: 'Update Template Category', value: 'UPDATE_TEMPLATE_CATEGORY', description: 'The category of a template changed' },
			{ name: 'Update Template Status', value: 'UPDATE_TEMPLATE_STATUS', description: 'A template was approved, rejected or otherwise changed its status' },
		],
		default: ['UPDATE_TEMPLATE_CATEGORY', 'UPDATE_TEMPLATE_STATUS'],
		description: 'The events that start the workflow',
		displayOptions: { show: { source: ['template'] } },
	},
	{
		displayName: 'After you publish or test, the service can take up to about 5 minutes to send the first template events',
		name: 'templateLagNotice',
		type: 'notice',
		default: '',
		displayOptions: { show: { source: ['template'] } },
	},
	{
		displayName: 'Registration',
		name: 'registration',
		type: 'options',
		noDataExpression: true,
		options: [
			{ name: 'Automatic', value: 'automatic', description: 'The node registers its webhook when you publish, and removes it when you unpublish' },
			{ name: 'Manual', value: 'manual', description: 'You register the webhook in the dashboard of the service' },
		],
		default: 'automatic',
		description: 'Who registers the webhook with the service. Both ways need an account with the ENTERPRISE role.',
	},
	{
		displayName:
			'Register the <b>Production URL</b> shown above in the dashboard of the service, with the events chosen here, before you publish. Enter its signing secret, or the bearer token that it sends, in the credential. The <b>Test URL</b> is another address: to test, register that one too.',
		name: 'manualNotice',
		type: 'notice',
		default: '',
		displayOptions: { show: { registration: ['manual'] } },
	},
	{
		displayName: 'Output',
		name: 'output',
		type: 'options',
		noDataExpression: true,
		options: [
			{ name: 'Simplified', value: 'simplified', description: 'The fields that workflows need, under plain names' },
			{ name: 'Raw', value: 'raw', description: 'The body as the service sent it' },
		],
		default: 'simplified',
		description: 'What the items hold',
	},
	options,
];
