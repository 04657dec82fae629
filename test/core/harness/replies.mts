/**
 * An execution that waits for a reply, in n8n's own context. What arrives at its resume URL goes to
 * the action node's `webhook()`.
 */
import './environment.mts';
import 'reflect-metadata';

import { WebhookContext } from 'n8n-core';
import type {
	IDataObject,
	INode,
	IWebhookData,
	IWebhookResponseData,
	IWorkflowExecuteAdditionalData,
} from 'n8n-workflow';
import { createRunExecutionData, Workflow } from 'n8n-workflow';

import { replyRouter, ReplyRouter } from '#nodes/replies/router.ts';
import { steadyClock } from '#nodes/shared/tools/clock.ts';
import { BusinessMessaging } from '#nodes/BusinessMessaging.node.ts';
import type { Question } from '#nodes/resources/message/sendAndWait/kinds/index.ts';
import { SECRET_KEY, URL_SIGNATURE } from '../../support/constants.mts';
import { FakeResponse } from '../../support/fakeResponse.mts';
import { TestCredentialsHelper } from './credentialsHelper.mts';
import { type Delivery, WRITTEN_AT } from './deliveries.mts';
import { nodeTypesOf } from './nodeTypes.mts';

/** The process remembers whose messages are. Tests use the same ones. */
beforeEach(() => void Object.assign(replyRouter, new ReplyRouter(steadyClock)));

/** When a question was sent that is older than the messages of `messageBody`. */
export const SENT_BEFORE = { from: WRITTEN_AT - 13_342, until: WRITTEN_AT - 11_342 };

/** What the node did with a request. */
export interface Received {
	/** The item with which the execution goes on. Undefined while it waits. */
	item: IDataObject | undefined;
	/** Status of the node's own response. Otherwise n8n responds 200. */
	status: number;
	body: unknown;
	headers: Record<string, string>;
	/** Approvals that n8n was told of, through its own event. */
	approvals: IDataObject[];
}

export interface ReplyRequest {
	method?: string;
	headers?: Record<string, string | string[]>;
	query?: Record<string, string>;
	body?: unknown;
	rawBody?: Buffer;
	/** The sender disconnects before n8n responds. */
	isAbandoned?: boolean;
	/** n8n cannot store the execution, and responds 500. */
	isLost?: boolean;
	nodeName?: string;
	isCredentialDeleted?: boolean;
	/** Id of the node's credential. */
	credentialId?: string;
}

/**
 * Gives a request to the node that waits with the question. n8n responds 200 once the node has
 * returned, unless the node responded itself.
 */
export async function receive(
	question: Question,
	baseUrl: string,
	request: ReplyRequest,
): Promise<Received> {
	const nodeType = new BusinessMessaging();
	const node: INode = {
		id: 'node',
		name: request.nodeName ?? 'Business Messaging',
		type: 'n8n-nodes-business-messaging.businessMessaging',
		typeVersion: 2,
		position: [0, 0],
		parameters: { resource: 'message', operation: 'sendAndWait' },
		credentials: { businessMessagingApi: { id: request.credentialId ?? '1', name: 'Test' } },
	};
	const nodeTypes = nodeTypesOf(() => nodeType);
	const workflow = new Workflow({
		// The process remembers a node's credential, so each service has nodes of its own.
		...{
			id: `workflow ${baseUrl}`,
			name: 'Ask',
			nodes: [node],
			connections: {},
			active: true,
			nodeTypes,
		},
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
		contentType: [headers['content-type']].flat()[0]?.split(';')[0],
		encoding: 'utf-8',
	};
	// n8n reads the types that it parses, and leaves the rest to the node.
	const readRawBody = async () => void Object.assign(httpRequest, { rawBody });
	Object.assign(httpRequest, { readRawBody });
	if (httpRequest.contentType === 'application/json') {
		await readRawBody();
		Object.assign(httpRequest, { body: JSON.parse(String(rawBody)) as unknown });
	}
	const approvals: IDataObject[] = [];
	const credentialsHelper = new TestCredentialsHelper({ baseUrl, secretKey: SECRET_KEY });
	if (request.isCredentialDeleted)
		credentialsHelper.getDecrypted = async () => {
			const gone = 'Credential with ID "1" does not exist for type "businessMessagingApi".';
			return await Promise.reject(new Error(gone));
		};
	const data = {
		logHitlResponse: (approval: IDataObject) => approvals.push(approval),
		credentialsHelper,
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
	if (request.isLost) response.status(500);
	if (!result.noWebhookResponse) response.send(result.webhookResponse);
	// The work after a response starts then.
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
