import { randomUUID } from 'node:crypto';

import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { N8nClient } from '#scripts/n8n/client.mts';
import type { Generation } from '#scripts/n8n/host.mts';
import { CREDENTIAL_TYPE } from '#scripts/n8n/provision.mts';
import { SandboxControl } from '#scripts/n8n/sandbox.mts';
import type {
	CredentialReference,
	FinishedExecution,
	StoredWorkflow,
	Workflow,
	WorkflowNode,
} from '#scripts/n8n/types.mts';

/** Environment variable with the running servers, from the set-up to the tests. */
export const HOST_VARIABLE = 'TEST_HOST';

/** The servers that all files of the project share. */
export interface HostUnderTest {
	generation: Generation;
	version: string;
	n8nUrl: string;
	session: string;
	/** Folder of everything that the run writes, removed at the end. */
	folder: string;
	/** n8n's home. Empty for an n8n that is known by its address alone. */
	home: string;
	sandboxUrl: string;
	credential: CredentialReference;
	/** Environment of each n8n that the tests start, beside its settings. Benchmarks have none. */
	n8nEnv?: NodeJS.ProcessEnv;
}

export function hostUnderTest(): HostUnderTest {
	const value = process.env[HOST_VARIABLE];
	if (value === undefined) throw new Error("the project's set-up did not run");
	return JSON.parse(value) as HostUnderTest;
}

const PACKAGE = 'n8n-nodes-business-messaging';
export const ACTION = `${PACKAGE}.businessMessaging`;
export const TRIGGER = `${PACKAGE}.businessMessagingTrigger`;

export const byId = (value: string): INodeParameters => ({ __rl: true, mode: 'id', value });

/** The shared n8n and sandbox, or a test's own n8n, with the steps that tests often need. */
export class Host {
	readonly client: N8nClient;
	readonly sandbox: SandboxControl;
	private readonly workflows: string[] = [];

	constructor(readonly underTest = hostUnderTest()) {
		this.client = new N8nClient(underTest.n8nUrl, underTest.session);
		this.sandbox = new SandboxControl(underTest.sandboxUrl);
	}

	/** A node of the package with the credential for the sandbox. */
	node(
		name: string,
		type: string,
		parameters: INodeParameters,
		credential = this.underTest.credential,
	): WorkflowNode {
		return {
			id: randomUUID(),
			name,
			type,
			typeVersion: type.startsWith('n8n-nodes-business-messaging.') ? 2 : 1,
			position: [0, 0],
			parameters,
			webhookId: randomUUID(),
			credentials: { [CREDENTIAL_TYPE]: { id: credential.id, name: credential.name } },
		};
	}

	/**
	 * Stores a workflow that runs the nodes one after the other, unless other connections are given.
	 * If the manual trigger 'Start' is the first node, it gives the items.
	 */
	async createWorkflow(
		name: string,
		nodes: WorkflowNode[],
		items: IDataObject[] = [{}],
		connections = inARow(nodes),
	): Promise<StoredWorkflow> {
		const workflow = await this.client.createWorkflow({
			name,
			nodes,
			connections,
			pinData: nodes[0]?.name === 'Start' ? { Start: items.map((json) => ({ json })) } : {},
		});
		return this.adopt(workflow);
	}

	/** Lets cleanUp also remove a workflow. */
	adopt(workflow: StoredWorkflow): StoredWorkflow {
		this.workflows.push(workflow.id);
		return workflow;
	}

	/** Runs the action node by hand, once for the given items. */
	async runAction(parameters: INodeParameters, options: RunOptions = {}): Promise<ActionRun> {
		const action = {
			...this.node('Action', ACTION, parameters, options.credential),
			...options.settings,
		};
		const workflow = await this.createWorkflow('An action', [startNode(), action], options.items);
		const execution = await this.client.execute(workflow, 'Start');
		const [run] = execution.resultData.runData.Action ?? [];
		return {
			execution,
			items: (run?.data?.main[0] ?? []).map(({ json }) => json),
			error: execution.resultData.error,
		};
	}

	/** Calls the service directly with this key. */
	async callService<T>(
		path: string,
		secretKey: string,
		options: { method?: string; body?: unknown } = {},
	): Promise<T> {
		const response = await fetch(new URL(path, this.underTest.sandboxUrl), {
			method: options.method ?? 'GET',
			headers: { authorization: `Bearer ${secretKey}`, 'content-type': 'application/json' },
			body: options.body === undefined ? undefined : JSON.stringify(options.body),
		});
		const text = await response.text();
		if (!response.ok)
			throw new Error(`the service responded to ${path} with ${response.status}: ${text}`);
		return (text === '' ? undefined : JSON.parse(text)) as T;
	}

	/** Unpublishes and deletes the workflows that this file made. */
	async cleanUp(): Promise<void> {
		for (const id of this.workflows.splice(0)) {
			const { active } = await this.client.getWorkflow(id);
			if (active) await this.client.unpublish(id);
			await this.client.deleteWorkflow(id);
		}
	}
}

interface RunOptions {
	items?: IDataObject[];
	credential?: CredentialReference;
	settings?: Partial<WorkflowNode>;
}

export interface ActionRun {
	execution: FinishedExecution;
	items: IDataObject[];
	error: FinishedExecution['resultData']['error'];
}

function inARow(nodes: WorkflowNode[]): Workflow['connections'] {
	return Object.fromEntries(
		nodes
			.slice(1)
			.map((node, index) => [
				nodes[index]!.name,
				{ main: [[{ node: node.name, type: 'main', index: 0 }]] },
			]),
	);
}

/** The manual trigger that gives a workflow its items. */
export function startNode(): WorkflowNode {
	return {
		id: randomUUID(),
		name: 'Start',
		type: 'n8n-nodes-base.manualTrigger',
		typeVersion: 1,
		position: [0, 0],
		parameters: {},
	};
}
