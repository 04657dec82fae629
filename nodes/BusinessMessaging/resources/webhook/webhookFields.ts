import type { IExecuteFunctions, INodeProperties } from 'n8n-workflow';

import { API_KEY_HEADER } from '../../service/contract';
import type { WebhookOwner } from '../../service/webhooks';
import { CHANNEL_EVENT_OPTIONS, TEMPLATE_EVENT_OPTIONS } from '../../shared/node/eventOptions';
import { channelField, webhookField } from '../../shared/node/fields';
import { readId } from '../../shared/node/parameters';

const roleNotice: INodeProperties = {
	displayName: 'Only accounts with the ENTERPRISE role can use webhooks',
	name: 'roleNotice',
	type: 'notice',
	default: '',
};

/** The two resources with webhook operations differ only in the owner of the webhooks. */
export type OwnerKind = WebhookOwner['kind'];

interface OwnerTraits {
	/** Value of `resource`. */
	resource: 'webhook' | 'templateWebhook';
	/** To follow "Delete a ". */
	singular: string;
	plural: string;
	/** Fields for the owner of the webhooks. */
	ownerFields: INodeProperties[];
	/** Fields for one webhook. */
	selectionFields: INodeProperties[];
}

export const OWNERS: Record<OwnerKind, OwnerTraits> = {
	channel: {
		resource: 'webhook',
		singular: 'webhook',
		plural: 'webhooks',
		ownerFields: [channelField, roleNotice],
		selectionFields: [channelField, webhookField('searchWebhooks'), roleNotice],
	},
	template: {
		resource: 'templateWebhook',
		singular: 'template webhook',
		plural: 'template webhooks',
		ownerFields: [roleNotice],
		selectionFields: [webhookField('searchTemplateWebhooks'), roleNotice],
	},
};

export const readWebhookOwner = (
	context: IExecuteFunctions,
	kind: OwnerKind,
	itemIndex: number,
): WebhookOwner =>
	kind === 'template'
		? { kind }
		: { kind, channelId: readId(context, 'channelId', 'Channel', itemIndex) };

export const eventsField = (kind: OwnerKind): INodeProperties => ({
	displayName: 'Events',
	name: 'events',
	type: 'multiOptions',
	options: kind === 'channel' ? CHANNEL_EVENT_OPTIONS : TEMPLATE_EVENT_OPTIONS,
	default: [],
	description: 'The events that the service delivers to the URL',
});

export const urlField: INodeProperties = {
	displayName: 'URL',
	name: 'url',
	type: 'string',
	default: '',
	placeholder: 'e.g. https://example.com/events',
	description: 'The address for events, which the service must be able to reach',
};

export const statusField: INodeProperties = {
	displayName: 'Status',
	name: 'status',
	type: 'options',
	options: [
		{ name: 'Disabled', value: 'DISABLED', description: 'Deliveries are paused' },
		{ name: 'Enabled', value: 'ENABLED', description: 'Events are delivered' },
	],
	default: 'ENABLED',
	description: 'Whether the service delivers events to the URL',
};

/** A value that the editor hides, of one type of authentication. */
const secretField = (displayName: string, name: string, type: string): INodeProperties => ({
	displayName,
	name,
	type: 'string',
	typeOptions: { password: true },
	default: '',
	displayOptions: { show: { type: [type] } },
});

const authField: INodeProperties = {
	displayName: 'Authentication',
	name: 'auth',
	type: 'fixedCollection',
	default: {},
	placeholder: 'Add Authentication',
	description: 'What the service sends to prove itself. Nobody can read it later.',
	options: [
		{
			displayName: 'Authentication',
			name: 'value',
			values: [
				{
					// n8n's rules sort these by their label, and this one must come first.
					displayName: 'Authentication Type',
					name: 'type',
					type: 'options',
					options: [
						{
							name: 'API Key',
							value: 'API_KEY',
							description: `A key in the header ${API_KEY_HEADER}`,
						},
						{ name: 'Basic', value: 'BASIC', description: 'A username and a password' },
						{ name: 'Bearer', value: 'BEARER', description: 'A token in the header Authorization' },
						{
							name: 'Custom Header',
							value: 'CUSTOM_HEADER',
							description: 'A header of your choice',
						},
						{ name: 'None', value: 'NONE', description: 'No authentication' },
					],
					default: 'BEARER',
				},
				{
					displayName: 'Header Name',
					name: 'headerName',
					type: 'string',
					default: '',
					placeholder: 'e.g. x-token',
					displayOptions: { show: { type: ['CUSTOM_HEADER'] } },
				},
				secretField('Header Value', 'headerValue', 'CUSTOM_HEADER'),
				secretField('Key', 'key', 'API_KEY'),
				secretField('Password', 'password', 'BASIC'),
				secretField('Token', 'token', 'BEARER'),
				{
					displayName: 'Username',
					name: 'username',
					type: 'string',
					default: '',
					displayOptions: { show: { type: ['BASIC'] } },
				},
			],
		},
	],
};

/** Template webhooks have the default alone. */
const payloadFormatField: INodeProperties = {
	displayName: 'Payload Format',
	name: 'payloadFormat',
	type: 'string',
	default: 'DEFAULT',
	description:
		'The form of the events, by a name that the service documents. The trigger node reads DEFAULT alone.',
};

/** Further fields of both create and update. */
export const commonFields = (kind: OwnerKind): INodeProperties[] => [
	authField,
	{
		displayName: 'Custom Attributes',
		name: 'customAttributes',
		type: 'json',
		default: '{}',
		description: 'A JSON object of your own, which the service stores with the webhook',
	},
	{
		displayName: 'Description',
		name: 'description',
		type: 'string',
		default: '',
		placeholder: 'e.g. Orders',
		description: 'What the webhook is for. Lists show it beside the URL.',
	},
	...(kind === 'channel' ? [payloadFormatField] : []),
	{
		displayName: 'Signing',
		name: 'signing',
		type: 'boolean',
		default: true,
		description:
			'Whether the service signs deliveries. The output holds the signing secret, which is not shown again. It replaces an earlier one.',
	},
];
