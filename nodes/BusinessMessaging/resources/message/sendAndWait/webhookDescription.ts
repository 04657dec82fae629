import type { IWebhookDescription } from 'n8n-workflow';

/** How n8n receives what comes to the resume URL of a waiting execution. n8n finds the node by its id. */
const resumeWebhook = (httpMethod: 'GET' | 'POST'): IWebhookDescription => ({
	name: 'default',
	httpMethod,
	path: '={{ $nodeId }}',
	restartWebhook: true,
	isFullPath: true,
	// n8n then answers once it has stored that the execution goes on.
	responseMode: 'onReceived',
	responseData: '',
});

/** Pages by GET, answers by POST. */
export const resumeWebhooks = [resumeWebhook('GET'), resumeWebhook('POST')];

/** Shown at the node while an execution waits. */
export const waitingNodeTooltip =
	'={{ $parameter["operation"] === "sendAndWait" ? "Execution will continue after the answer" : "" }}';
