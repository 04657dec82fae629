import type { INodeProperties } from 'n8n-workflow';

import { CHANNEL_EVENTS, TEMPLATE_EVENTS } from '../../service/contract';
import type { WebhookKind } from './kind';

/** Event names as a person reads them: MESSAGE_RECEIVED is "Message Received". */
function eventOptions(events: readonly string[]) {
	return [...events].sort().map((value) => ({
		name: value.split('_').map((word) => word[0] + word.slice(1).toLowerCase()).join(' '),
		value,
	}));
}

export function eventsField(kind: WebhookKind): INodeProperties {
	const names = kind === 'channel' ? CHANNEL_EVENTS : TEMPLATE_EVENTS;
	return {
		displayName: 'Events',
		name: 'events',
		type: 'multiOptions',
		options: eventOptions(names),
		default: [],
		description: 'The events that the service delivers to the URL',
	};
}

export const urlField: INodeProperties = {
	displayName: 'URL',
	name: 'url',
	type: 'string',
	default: '',
	placeholder: 'e.g. https://example.com/events',
	description: 'Where the service delivers events',
};

export const statusField: INodeProperties = {
	displayName: 'Status',
	name: 'status',
	type: 'options',
	options: [
		{ name: 'Disabled', value: 'DISABLED', description: 'Deliveries are paused' },
		{ name: 'Enabled', value: 'ENABLED' },
	],
	default: 'ENABLED',
	description: 'Whether the service delivers events',
};

const authField: INodeProperties = {
	displayName: 'Authentication',
	name: 'auth',
	type: 'fixedCollection',
	default: {},
	placeholder: 'Add Authentication',
	description: 'What the service sends along to prove itself to the URL. It cannot be read back.',
	options: [
		{
			displayName: 'Authentication',
			name: 'value',
			values: [
				{
					displayName: 'Header Name',
					name: 'headerName',
					type: 'string',
					default: '',
					placeholder: 'e.g. x-token',
					displayOptions: { show: { type: ['CUSTOM_HEADER'] } },
				},
				{
					displayName: 'Header Value',
					name: 'headerValue',
					type: 'string',
					typeOptions: { password: true },
					default: '',
					displayOptions: { show: { type: ['CUSTOM_HEADER'] } },
				},
				{
					displayName: 'Key',
					name: 'key',
					type: 'string',
					typeOptions: { password: true },
					default: '',
					displayOptions: { show: { type: ['API_KEY'] } },
				},
				{
					displayName: 'Password',
					name: 'password',
					type: 'string',
					typeOptions: { password: true },
					default: '',
					displayOptions: { show: { type: ['BASIC'] } },
				},
				{
					displayName: 'Token',
					name: 'token',
					type: 'string',
					typeOptions: { password: true },
					default: '',
					displayOptions: { show: { type: ['BEARER'] } },
				},
				{
					displayName: 'Type',
					name: 'type',
					type: 'options',
					options: [
						{ name: 'API Key', value: 'API_KEY' },
						{ name: 'Basic', value: 'BASIC' },
						{ name: 'Bearer', value: 'BEARER' },
						{ name: 'Custom Header', value: 'CUSTOM_HEADER' },
						{ name: 'None', value: 'NONE' },
					],
					default: 'BEARER',
				},
				{
					displayName: 'User Name',
					name: 'username',
					type: 'string',
					default: '',
					displayOptions: { show: { type: ['BASIC'] } },
				},
			],
		},
	],
};

/** What create and update have in common beside URL, events and status. */
export const commonFields: INodeProperties[] = [
	authField,
	{
		displayName: 'Custom Attributes',
		name: 'customAttributes',
		type: 'json',
		default: '{}',
		description: 'An object of your own that the service keeps with the webhook',
	},
	{
		displayName: 'Description',
		name: 'description',
		type: 'string',
		default: '',
		placeholder: 'e.g. Orders',
		description: 'A text that tells what the webhook is for',
	},
	{
		displayName: 'Signing',
		name: 'signing',
		type: 'boolean',
		default: true,
		description: 'Whether deliveries are signed. The secret is in the output of this operation and is never shown again; turning it on for a webhook that signs already makes a new secret.',
	},
];
