/**
 * n8n's own contexts around this package's nodes, without a server. n8n-core makes what a node sees
 * in `this`, and its requests go through n8n-core's HTTP helper.
 */
import './environment.mts';
import 'reflect-metadata';

import { HookContext, WebhookContext } from 'n8n-core';
import type {
	IDataObject,
	INode,
	INodeParameters,
	INodeType,
	IWebhookData,
	IWorkflowExecuteAdditionalData,
	Logger,
	WorkflowActivateMode,
	WorkflowExecuteMode,
} from 'n8n-workflow';
import { Workflow } from 'n8n-workflow';

import { BusinessMessagingTrigger } from '#nodes/BusinessMessagingTrigger.node.ts';
import { TestCredentialsHelper } from './credentialsHelper.mts';
import { nodeTypesOf } from './nodeTypes.mts';
import { byId, CHANNEL } from '../../support/constants.mts';

const TRIGGER_TYPE = 'n8n-nodes-business-messaging.businessMessagingTrigger';
const trigger: INodeType = new BusinessMessagingTrigger();

export interface Credential {
	baseUrl: string;
	secretKey: string;
	webhookSecret?: string;
	webhookToken?: string;
}

export interface WebhookUrls {
	/** The address at which n8n serves production's webhooks, without the trailing slash. */
	production: string;
	test: string;
}

/** What n8n gives its contexts besides the workflow, as far as a node can notice. */
export function additionalData(
	credential: Credential,
	urls: WebhookUrls,
	more: object = {},
): IWorkflowExecuteAdditionalData {
	const data = {
		credentialsHelper: new TestCredentialsHelper({ ...credential }),
		webhookBaseUrl: urls.production,
		webhookTestBaseUrl: urls.test,
		webhookWaitingBaseUrl: `${urls.production}-waiting`,
		formWaitingBaseUrl: `${urls.production}-form`,
		variables: {},
		...more,
	};
	return data as unknown as IWorkflowExecuteAdditionalData;
}

export interface TriggerOptions {
	parameters?: INodeParameters;
	node?: Partial<INode>;
	/** As n8n loads it from its database: a plain object. */
	staticData?: IDataObject;
	workflowId?: string;
	/** In place of the one made from the sources. */
	nodeType?: INodeType;
}

export const WEBHOOK_ID = '3f1d2c4b-0000-4000-8000-000000000001';

/** A workflow with one trigger node, as the editor saves it. */
export function triggerWorkflow({
	parameters = {},
	node = {},
	staticData = {},
	workflowId = 'workflow-1',
	nodeType = trigger,
}: TriggerOptions = {}): Workflow {
	const triggerNode: INode = {
		id: 'node-1',
		name: 'Business Messaging Trigger',
		type: TRIGGER_TYPE,
		typeVersion: 2,
		position: [0, 0],
		webhookId: WEBHOOK_ID,
		credentials: { businessMessagingApi: { id: '1', name: 'Test' } },
		parameters: { channelId: byId(CHANNEL), ...parameters },
		...node,
	};
	return new Workflow({
		id: workflowId,
		name: 'Answer customers',
		nodes: [triggerNode],
		connections: {},
		active: true,
		staticData,
		nodeTypes: nodeTypesOf(() => nodeType),
	});
}

function triggerNode(workflow: Workflow): INode {
	const [node] = Object.values(workflow.nodes);
	if (!node) throw new Error('The workflow has no node');
	return node;
}

function webhookData(
	workflow: Workflow,
	isTest: boolean,
	data: IWorkflowExecuteAdditionalData,
): IWebhookData {
	const [description] = trigger.description.webhooks ?? [];
	if (!description) throw new Error('The node has no webhook');
	return {
		httpMethod: 'POST',
		node: triggerNode(workflow).name,
		path: `${WEBHOOK_ID}/webhook`,
		webhookDescription: description,
		workflowId: workflow.id,
		workflowExecuteAdditionalData: data,
		isTest,
	};
}

export type LifecycleMethod = 'checkExists' | 'create' | 'delete';

/** Calls a lifecycle method as n8n does. `isTest`: for the test URL. */
export async function callLifecycle(
	method: LifecycleMethod,
	workflow: Workflow,
	data: IWorkflowExecuteAdditionalData,
	{
		isTest = false,
		activation = isTest ? 'manual' : 'activate',
	}: { isTest?: boolean; activation?: WorkflowActivateMode } = {},
): Promise<boolean> {
	const node = triggerNode(workflow);
	const context = new HookContext(
		workflow,
		node,
		data,
		isTest ? 'manual' : 'trigger',
		activation,
		webhookData(workflow, isTest, data),
	);
	const call = trigger.webhookMethods?.default?.[method];
	if (!call) throw new Error(`The node has no method ${method}`);
	return await call.call(context);
}

/**
 * Calls `checkExists`, then `create` if that says no. Both generations of n8n publish in this way.
 */
export async function publish(
	...[workflow, data, options]: [Workflow, IWorkflowExecuteAdditionalData, { isTest?: boolean }?]
): Promise<void> {
	if (!(await callLifecycle('checkExists', workflow, data, options)))
		await callLifecycle('create', workflow, data, options);
}

/** What a node sees of a request that n8n has received. */
export function webhookContext(
	workflow: Workflow,
	data: IWorkflowExecuteAdditionalData,
	mode: WorkflowExecuteMode = 'webhook',
): WebhookContext {
	return new WebhookContext(
		workflow,
		triggerNode(workflow),
		data,
		mode,
		webhookData(workflow, mode === 'manual', data),
		[],
		null,
	);
}

/**
 * Runs the node's `webhook()` for a request that n8n has received.
 * @param logger in place of n8n's own
 */
export async function callWebhook(
	workflow: Workflow,
	data: IWorkflowExecuteAdditionalData,
	mode?: WorkflowExecuteMode,
	logger?: Logger,
) {
	if (!trigger.webhook) throw new Error('The node has no webhook method');
	const context = webhookContext(workflow, data, mode);
	if (logger) Object.defineProperty(context, 'logger', { value: logger });
	return await trigger.webhook.call(context);
}

/** What n8n would store of the node's static data: its JSON, or nothing if it did not change. */
export function changedStaticData(workflow: Workflow): IDataObject | undefined {
	const changed =
		Object.getOwnPropertyDescriptor(workflow.staticData, '__dataChanged')?.value === true;
	return changed ? (JSON.parse(JSON.stringify(workflow.staticData)) as IDataObject) : undefined;
}
