import type { IWebhookDescription } from 'n8n-workflow';

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
