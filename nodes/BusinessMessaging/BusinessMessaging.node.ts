import type { IExecuteFunctions, INodeExecutionData, INodeType, INodeTypeDescription, IWebhookFunctions, IWebhookResponseData } from 'n8n-workflow';
import { NodeConnectionTypes, NodeOperationError } from 'n8n-workflow';

import { searchChannels, searchTemplateWebhooks, searchWebhooks } from './listSearch';
import { resources } from './resources';
import { failAll, markFailedItems, runForEachItem } from './resources/shared/items';
import { createServiceClient } from './service/client';
import { asError } from './service/errors';
import { receiveAnswer } from './waiting/answer';
import { resumeWebhooks, waitingNodeTooltip } from './waiting/description';

export class BusinessMessaging implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'Business Messaging',
		name: 'businessMessaging',
		icon: { light: 'file:../../icons/business-messaging.svg', dark: 'file:../../icons/business-messaging.dark.svg' },
		group: ['output'],
		version: 1,
		subtitle: '={{ $parameter["operation"] + ": " + $parameter["resource"] }}',
		description: 'Send texts to customers, connect channels and manage webhooks of a business messaging service',
		defaults: { name: 'Business Messaging' },
		usableAsTool: true,
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
					{ name: 'Channel', value: 'channel', description: 'A business phone number at which customers write' },
					{ name: 'Message', value: 'message', description: 'What you write to a customer' },
					{ name: 'Template Webhook', value: 'templateWebhook', description: 'A URL that gets the events of message templates' },
					{ name: 'Webhook', value: 'webhook', description: 'A URL that gets the events of a channel' },
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
		if (!operation) throw new NodeOperationError(this.getNode(), `The operation "${name}" of "${resource}" is not known. Choose one from the list.`);
		const client = await createServiceClient(this).catch(asError);
		// Thrown under "Continue (using error output)", n8n would pass the items on as if they had succeeded.
		if (client instanceof Error) return [markFailedItems(this, failAll(this, client))];
		const items = operation.executeAll ? await operation.executeAll(this, client) : await runForEachItem(this, client, operation);
		return [markFailedItems(this, items)];
	}

	/** Only for Send and Wait for Response: receives the answer to an execution that waits. */
	async webhook(this: IWebhookFunctions): Promise<IWebhookResponseData> {
		return await receiveAnswer(this);
	}
}
