import type { IHookFunctions, INodeType, INodeTypeDescription, IWebhookFunctions, IWebhookResponseData } from 'n8n-workflow';
import { NodeConnectionTypes } from 'n8n-workflow';

import { searchChannels } from './listSearch/searchChannels';
import { fields } from './trigger/fields';
import { isRegistered, register, unregister } from './trigger/lifecycle';
import { receive } from './trigger/reception';

export class BusinessMessagingTrigger implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'Business Messaging Trigger',
		name: 'businessMessagingTrigger',
		icon: { light: 'file:../../icons/business-messaging.svg', dark: 'file:../../icons/business-messaging.dark.svg' },
		group: ['trigger'],
		version: 1,
		subtitle: '={{ $parameter["source"] === "template" ? $parameter["templateEvents"].join(", ") : $parameter["channelEvents"].join(", ") }}',
		description: 'Starts the workflow when a customer writes, or when another event of a business messaging service occurs',
		eventTriggerDescription: 'Waiting for an event of the service. To cause one, write to the channel from a phone.',
		activationMessage: 'You can now write to the channel to start the workflow.',
		defaults: { name: 'Business Messaging Trigger' },
		inputs: [],
		outputs: [NodeConnectionTypes.Main],
		credentials: [{ name: 'businessMessagingApi', required: true }],
		triggerPanel: {
			header: 'Wait for an event of the service',
			executionsHelp: {
				inactive:
					'<b>While building</b>, click "listen", then write to the channel: the node registers a second webhook for the test, and removes it after the first event.<br /><br /><b>Once you\'re happy</b>, publish the workflow: it then runs for every event.',
				active:
					'<b>While building</b>, click "listen", then write to the channel. The published workflow goes on beside the test, and runs for the same event.<br /><br /><b>Your workflow is published</b>: its executions are in the executions list.',
			},
			activationHint: 'Once you\'ve finished building, publish the workflow to have it run for every event.',
		},
		webhooks: [
			{
				name: 'default',
				httpMethod: 'POST',
				path: 'webhook',
				// n8n then answers once it has stored the execution: what was answered 2xx is not lost.
				responseMode: 'onReceived',
				// Only who registers by hand needs to see the URLs.
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
