import { NodeConnectionTypes } from 'n8n-workflow';
import type {
	IExecuteFunctions,
	INodeExecutionData,
	INodeType,
	INodeTypeDescription,
	IWebhookFunctions,
	IWebhookResponseData,
} from 'n8n-workflow';

import {
	searchAllTemplates,
	searchBusinesses,
	searchLibraryTemplates,
} from './listSearch/businessLists';
import { searchChannels, searchChannelTypes } from './listSearch/searchChannels';
import {
	searchTemplates,
	fallbackVariables,
	templateVariables,
} from './listSearch/searchTemplates';
import { searchTemplateWebhooks, searchWebhooks } from './listSearch/searchWebhooks';
import { getAll as getAllBusinesses } from './resources/business/getAllBusinesses.operation';
import { check } from './resources/channel/check.operation';
import { connect, disconnect } from './resources/channel/connect.operation';
import { create, deleteOperation } from './resources/channel/create.operation';
import { get, getAll } from './resources/channel/getAllChannels.operation';
import { cancelSubscription, subscribe } from './resources/channel/subscribe.operation';
import { downloadAttachments } from './resources/message/downloadAttachments.operation';
import { normalizeRecipient } from './resources/message/normalizeRecipient.operation';
import {
	sendAndWait,
	resumeWebhooks,
	waitingNodeTooltip,
} from './resources/message/sendAndWait/sendAndWait.operation';
import { receiveReply } from './resources/message/sendAndWait/receiveReply';
import { sendButtons } from './resources/message/sendButtons.operation';
import { sendContact } from './resources/message/sendContact.operation';
import { sendMedia } from './resources/message/sendMedia.operation';
import { sendOther } from './resources/message/sendOther.operation';
import { sendTemplate } from './resources/message/sendTemplate.operation';
import { sendText } from './resources/message/sendText.operation';
import { create as createTemplate } from './resources/template/create.operation';
import { deleteOperation as deleteTemplate } from './resources/template/delete.operation';
import { getAll as getAllTemplates, sync } from './resources/template/getAllTemplates.operation';
import { update as updateTemplate } from './resources/template/update.operation';
import { templateWebhook, webhook } from './resources/webhook/webhook.operations';
import { toNodeError } from './service/errors';
import { choiceField, type Choices } from './shared/node/fields';
import { pageAt } from './shared/texts/words';
import { run } from './shared/node/items';
import { markFailedItems } from './workarounds/failedItems';
import { type Resource, resourceOf } from './shared/node/operation';

/** By the value that workflows save, and in the order in which people need them. */
const resources: Record<string, Resource> = {
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
			normalizeRecipient,
		],
		'sendText',
	),
	channel: resourceOf(
		'channel',
		[
			check,
			connect,
			create,
			get,
			getAll,
			subscribe,
			cancelSubscription,
			disconnect,
			deleteOperation,
		],
		'connect',
	),
	template: resourceOf(
		'template',
		[createTemplate, deleteTemplate, getAllTemplates, sync, updateTemplate],
		'getAll',
	),
	business: resourceOf('business', [getAllBusinesses], 'getAll'),
	webhook,
	templateWebhook,
};

/** The nodes panel lists the actions in this order. */
const resourceChoices: Choices = {
	message: ['Message', 'What you write to a customer'],
	channel: ['Channel', 'Where customers write, such as a business phone number or a bot'],
	template: ['Template', 'A message that the chat application approved in advance'],
	business: ['Business Account', 'What channels and templates belong to'],
	webhook: ['Webhook', 'A URL that gets the events of a channel'],
	templateWebhook: ['Template Webhook', 'A URL that gets the events of message templates'],
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
		// As the trigger, which explains the number.
		version: 2,
		// The operation, and its resource unless that is a message. n8n's linter asks for a literal.
		subtitle:
			'={{ ({ cancelSubscription: "Cancel Subscription", check: "Check", connect: "Connect", create: "Create", delete: "Delete", disconnect: "Disconnect", get: "Get", getAll: "Get Many", subscribe: "Subscribe", sync: "Sync", update: "Update", sendText: "Send Text", sendMedia: "Send Media", sendButtons: "Send Buttons", sendTemplate: "Send Template", sendAndWait: "Send and Wait for Response", downloadAttachments: "Download Attachments", sendContact: "Send Contact", sendOther: "Send Other", normalizeRecipient: "Normalize Recipient" })[$parameter["operation"]] + ({ business: ": Business Account", channel: ": Channel", template: ": Template", templateWebhook: ": Template Webhook", webhook: ": Webhook" }[$parameter["resource"]] || "") }}',
		description:
			'Send messages to customers, ask them questions, connect channels and manage webhooks of a business messaging service',
		// To those of the codex file n8n appends a query, and they no longer lead to a heading (#…).
		documentationUrl: pageAt('outputs.md'),
		defaults: { name: 'Business Messaging' },
		usableAsTool: true,
		builderHint: {
			searchHint:
				"To answer a customer, start with Business Messaging Trigger: channelId with mode id and expr('{{ $json.channelId }}'), recipient expr('{{ $json.sender.identifier }}'). A customer who has not written for 24 hours gets sendTemplate only, if the channel has a window. To ask and go on with the reply: sendAndWait.",
			relatedNodes: [
				{
					nodeType: 'n8n-nodes-business-messaging.businessMessagingTrigger',
					relationHint: 'Starts when a customer writes',
				},
			],
		},
		// The signing secret of a webhook. Create shows it once, Update if it makes a new one.
		sensitiveOutputFields: ['secret'],
		inputs: [NodeConnectionTypes.Main],
		outputs: [NodeConnectionTypes.Main],
		credentials: [{ name: 'businessMessagingApi', required: true }],
		waitingNodeTooltip,
		webhooks: resumeWebhooks,
		properties: [
			choiceField('Resource', 'resource', {
				noDataExpression: true,
				options: resourceChoices,
				default: 'message',
			}),
			...Object.values(resources).flatMap(({ fields }) => fields),
		],
	};

	methods = {
		listSearch: {
			searchAllTemplates,
			searchBusinesses,
			searchChannelTypes,
			searchChannels,
			searchLibraryTemplates,
			searchTemplates,
			searchTemplateWebhooks,
			searchWebhooks,
		},
		resourceMapping: { fallbackVariables, templateVariables },
	};

	async execute(this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
		const resource = this.getNodeParameter('resource', 0);
		const name = this.getNodeParameter('operation', 0);
		const operation = resources[resource]?.operations[name];
		if (!operation)
			throw toNodeError(
				this.getNode(),
				`The operation "${name}" of "${resource}" is not known. Choose one from the list.`,
			);
		return [markFailedItems(this, await run(this, operation))];
	}

	/** Receives the reply that an execution waits for in Send and Wait for Response. */
	async webhook(this: IWebhookFunctions): Promise<IWebhookResponseData> {
		return await receiveReply(this);
	}
}
