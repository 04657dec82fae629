import type { INodeProperties } from 'n8n-workflow';

import { MESSAGE_STATES, SUGGESTED_TIMESTAMP_TOLERANCE } from '../service/contract';
import { RECIPIENT_EXAMPLE } from '../shared/node/fields';
import { sentenceCase } from '../shared/texts/words';
import { eventsPerExecution, heldMessages, longestWait } from './grouping/groupingSettings';

/** The published types. The service can send more, and an expression takes any. */
const MESSAGE_TYPES = [
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

/** By default. The service delivers again for 76 hours (assumed), and nothing may be lost. */
export const OLDEST_HOURS = 96;

export const options: INodeProperties = {
	displayName: 'Options',
	name: 'options',
	type: 'collection',
	placeholder: 'Add Option',
	default: {},
	options: [
		{
			displayName: 'Add Fields for AI Agents',
			name: 'chatFields',
			type: 'boolean',
			default: true,
			description:
				'Whether to add chatInput (the text, cut if it is very long, or words for a message without one) and sessionId (the channel and the customer), where AI agents and their memories look for them',
			// Not shown by `simplified`: n8n fills in no default here, and would drop the value.
			displayOptions: { ...forChannels, hide: { output: ['raw'] } },
		},
		{
			displayName: 'Deduplicate',
			name: 'deduplicate',
			type: 'boolean',
			default: true,
			description:
				'Whether to ignore an event that the service delivers again. Each n8n process remembers what it received until it restarts.',
		},
		{
			displayName: 'Ignore Older Than (Hours)',
			name: 'ignoreOlderThan',
			type: 'number',
			typeOptions: { minValue: 0 },
			default: OLDEST_HOURS,
			description:
				"Age from which on a customer's message starts nothing. 0 for none. The service can deliver again for days, so a low number can lose messages.",
			displayOptions: forChannels,
		},
		{
			displayName: 'Ignore Replies',
			name: 'ignoreReplies',
			type: 'boolean',
			default: true,
			description:
				'Whether to ignore messages that a question of this n8n took in the chat. What no question takes starts the workflow.',
			displayOptions: forChannels,
		},
		{
			displayName: 'Include Headers',
			name: 'includeHeaders',
			type: 'boolean',
			default: true,
			description:
				'Whether to add common HTTP headers of the delivery to the output, such as X-Idempotency-Key',
		},
		{
			displayName: 'Message Types',
			name: 'contentKinds',
			type: 'multiOptions',
			options: MESSAGE_TYPES,
			default: [],
			description:
				'Start only for messages of these types, the field "type" of the output. Leave empty for all.',
			displayOptions: forChannels,
		},
		{
			displayName: 'Only From',
			name: 'senders',
			type: 'string',
			typeOptions: { multipleValues: true, multipleValueButtonText: 'Add Sender' },
			default: [],
			placeholder: RECIPIENT_EXAMPLE,
			description: 'Start only for messages from these customers. Leave empty for all.',
			displayOptions: forChannels,
		},
		{
			displayName: 'Output',
			name: 'output',
			type: 'options',
			noDataExpression: true,
			options: [
				{
					name: 'Raw',
					value: 'raw',
					description: 'The whole body, as the service sent it',
				},
				{
					name: 'Simplified',
					value: 'simplified',
					description: 'The fields that workflows need, with plain names',
				},
			],
			default: 'simplified',
			description: 'Form in which the workflow gets an event',
		},
		{
			displayName: 'Signature Scheme',
			name: 'signatureScheme',
			type: 'options',
			options: [
				{
					name: 'Body Only',
					value: 'bodyOnly',
					description:
						'The signature covers only the body. Weaker, because a recorded delivery can be sent again.',
				},
				{
					name: 'Five Fields',
					value: 'fiveField',
					description: 'The signature covers timestamp, topic, partition, offset and body',
				},
			],
			default: 'fiveField',
			description:
				'How the service signs deliveries. Change it only if signatures of real deliveries are refused.',
			displayOptions: { show: { '/registration': ['manual'] } },
		},
		{
			displayName: 'Statuses',
			name: 'statuses',
			type: 'multiOptions',
			options: [...MESSAGE_STATES]
				.sort()
				.map((value) => ({ name: sentenceCase(value), value, description: value })),
			// Only the first is published, so the field takes others, too.
			allowArbitraryValues: true,
			default: [],
			description:
				'Start only for messages with one of these statuses. An expression takes others. Leave empty for all.',
			displayOptions: forChannels,
		},
		{
			displayName: 'Timestamp Tolerance (Seconds)',
			name: 'timestampTolerance',
			type: 'number',
			typeOptions: { minValue: 1 },
			default: SUGGESTED_TIMESTAMP_TOLERANCE,
			description:
				'Seconds by which the time of a delivery can differ from the clock of n8n. Older deliveries are refused, so that nobody can repeat them.',
		},
		// Rarely needed, so below the others.
		eventsPerExecution,
		longestWait,
		heldMessages,
	],
};
