import type { INodeProperties } from 'n8n-workflow';

import { MESSAGE_STATES, SUGGESTED_TIMESTAMP_TOLERANCE } from '../service/contract';
import { sentenceCase } from '../shared/words';
import { GROUPING_OPTIONS } from './groupingSettings';

/** The types that are published. More can come: an expression takes any. */
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
const forGroups = { show: { '/source': ['channel'], '/grouping': ['arrival', 'customer'] } };
const forCustomers = { show: { '/source': ['channel'], '/grouping': ['customer'] } };

/** A number that says when a group of events starts. */
const groupingOption = (
	name: keyof typeof GROUPING_OPTIONS,
	description: string,
	displayOptions: INodeProperties['displayOptions'],
): INodeProperties => {
	const { name: displayName, byDefault, min, max } = GROUPING_OPTIONS[name];
	return {
		displayName,
		name,
		type: 'number',
		typeOptions: { minValue: min, maxValue: max },
		default: byDefault,
		description,
		displayOptions,
	};
};

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
			description:
				'Whether to add chatInput (the text) and sessionId (the channel and the customer), where AI agents and their memories look for them',
			displayOptions: { show: { '/source': ['channel'], '/output': ['simplified'] } },
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
			displayName: 'Ignore Replies',
			name: 'ignoreReplies',
			type: 'boolean',
			default: true,
			description:
				'Whether to ignore what a person writes while a question of this n8n waits for them in the chat, and for 5 seconds after the answer',
			displayOptions: { show: { '/source': ['channel'], '@version': [{ _cnd: { gte: 1.2 } }] } },
		},
		{
			displayName: 'Include Headers',
			name: 'includeHeaders',
			type: 'boolean',
			default: false,
			description:
				'Whether to add the HTTP headers of the delivery to the output, without those that prove who sent it',
		},
		{
			displayName: 'Include Own Messages',
			name: 'includeOwnMessages',
			type: 'boolean',
			default: false,
			description:
				'Whether to start for messages that the business itself wrote, too. Only of use while Message Received is the only event. Beware: a workflow that sends texts can answer itself.',
			displayOptions: forChannels,
		},
		groupingOption(
			'longestWait',
			"How long a customer's first message waits for more, at most. The service waits about 15 seconds for an answer, and then delivers again.",
			forCustomers,
		),
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
		groupingOption(
			'mostEvents',
			'How many events an execution takes, at most. A group with so many starts at once.',
			forGroups,
		),
		groupingOption(
			'mostWaiting',
			'How many deliveries of all workflows may wait in an n8n process. When there are so many, the oldest group starts. Each can hold memory of n8n: see the guide before you raise it.',
			forGroups,
		),
		groupingOption(
			'quietTime',
			"How long a customer's message waits for the next one",
			forCustomers,
		),
		{
			displayName: 'Senders',
			name: 'senders',
			type: 'string',
			typeOptions: { multipleValues: true, multipleValueButtonText: 'Add Sender' },
			default: [],
			placeholder: 'e.g. 5511999990000',
			description:
				'Start only for messages from these customers, however a number is written. Leave empty for all.',
			displayOptions: forChannels,
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
						'The signature covers the body alone. Weaker: whoever recorded a delivery can repeat it.',
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
		},
		{
			displayName: 'Statuses',
			name: 'statuses',
			type: 'multiOptions',
			options: [...MESSAGE_STATES]
				.sort()
				.map((value) => ({ name: sentenceCase(value), value, description: value })),
			// Only the first of them is published: others that a workflow has, or an expression gives, are taken, too.
			allowArbitraryValues: true,
			default: [],
			description:
				'Start only for messages with one of these statuses, e.g. with the event Message Status Changed. Others can come: an expression takes any. Leave empty for all.',
			displayOptions: forChannels,
		},
		{
			displayName: 'Timestamp Tolerance (Seconds)',
			name: 'timestampTolerance',
			type: 'number',
			typeOptions: { minValue: 1 },
			default: SUGGESTED_TIMESTAMP_TOLERANCE,
			description:
				'How far the time of a delivery may be from the clock of n8n. Older deliveries are refused, so that nobody can repeat them.',
		},
	],
};
