import { type IWebhookDescription, SEND_AND_WAIT_OPERATION } from 'n8n-workflow';

import type { BatchOperation } from '../../../shared/node/operation';
import { askAndWait } from './askAndWait';
import { fields } from './sendAndWaitFields';

/** By its value, n8n offers the node as a human-approval tool, and checks its resume URLs. */
export const sendAndWait: BatchOperation = {
	option: {
		name: 'Send and Wait for Response',
		value: SEND_AND_WAIT_OPERATION,
		builderHint: {
			propertyHint:
				'A customer replies in the chat: askIn chat, responseType replyInChat. Gives data: approved, or text and choice. data.outcome is timedOut if nobody replied.',
		},
		action: 'Send message and wait for response',
		description: 'Ask a customer or a colleague, and wait for the reply. Gives it in data.',
	},
	fields,
	executeAll: askAndWait,
};

/** The resume URL of a waiting execution. n8n finds the node by its ID. */
const resumeWebhook = (httpMethod: 'GET' | 'POST'): IWebhookDescription => ({
	name: 'default',
	httpMethod,
	path: '={{ $nodeId }}',
	restartWebhook: true,
	isFullPath: true,
	// n8n then responds once it has stored that the execution goes on.
	responseMode: 'onReceived',
	responseData: '',
});

/** GET shows pages and POST takes replies. */
export const resumeWebhooks = [resumeWebhook('GET'), resumeWebhook('POST')];

/** Shown at the node while an execution waits. */
export const waitingNodeTooltip =
	'={{ $parameter["operation"] === "sendAndWait" ? "Execution will continue after the reply" : "" }}';
