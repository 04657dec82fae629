/**
 * Runs the action node inside n8n's own execution engine, without a server: items in, run data out.
 */
import './environment.mts';
import 'reflect-metadata';

import { WorkflowExecute } from 'n8n-core';
import type {
	IDataObject,
	INode,
	INodeExecutionData,
	INodeType,
	IRun,
	IWorkflowExecuteAdditionalData,
	IWorkflowSettings,
	NodeExecutionHint,
} from 'n8n-workflow';
import { createRunExecutionData, NodeConnectionTypes, Workflow } from 'n8n-workflow';

import { BusinessMessaging } from '#nodes/BusinessMessaging.node.ts';
import { TestCredentialsHelper } from './credentialsHelper.mts';
import { nodeTypesOf } from './nodeTypes.mts';
import { SECRET_KEY } from '../../support/constants.mts';

/** Gives a test's items to the node behind it. */
const itemSource: INodeType = {
	description: {
		...{ displayName: 'Items', name: 'items', description: 'Items of a test', version: 1 },
		...{ group: ['input'], defaults: { name: 'Items' }, inputs: [], properties: [] },
		outputs: [NodeConnectionTypes.Main],
	},
	async execute() {
		return [this.getInputData()];
	},
};

export interface Tool {
	invoke(args: IDataObject): Promise<unknown>;
}

/** An agent below version 3, which calls the node as its tool as a test says. */
const agentOf = (call: (tool: Tool) => Promise<unknown>): INodeType => ({
	description: { ...itemSource.description, inputs: [NodeConnectionTypes.AiTool] },
	async execute() {
		const [tool] = (await this.getInputConnectionData(NodeConnectionTypes.AiTool, 0)) as Tool[];
		await call(tool!);
		return [[]];
	},
});

/** As n8n offers the node to agents. */
function asTool(node: INodeType): INodeType {
	const description = { ...node.description, outputs: [NodeConnectionTypes.AiTool] };
	return Object.assign(Object.create(node), { description }) as INodeType;
}

export interface EngineSettings {
	baseUrl: string;
	/** Parameters of the action node; expressions allowed. */
	parameters: IDataObject;
	items?: IDataObject[];
	/** In place of `items`, if they hold binary fields. */
	input?: INodeExecutionData[];
	credential?: IDataObject;
	/** Node settings: onError, retryOnFail, maxTries, waitBetweenTries. */
	settings?: Partial<INode>;
	/** In place of the one made from the sources. */
	nodeType?: INodeType;
	/** Makes the node a tool of an agent that does this. */
	agent?: (tool: Tool) => Promise<unknown>;
	/** In place of '1'. */
	executionId?: string;
	workflowSettings?: IWorkflowSettings;
	/** Called with the engine before it runs, e.g. to cancel it. */
	onStart?: (engine: WorkflowExecute) => void;
}

export interface EngineResult {
	run: IRun;
	/** Items of the first output. */
	items: INodeExecutionData[];
	/** Items of the error output. */
	errorItems: INodeExecutionData[];
	error?: {
		message: string;
		description?: string | null;
		context?: IDataObject;
		httpCode?: string | null;
	};
	/** What the node says above its output. */
	hints: NodeExecutionHint[];
	/** The whole record, as n8n stores it. */
	record: string;
}

export async function runInEngine({
	baseUrl,
	parameters,
	items = [{}],
	input = items.map((json) => ({ json })),
	credential = {},
	settings = {},
	nodeType = new BusinessMessaging(),
	agent,
	executionId = '1',
	workflowSettings = {},
	onStart,
}: EngineSettings): Promise<EngineResult> {
	const types: Record<string, INodeType> = {
		'test.items': agent ? agentOf(agent) : itemSource,
		'n8n-nodes-business-messaging.businessMessaging': agent ? asTool(nodeType) : nodeType,
	};
	const nodes: INode[] = [
		{
			...{ id: 'items', name: 'Items', type: 'test.items', typeVersion: 1 },
			...{ position: [0, 0], parameters: {} },
		},
		{
			id: 'node',
			name: 'Business Messaging',
			type: 'n8n-nodes-business-messaging.businessMessaging',
			typeVersion: 2,
			position: [200, 0],
			parameters: parameters as INode['parameters'],
			credentials: { businessMessagingApi: { id: '1', name: 'Test' } },
			...settings,
		},
	];
	const workflow = new Workflow({
		id: 'workflow',
		nodes,
		connections: agent
			? { 'Business Messaging': { ai_tool: [[{ node: 'Items', type: 'ai_tool', index: 0 }]] } }
			: { Items: { main: [[{ node: 'Business Messaging', type: 'main', index: 0 }]] } },
		active: false,
		settings: workflowSettings,
		nodeTypes: nodeTypesOf((type) => types[type]!),
	});
	const additionalData = {
		credentialsHelper: new TestCredentialsHelper({ baseUrl, secretKey: SECRET_KEY, ...credential }),
		executionId,
		currentNodeExecutionIndex: 0,
		formWaitingBaseUrl: 'http://127.0.0.1/form-waiting',
		webhookWaitingBaseUrl: 'http://127.0.0.1/webhook-waiting',
		restApiUrl: 'http://127.0.0.1/rest',
		instanceBaseUrl: 'http://127.0.0.1',
		variables: {},
		hooks: { runHook: async () => undefined },
	} as unknown as IWorkflowExecuteAdditionalData;
	const runData = createRunExecutionData({
		executionData: {
			contextData: {},
			nodeExecutionStack: [{ node: nodes[0]!, data: { main: [input] }, source: null }],
			metadata: {},
			waitingExecution: {},
			waitingExecutionSource: {},
		},
	});
	const engine = new WorkflowExecute(additionalData, 'manual', runData);
	const running = engine.processRunExecutionData(workflow);
	onStart?.(engine);
	const run = await running;
	const task = run.data.resultData.runData['Business Messaging']?.at(-1);
	const error = (task?.error ?? run.data.resultData.error) as EngineResult['error'] | undefined;
	return {
		run,
		items: task?.data?.main?.[0] ?? [],
		errorItems: task?.data?.main?.[1] ?? [],
		hints: task?.hints ?? [],
		...(error ? { error } : {}),
		record: JSON.stringify(run, (_key, value: unknown) =>
			value instanceof Error
				? {
						...value,
						message: value.message,
						stack: value.stack,
						cause: (value as { cause?: unknown }).cause,
					}
				: value,
		),
	};
}
