import type {
	IExecuteFunctions,
	INodeExecutionData,
	INodeType,
	INodeTypeDescription,
	IWebhookFunctions,
	IWebhookResponseData,
} from 'n8n-workflow';
import { NodeConnectionTypes, NodeOperationError } from 'n8n-workflow';

import { searchChannels, searchTemplateWebhooks, searchWebhooks } from './listSearch';
import { connect } from './resources/channel/connect';
import { create } from './resources/channel/create';
import { deleteOperation } from './resources/channel/delete';
import { disconnect } from './resources/channel/disconnect';
import { get } from './resources/channel/get';
import { getAll } from './resources/channel/getAll';
import { downloadAttachments } from './resources/message/downloadAttachments';
import { sendAndWait } from './resources/message/sendAndWait';
import { receiveReply } from './resources/message/sendAndWait/reply';
import {
	resumeWebhooks,
	waitingNodeTooltip,
} from './resources/message/sendAndWait/webhookDescription';
import { sendButtons } from './resources/message/sendButtons';
import { sendContact } from './resources/message/sendContact';
import { sendMedia } from './resources/message/sendMedia';
import { sendOther } from './resources/message/sendOther';
import { sendTemplate } from './resources/message/sendTemplate';
import { sendText } from './resources/message/sendText';
import { templateWebhook, webhook } from './resources/webhook';
import { markFailedItems, run } from './shared/items';
import { type Resource, resourceOf } from './shared/operation';

/** By their value in saved workflows. */
const resources: Record<string, Resource> = {
	channel: resourceOf(
		'channel',
		[connect, create, get, getAll, disconnect, deleteOperation],
		'connect',
	),
	// In the order in which people need them.
	message: resourceOf(
		'message',
		[
			sendText,
			sendMedia,
			sendButtons,
			sendTemplate,
			sendAndWait,
			downloadAttachments,
			sendContact,
			sendOther,
		],
		'sendText',
	),
	templateWebhook,
	webhook,
};

export class BusinessMessaging implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'Business Messaging',
		name: 'businessMessaging',
		icon: {
			light: 'file:../../icons/business-messaging.svg',
			dark: 'file:../../icons/business-messaging.dark.svg',
		},
		group: ['output'],
		// From 1.1 on, choices of a reply in the chat are buttons where they fit.
		version: [1, 1.1],
		defaultVersion: 1.1,
		// The operation's name, and of what, where that is no message. n8n's rules ask for a literal.
		subtitle:
			'={{ ({ connect: "Connect", create: "Create", delete: "Delete", disconnect: "Disconnect", get: "Get", getAll: "Get Many", update: "Update", sendText: "Send Text", sendMedia: "Send Media", sendButtons: "Send Buttons", sendTemplate: "Send Template", sendAndWait: "Send and Wait for Response", downloadAttachments: "Download Attachments", sendContact: "Send Contact", sendOther: "Send Other" })[$parameter["operation"]] + ({ channel: ": Channel", templateWebhook: ": Template Webhook", webhook: ": Webhook" }[$parameter["resource"]] || "") }}',
		description:
			'Send messages to customers and ask them, connect channels and manage webhooks of a business messaging service',
		defaults: { name: 'Business Messaging' },
		usableAsTool: true,
		builderHint: {
			searchHint:
				"To answer a customer, start with Business Messaging Trigger: channelId with mode id and expr('{{ $json.channelId }}'), recipient expr('{{ $json.sender.identifier }}'). Who has not written for 24 hours gets sendTemplate only. To ask and go on with the answer: sendAndWait.",
			relatedNodes: [
				{
					nodeType: 'n8n-nodes-business-messaging.businessMessagingTrigger',
					relationHint: 'Starts when a customer writes',
				},
			],
		},
		// The signing secret of a webhook, which Create shows once, and Update when it makes a new one.
		sensitiveOutputFields: ['secret'],
		inputs: [NodeConnectionTypes.Main],
		outputs: [NodeConnectionTypes.Main],
		credentials: [{ name: 'businessMessagingApi', required: true }],
		waitingNodeTooltip,
		webhooks: resumeWebhooks,
		properties: [
			{
				displayName: 'Resource',
				name: 'resource',
				type: 'options',
				noDataExpression: true,
				options: [
					{
						name: 'Channel',
						value: 'channel',
						description: 'A business phone number at which customers write',
					},
					{ name: 'Message', value: 'message', description: 'What you write to a customer' },
					{
						name: 'Template Webhook',
						value: 'templateWebhook',
						description: 'A URL that gets the events of message templates',
					},
					{
						name: 'Webhook',
						value: 'webhook',
						description: 'A URL that gets the events of a channel',
					},
				],
				default: 'message',
			},
			...Object.values(resources).flatMap(({ fields }) => fields),
		],
	};

	methods = { listSearch: { searchChannels, searchTemplateWebhooks, searchWebhooks } };

	async execute(this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
		const resource = this.getNodeParameter('resource', 0);
		const name = this.getNodeParameter('operation', 0);
		const operation = resources[resource]?.operations[name];
		if (!operation)
			throw new NodeOperationError(
				this.getNode(),
				`The operation "${name}" of "${resource}" is not known. Choose one from the list.`,
			);
		return [markFailedItems(this, await run(this, operation))];
	}

	/** Only for Send and Wait for Response: receives the answer to an execution that waits. */
	async webhook(this: IWebhookFunctions): Promise<IWebhookResponseData> {
		return await receiveReply(this);
	}
}
