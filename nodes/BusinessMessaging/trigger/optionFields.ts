import type { INodeProperties } from 'n8n-workflow';

import { SUGGESTED_TIMESTAMP_TOLERANCE } from '../service/contract';

/** The kinds that are published. More can come: an expression takes any. */
const CONTENT_KINDS = [
	{ name: 'Audio', value: 'AUDIO' },
	{ name: 'Contacts', value: 'CONTACT_ARRAY' },
	{ name: 'Image', value: 'IMAGE' },
	{ name: 'Interactive Action', value: 'INTERACTIVE_ACTION' },
	{ name: 'Interactive Button', value: 'INTERACTIVE_BUTTON' },
	{ name: 'Sticker', value: 'STICKER' },
	{ name: 'Text', value: 'TEXT' },
	{ name: 'Video', value: 'VIDEO' },
];

const forChannels = { show: { '/source': ['channel'] } };

export const options: INodeProperties = {
	displayName: 'Options',
	name: 'options',
	type: 'collection',
	placeholder: 'Add Option',
	default: {},
	options: [
		{
			displayName: 'Chat Fields',
			name: 'chatFields',
			type: 'boolean',
			default: false,
			description: 'Whether to add chatInput (the text) and sessionId (the channel and the customer), which AI agents and memories read',
			displayOptions: { show: { '/source': ['channel'], '/output': ['simplified'] } },
		},
		{
			displayName: 'Content Kinds',
			name: 'contentKinds',
			type: 'multiOptions',
			options: CONTENT_KINDS,
			default: [],
			description: 'Start only for messages with one of these contents. Leave empty for all.',
			displayOptions: forChannels,
		},
		{
			displayName: 'Deduplicate',
			name: 'deduplicate',
			type: 'boolean',
			default: true,
			description: 'Whether to start only once when the service delivers an event again. Remembered by each n8n process until it restarts.',
		},
		{
			displayName: 'Include Headers',
			name: 'includeHeaders',
			type: 'boolean',
			default: false,
			description: 'Whether to add the headers of the delivery, without those that prove who sent it',
		},
		{
			displayName: 'Include Own Messages',
			name: 'includeOwnMessages',
			type: 'boolean',
			default: false,
			description: 'Whether to start for messages that the business itself wrote, too, when Message Received is the only event. Beware of workflows that answer themselves.',
			displayOptions: forChannels,
		},
		{
			displayName: 'Senders',
			name: 'senders',
			type: 'string',
			typeOptions: { multipleValues: true, multipleValueButtonText: 'Add Sender' },
			default: [],
			placeholder: 'e.g. 5511999990000',
			description: 'Start only for messages from these senders. Leave empty for all.',
			displayOptions: forChannels,
		},
		{
			displayName: 'Signature Scheme',
			name: 'signatureScheme',
			type: 'options',
			options: [
				{ name: 'Body Only', value: 'bodyOnly', description: 'The signature covers the body alone: an old delivery can be repeated by whoever recorded it' },
				{ name: 'Five Fields', value: 'fiveField', description: 'The signature covers timestamp, topic, partition, offset and body' },
			],
			default: 'fiveField',
			description: 'How the service signs deliveries',
		},
		{
			displayName: 'Statuses',
			name: 'statuses',
			type: 'string',
			typeOptions: { multipleValues: true, multipleValueButtonText: 'Add Status' },
			default: [],
			placeholder: 'e.g. READ',
			description: 'Start only for messages with one of these statuses. Leave empty for all.',
			displayOptions: forChannels,
		},
		{
			displayName: 'Timestamp Tolerance (Seconds)',
			name: 'timestampTolerance',
			type: 'number',
			typeOptions: { minValue: 1 },
			default: SUGGESTED_TIMESTAMP_TOLERANCE,
			description: 'How far the time of a delivery may be from the time of n8n. Older deliveries are refused, so that nobody can repeat them.',
		},
	],
};
