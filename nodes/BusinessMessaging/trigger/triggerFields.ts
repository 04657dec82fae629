import type { INodeProperties } from 'n8n-workflow';

import { CHANNEL_EVENT_OPTIONS, TEMPLATE_EVENT_OPTIONS } from '../shared/node/eventOptions';
import {
	channelField,
	choiceField,
	choicesField,
	fixedCollectionField,
	optionsField,
	noticeField,
	numberField,
	RECIPIENT_EXAMPLE,
	switchField,
	TAPPED_BUTTON,
	textField,
} from '../shared/node/fields';
import {
	groupingField,
	groupingOptions,
	personLimitValues,
	quietTimeField,
	SHARED_MEMORY,
} from './groupingSettings';
import { MESSAGE_STATES, SUGGESTED_TIMESTAMP_TOLERANCE } from '../service/contract';
import { sentenceCase } from '../shared/texts/words';

/** The published types. The service can send more, and an expression takes any. */
const MESSAGE_TYPES = {
	AUDIO: 'Audio',
	CONTACT_ARRAY: 'Contacts',
	IMAGE: 'Image',
	INTERACTIVE_ACTION: 'Interactive Action',
	INTERACTIVE_BUTTON: 'Interactive Button',
	STICKER: 'Sticker',
	TEXT: 'Text',
	VIDEO: 'Video',
};

const forChannels = { show: { '/source': ['channel'] } };

/** By default. The service delivers again for 76 hours (assumed), and nothing may be lost. */
export const OLDEST_HOURS = 96;

export const options: INodeProperties = optionsField([
	fixedCollectionField("A Person's Limit", 'personLimit', {
		options: [{ displayName: 'Limit', name: 'limit', values: personLimitValues }],
		default: { limit: { executions: 20, minutes: 10 } },
		description:
			"How many executions one person's messages start. The next message starts one with limit.reached. Further ones are lost, so a workflow that must hear STOP has no limit.",
		displayOptions: forChannels,
	}),
	switchField('Add Fields for AI Agents', 'chatFields', {
		description:
			'Whether to add chatInput (the text, cut if it is very long, or words for a message without one) and sessionId (the channel and the customer), where AI agents and their memories look for them',
		// Not shown by `simplified`: n8n fills in no default here, and would drop the value.
		displayOptions: { ...forChannels, hide: { output: ['raw'] } },
	}),
	switchField('Deduplicate', 'deduplicate', {
		description:
			'Whether to ignore an event that the service delivers again. Each n8n process remembers what it received until it restarts.',
	}),
	numberField('Ignore Older Than (Hours)', 'ignoreOlderThan', {
		typeOptions: { minValue: 0 },
		default: OLDEST_HOURS,
		description:
			"Age from which on a customer's message starts nothing. 0 for none. The service can deliver again for days, so a low number can lose messages.",
		displayOptions: forChannels,
	}),
	switchField('Ignore Replies', 'ignoreReplies', {
		description:
			'Whether to ignore messages that a question of this n8n took in the chat. What no question takes starts the workflow.',
		displayOptions: forChannels,
	}),
	switchField('Include Headers', 'includeHeaders', {
		description:
			'Whether to add common HTTP headers of the delivery to the output, such as X-Idempotency-Key',
	}),
	choicesField('Message Types', 'contentKinds', {
		options: MESSAGE_TYPES,
		description:
			'Start only for messages of these types, the field "type" of the output. Leave empty for all.',
		displayOptions: forChannels,
	}),
	textField('Only From', 'senders', {
		typeOptions: { multipleValues: true, multipleValueButtonText: 'Add Sender' },
		default: [],
		placeholder: RECIPIENT_EXAMPLE,
		description: 'Start only for messages from these customers. Leave empty for all.',
		displayOptions: forChannels,
	}),
	choiceField('Output', 'output', {
		noDataExpression: true,
		options: {
			raw: ['Raw', 'The whole body, as the service sent it'],
			simplified: ['Simplified', 'The fields that workflows need, with plain names'],
		},
		default: 'simplified',
		description: 'Form in which the workflow gets an event',
	}),
	choiceField('Signature Scheme', 'signatureScheme', {
		options: {
			bodyOnly: [
				'Body Only',
				'The signature covers only the body. Weaker, because a recorded delivery can be sent again.',
			],
			fiveField: [
				'Five Fields',
				'The signature covers timestamp, topic, partition, offset and body',
			],
		},
		default: 'fiveField',
		description:
			'How the service signs deliveries. Change it only if signatures of real deliveries are refused.',
		displayOptions: { show: { '/registration': ['manual'] } },
	}),
	choicesField('Statuses', 'statuses', {
		options: [...MESSAGE_STATES]
			.sort()
			.map((value) => ({ name: sentenceCase(value), value, description: value })),
		// Only the first is published, so the field takes others, too.
		allowArbitraryValues: true,
		description:
			'Start only for messages with one of these statuses. An expression takes others. Leave empty for all.',
		displayOptions: forChannels,
	}),
	numberField('Timestamp Tolerance (Seconds)', 'timestampTolerance', {
		typeOptions: { minValue: 1 },
		default: SUGGESTED_TIMESTAMP_TOLERANCE,
		description:
			'Seconds by which the time of a delivery can differ from the clock of n8n. Older deliveries are refused, so that nobody can repeat them.',
	}),
	// Rarely needed, so below the others.
	...groupingOptions,
]);

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
	text: string,
	source: 'channel' | 'template',
	on: INodeProperties['displayOptions'] = {},
): INodeProperties {
	const show = { source: [source], registration: ['automatic'], ...on.show };
	return noticeField(name, text, { ...on, show });
}

/** In the order of the editor. Workflows save the names. */
export const fields: INodeProperties[] = [
	choiceField('Source', 'source', {
		noDataExpression: true,
		options: {
			channel: ['Channel', 'Messages to and from the customers of a channel, and its connection'],
			template: ['Templates', "Changes of status and category of the account's message templates"],
		},
		default: 'channel',
		description: 'Where the events come from',
	}),
	{
		...channelField,
		description:
			'The channel to listen to: where customers write, such as a business phone number or a bot',
		displayOptions: { show: { source: ['channel'] } },
	},
	choicesField('Events', 'channelEvents', {
		required: true,
		options: CHANNEL_EVENT_OPTIONS.filter(({ action }) => action),
		allowArbitraryValues: true,
		// Saved workflows can hold the others.
		default: ['MESSAGE_RECEIVED'],
		description: `The events that start the workflow. A message gives text, sender.identifier and, after a tap on a button, ${TAPPED_BUTTON}.`,
		displayOptions: { show: { source: ['channel'] } },
	}),
	choicesField('Events', 'templateEvents', {
		required: true,
		options: TEMPLATE_EVENT_OPTIONS,
		default: ['UPDATE_TEMPLATE_CATEGORY', 'UPDATE_TEMPLATE_STATUS'],
		description: 'The events that start the workflow',
		displayOptions: { show: { source: ['template'] } },
	}),
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
	noticeField('sharedMemoryNotice', SHARED_MEMORY, {
		show: { source: ['channel'], grouping: ['arrival'], '/options.chatFields': [true] },
	}),
	quietTimeField,
	options,
	choiceField('Registration', 'registration', {
		noDataExpression: true,
		options: {
			automatic: [
				'Automatic',
				'This node registers its webhook when you publish the workflow, and removes it when you unpublish. In queue mode, no Code node may write static data, because that deletes its signing secret.',
			],
			manual: [
				'Manual',
				'You register the webhook in the dashboard of the service. The Test URL is another address. To test, register it, too.',
			],
		},
		default: 'automatic',
		description: 'Who registers the webhook, the URL to which the service delivers events',
	}),
	noticeField(
		'manualNotice',
		'Before you publish, register the <b>Production URL</b> shown above in the dashboard of the service, with the events chosen here, and enter its signing secret (Webhook Secret) or its bearer token (Webhook Token) in the credential',
		{ show: { registration: ['manual'] } },
	),
];
