/** The error about an empty field names it as the editor does. */
import { BusinessMessaging } from '#nodes/BusinessMessaging.node.ts';
import { CHANNEL, WEBHOOK } from '../../support/constants.mts';
import { run } from './actionNode.mts';

type Fields = Record<string, unknown>;

const channelId = CHANNEL;
const webhookId = WEBHOOK;
const ofChannel = { channelId: 'Channel' };
const ofWebhook = { webhookId: 'Webhook' };
const url = 'https://example.com/a.png';
const events = ['CONNECTED'];
const target = { channelId, recipient: '5511999990000' };
const image = { mediaType: 'image' };
const ofTarget = { ...ofChannel, recipient: 'Recipient' };

const template = { __rl: true, mode: 'name', value: 'welcome' };
const connection = { wabaId: '1', phoneId: '2', code: 'c', coexistence: false };
const connectionNames = {
	wabaId: 'Business Account ID (wabaId)',
	phoneId: 'Phone Number ID (phoneId)',
	code: 'Code',
};
const yes = { values: [{ title: 'Yes' }] };

/** By resource and operation: valid fields, and the names of those that must not be empty. */
const OPERATIONS: Array<[operation: string, filled: Fields, labels: Record<string, string>]> = [
	[
		'channel.connect',
		{ channelId, connectionData: 'fields', ...connection },
		{ ...ofChannel, ...connectionNames },
	],
	['channel.create', { name: 'Support', type: 'X' }, { name: 'Name', type: 'Type' }],
	...['get', 'check', 'disconnect', 'subscribe', 'cancelSubscription', 'delete'].map(
		(operation): [string, Fields, typeof ofChannel] => [
			`channel.${operation}`,
			{ channelId },
			ofChannel,
		],
	),
	['webhook.create', { channelId, url, events }, { ...ofChannel, url: 'URL' }],
	['webhook.getAll', { channelId }, ofChannel],
	['webhook.update', { channelId, webhookId }, { ...ofChannel, ...ofWebhook }],
	['webhook.delete', { channelId, webhookId }, { ...ofChannel, ...ofWebhook }],
	['templateWebhook.create', { url, events }, { url: 'URL' }],
	['templateWebhook.update', { webhookId }, ofWebhook],
	['templateWebhook.delete', { webhookId }, ofWebhook],
	['message.sendText', { ...target, text: 'Hi' }, { ...ofTarget, text: 'Text' }],
	[
		'message.sendMedia',
		{ ...target, ...image, mediaUrl: url },
		{ ...ofTarget, mediaType: 'Media Type', mediaUrl: 'Media URL' },
	],
	[
		'message.sendMedia',
		{ ...target, ...image, source: 'binary' },
		{ binaryField: 'Input Binary Field' },
	],
	[
		'message.sendButtons',
		{ ...target, text: 'Well?', replyButtons: yes },
		{ ...ofTarget, text: 'Text' },
	],
	[
		'message.sendTemplate',
		{ ...target, template, languageCode: 'en_US' },
		{ ...ofTarget, template: 'Template', languageCode: 'Language Code' },
	],
	[
		'message.sendContact',
		{ ...target, contactPhones: ['1'] },
		{ ...ofTarget, contactName: 'Contact Name' },
	],
	['message.sendOther', { ...target, content: { type: 'POLL' } }, ofTarget],
	[
		'message.downloadAttachments',
		{ attachments: [] },
		{ outputFieldPrefix: 'Output Field Prefix' },
	],
];

const ROWS = OPERATIONS.flatMap(([name, filled, labels]) => {
	const [resource = '', operation = ''] = name.split('.');
	return Object.entries(labels).map(([field, label]) => ({
		resource,
		operation,
		filled,
		field,
		label,
	}));
});

/** The editor's name for a field of an operation. */
const titlesOf = (resource: string, operation: string, field: string) =>
	new BusinessMessaging().description.properties
		.filter(({ name, displayOptions: { show } = {} }) =>
			[
				name === field,
				show?.resource?.includes(resource),
				show?.operation?.includes(operation),
			].every(Boolean),
		)
		.map(({ displayName }) => displayName);

it.each(ROWS)(
	'$resource, $operation: refuses an empty "$label", and sends nothing',
	async ({ resource, operation, filled, field, label }) => {
		expect(titlesOf(resource, operation, field)).toContain(label);
		const answer = jest.fn(() => ({ body: {} }));
		const parameters = { resource, operation, ...filled, [field]: ' ' };
		await expect(run(parameters, { answer })).rejects.toThrow(`"${label}" is empty.`);
		expect(answer).not.toHaveBeenCalled();
	},
);
