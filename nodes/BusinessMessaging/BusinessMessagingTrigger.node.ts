import type {
	IHookFunctions,
	INodeType,
	INodeTypeDescription,
	IWebhookFunctions,
	IWebhookResponseData,
} from 'n8n-workflow';
import { NodeConnectionTypes } from 'n8n-workflow';

import { searchChannels } from './listSearch/searchChannels';
import { pageAt, sentenceCase, subtitleOf } from './shared/texts/words';
import { CHANNEL_EVENT_OPTIONS, TEMPLATE_EVENT_OPTIONS } from './shared/node/eventOptions';
import { fields } from './trigger/triggerFields';
import { isRegistered, register, unregister } from './trigger/registration/lifecycle';
import { receive } from './trigger/receiveEvent';

/** The editor shows it before a test and, on the canvas, during it. */
const LISTENING = 'Wait for a test event: write to the channel from a phone, or change a template';

export class BusinessMessagingTrigger implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'Business Messaging Trigger',
		name: 'businessMessagingTrigger',
		icon: {
			light: 'file:../../icons/business-messaging.svg',
			dark: 'file:../../icons/business-messaging.dark.svg',
		},
		group: ['trigger'],
		// Not 1: for each request to a trigger of version 1, n8n evaluates an expression of its own,
		// which costs an isolate, and parses the body otherwise. Lower versions were never published.
		version: 2,
		subtitle: subtitleOf(
			[...CHANNEL_EVENT_OPTIONS, ...TEMPLATE_EVENT_OPTIONS].map(({ value, name }) => [
				String(value),
				sentenceCase(name),
			]),
			'$parameter.source === "template" ? $parameter.templateEvents : $parameter.channelEvents',
		),
		// n8n's panel shows it for both nodes, in place of the other one's.
		description:
			'Starts a workflow when a customer writes to a business messaging service, and sends answers and questions',
		eventTriggerDescription: LISTENING,
		activationMessage: 'The workflow now runs by itself, for example when a customer writes.',
		// To those of the codex file n8n appends a query, and they no longer lead to a heading (#…).
		documentationUrl: pageAt('nodes.md#trigger'),
		defaults: { name: 'Business Messaging Trigger' },
		builderHint: {
			searchHint:
				'Outputs an item for each message: text, sender.identifier, channelId, attachments. For an AI agent: options.chatFields true, which adds chatInput and sessionId, and grouping customer.',
			relatedNodes: [
				{
					nodeType: 'n8n-nodes-business-messaging.businessMessaging',
					relationHint: 'Answers the customer',
				},
			],
		},
		hints: [
			{
				message: 'A test takes one message, and groups nothing. The published workflow groups.',
				// Events about templates have no grouping.
				displayCondition:
					'={{ $parameter["source"] !== "template" && $parameter["grouping"] !== "none" }}',
				whenToDisplay: 'always',
				location: 'outputPane',
			},
		],
		inputs: [],
		outputs: [NodeConnectionTypes.Main],
		credentials: [{ name: 'businessMessagingApi', required: true }],
		triggerPanel: {
			header: LISTENING,
			executionsHelp: {
				inactive:
					'<b>While building</b>, click "Execute step", then write to the channel from a phone. The node registers a webhook only for the test, and removes it after the first event.<br /><br /><b>Once you\'re happy with your workflow</b>, publish it. It then runs for every event.',
				active:
					'<b>While building</b>, click "Execute step", then write to the channel from a phone. The published workflow runs for the same event, too.<br /><br /><b>Your workflow also runs by itself</b>, because it is published. See those runs in the executions list.',
			},
			activationHint:
				"Once you've finished building, publish the workflow to have it run for every event.",
		},
		webhooks: [
			{
				name: 'default',
				httpMethod: 'POST',
				path: 'webhook',
				// n8n 2 responds once it has stored the execution, so no event with a 2xx is lost. n8n 1
				// responds first, and loses the event if it is killed in between.
				responseMode: 'onReceived',
				// Only a webhook that is registered by hand needs the URLs.
				ndvHideUrl: '={{ $parameter["registration"] !== "manual" }}',
			},
		],
		properties: fields,
	};

	methods = { listSearch: { searchChannels } };

	webhookMethods = {
		default: {
			async checkExists(this: IHookFunctions): Promise<boolean> {
				return await isRegistered(this);
			},
			async create(this: IHookFunctions): Promise<boolean> {
				return await register(this);
			},
			async delete(this: IHookFunctions): Promise<boolean> {
				return await unregister(this);
			},
		},
	};

	async webhook(this: IWebhookFunctions): Promise<IWebhookResponseData> {
		return await receive(this);
	}
}
