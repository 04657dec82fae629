/** An execution that waits for a reply, in n8n's own context: what comes to its resume URL is given to the action node's `webhook()`. */
import './environment.mts';
import 'reflect-metadata';

import { EventEmitter } from 'node:events';

import { WebhookContext } from 'n8n-core';
import type {
	IDataObject,
	INode,
	IWebhookData,
	IWebhookResponseData,
	IWorkflowExecuteAdditionalData,
} from 'n8n-workflow';
import { createRunExecutionData, Workflow } from 'n8n-workflow';

import { BusinessMessaging } from '../../../nodes/BusinessMessaging/BusinessMessaging.node.ts';
import type { Question } from '../../../nodes/BusinessMessaging/resources/message/sendAndWait/question.ts';
import { TestCredentialsHelper } from './credentialsHelper.mts';
import type { Delivery } from './deliveries.mts';

/** What n8n signs the resume URL with. */
export const URL_SIGNATURE = 'f'.repeat(64);

/** What the node did with a request. */
export interface Received {
	/** The item that the execution goes on with. Undefined when it still waits. */
	item: IDataObject | undefined;
	/** Of the node's own response; n8n responds 200 otherwise. */
	status: number;
	body: unknown;
	headers: Record<string, string>;
	/** What n8n was told of approvals, through its own event. */
	approvals: IDataObject[];
}

export interface ReplyRequest {
	method?: string;
	headers?: Record<string, string | string[]>;
	query?: Record<string, string>;
	body?: unknown;
	rawBody?: Buffer;
	/** The sender goes away before n8n responds. */
	isAbandoned?: boolean;
	/** Of the node's credential. */
	credentialId?: string;
}

class FakeResponse extends EventEmitter {
	statusCode = 200;
	headersSent = false;
	writableFinished = false;
	writableEnded = false;
	destroyed = false;
	readonly headers: Record<string, string> = {};
	body: unknown;

	setHeader(name: string, value: string): void {
		this.headers[name.toLowerCase()] = value;
	}

	status(code: number): this {
		this.statusCode = code;
		return this;
	}

	json(body: unknown): void {
		this.end(body);
	}

	send(body: unknown): void {
		this.end(body);
	}

	end(body?: unknown): void {
		this.body = body;
		this.headersSent = this.writableEnded = true;
		if (this.destroyed) return;
		this.writableFinished = true;
		this.emit('finish');
	}

	close(): void {
		this.destroyed = true;
		this.emit('close');
	}
}

/** Hands a request to the node that waits with the question. n8n responds 200 once the node has returned, unless the node responded by itself. */
export async function receive(
	question: Question,
	baseUrl: string,
	request: ReplyRequest,
): Promise<Received> {
	const nodeType = new BusinessMessaging();
	const node: INode = {
		id: 'node',
		name: 'Business Messaging',
		type: 'n8n-nodes-business-messaging.businessMessaging',
		typeVersion: 1,
		position: [0, 0],
		parameters: { resource: 'message', operation: 'sendAndWait' },
		credentials: { businessMessagingApi: { id: request.credentialId ?? '1', name: 'Test' } },
	};
	const nodeTypes = {
		getByName: () => nodeType,
		getByNameAndVersion: () => nodeType,
		getKnownTypes: () => ({}),
	};
	const workflow = new Workflow({
		id: 'workflow',
		name: 'Ask',
		nodes: [node],
		connections: {},
		active: true,
		nodeTypes,
	});
	const response = new FakeResponse();
	const { method = 'GET', headers = {}, query = {}, body = {}, rawBody, isAbandoned } = request;
	const httpRequest = {
		method,
		headers,
		headersDistinct: Object.fromEntries(
			Object.entries(headers).map(([name, value]) => [name, [value].flat()]),
		),
		query: { question: question.id, signature: URL_SIGNATURE, ...query },
		body,
		rawBody,
	};
	const approvals: IDataObject[] = [];
	const data = {
		logHitlResponse: (approval: IDataObject) => approvals.push(approval),
		credentialsHelper: new TestCredentialsHelper({ baseUrl, secretKey: 'sk-test-0123456789' }),
		executionId: '7',
		instanceId: 'instance-1',
		webhookWaitingBaseUrl: 'http://127.0.0.1/webhook-waiting',
		formWaitingBaseUrl: 'http://127.0.0.1/form-waiting',
		variables: {},
		httpRequest,
		httpResponse: response,
	} as unknown as IWorkflowExecuteAdditionalData;
	const run = createRunExecutionData({
		resultData: { runData: {}, lastNodeExecuted: node.name },
		executionData: {
			contextData: { [`node:${node.name}`]: { question: JSON.stringify(question) } },
			nodeExecutionStack: [{ node, data: { main: [[{ json: {} }]] }, source: null }],
			metadata: {},
			waitingExecution: {},
			waitingExecutionSource: {},
		},
	});
	const webhookData = {
		webhookDescription: nodeType.description.webhooks?.[0],
		isTest: false,
	} as unknown as IWebhookData;
	const context = new WebhookContext(workflow, node, data, 'webhook', webhookData, [], run);
	const result: IWebhookResponseData = await nodeType.webhook.call(context);
	if (isAbandoned) response.close();
	if (!result.noWebhookResponse) response.end(result.webhookResponse);
	// What follows a response starts then.
	await new Promise((next) => setImmediate(next));
	return {
		item: result.workflowData?.[0]?.[0]?.json,
		status: response.statusCode,
		body: response.body,
		headers: response.headers,
		approvals,
	};
}

/** A delivery of the question's webhook, as n8n has read it. */
export function delivered(delivery: Delivery): ReplyRequest {
	return { method: 'POST', headers: delivery.headers, rawBody: Buffer.from(delivery.body) };
}
