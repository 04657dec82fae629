/**
 * A running n8n, known only by its address: does what N8nClient does, through n8n's public API with
 * an API key.
 */
import { randomUUID } from 'node:crypto';

import type { IDataObject } from 'n8n-workflow';

import { until } from '../until.mts';
import { N8nClient } from './client.mts';
import { N8nRequestError } from './session.mts';
import type {
	CredentialReference,
	Execution,
	ExecutionSummary,
	PublicationStatus,
	ResultData,
	StoredWorkflow,
	Workflow,
	WorkflowNode,
} from './types.mts';

const MANUAL_TRIGGER = 'n8n-nodes-base.manualTrigger';
const START_LIMIT_MS = 60_000;
const CONFLICT = 409;
/** The n8n may run on a slow machine. */
const REQUEST_LIMIT_MS = 60_000;

interface ApiExecution extends Omit<ExecutionSummary, 'id'> {
	id: string | number;
	data?: { resultData?: ResultData };
}

/** How to start a workflow with a manual trigger, because the public API cannot run it manually. */
interface Start {
	path: string;
	items: IDataObject[];
}

/**
 * Calls that the public API lacks fail with a clear error, because such tests are not for an n8n by
 * its address. A manual trigger becomes a webhook that gets the pinned items.
 */
export class PublicApiClient extends N8nClient {
	private readonly starts = new Map<string, Start>();

	constructor(
		url: string,
		private readonly apiKey: string,
	) {
		super(url);
	}

	override async request<T>(method: string, path: string): Promise<T> {
		return await Promise.reject(
			new Error(`${method} ${path} is part of n8n's internal interface, which accepts no API key`),
		);
	}

	private async call<T = unknown>(method: string, path: string, body?: unknown): Promise<T> {
		const response = await fetch(new URL(`/api/v1${path}`, this.url), {
			method,
			headers: {
				connection: 'close',
				'x-n8n-api-key': this.apiKey,
				'content-type': 'application/json',
			},
			body: body === undefined ? undefined : JSON.stringify(body),
			signal: AbortSignal.timeout(REQUEST_LIMIT_MS),
		});
		const text = await response.text();
		if (!response.ok) throw new N8nRequestError(`${method} ${path}`, response.status, text);
		return (text === '' ? undefined : JSON.parse(text)) as T;
	}

	override async createCredential(
		name: string,
		type: string,
		data: Record<string, string>,
	): Promise<CredentialReference> {
		const { id } = await this.call<{ id: string }>('POST', '/credentials', { name, type, data });
		return { id, name, type };
	}

	override async updateCredential(
		{ id }: CredentialReference,
		data: Record<string, string>,
	): Promise<void> {
		await this.call('PATCH', `/credentials/${id}`, { data });
	}

	override async getWorkflow(id: string): Promise<StoredWorkflow> {
		return await this.call('GET', `/workflows/${id}`);
	}

	override async createWorkflow(workflow: Workflow): Promise<StoredWorkflow> {
		const { name, nodes, connections, settings = { executionOrder: 'v1' }, pinData } = workflow;
		const trigger = nodes.find(({ type }) => type === MANUAL_TRIGGER);
		const path = randomUUID();
		const started = trigger
			? {
					nodes: [
						webhook(path),
						...nodes.map((node) => (node === trigger ? itemsOfBody(node) : node)),
					],
					connections: {
						...connections,
						[WEBHOOK]: { main: [[{ node: trigger.name, type: 'main', index: 0 }]] },
					},
				}
			: { nodes, connections };
		const stored = await this.call<StoredWorkflow>('POST', '/workflows', {
			...{ name, settings },
			...started,
		});
		const items = (trigger && pinData?.[trigger.name]?.map(({ json }) => json)) ?? [{}];
		if (trigger) this.starts.set(stored.id, { path, items });
		return stored;
	}

	override async updateWorkflow(workflow: StoredWorkflow): Promise<StoredWorkflow> {
		const { id, name, nodes, connections, settings } = workflow;
		return await this.call('PUT', `/workflows/${id}`, { name, nodes, connections, settings });
	}

	override async publish(id: string): Promise<void> {
		await this.call('POST', `/workflows/${id}/activate`, {});
	}

	override async unpublish(id: string): Promise<void> {
		await this.call('POST', `/workflows/${id}/deactivate`, {});
	}

	/** The public API does not say whether the triggers are ready. */
	override async publicationStatus(id: string): Promise<PublicationStatus> {
		const { active } = await this.getWorkflow(id);
		return { status: active ? 'published' : 'not_published', triggers: [] };
	}

	override async deleteWorkflow(id: string): Promise<void> {
		await until(
			`workflow ${id} to be deleted`,
			async () => {
				try {
					await this.call('DELETE', `/workflows/${id}`);
					return true;
				} catch (error) {
					// Unpublishing ends after its response.
					if (error instanceof N8nRequestError && error.status === CONFLICT) return false;
					throw error;
				}
			},
			START_LIMIT_MS,
		);
	}

	override async listExecutions(workflowId: string): Promise<ExecutionSummary[]> {
		const { data } = await this.call<{ data: ApiExecution[] }>(
			'GET',
			`/executions?workflowId=${workflowId}&limit=100`,
		);
		return data.map((execution) => ({ ...execution, id: String(execution.id) }));
	}

	override async getExecution(id: string): Promise<Execution> {
		const { data, ...execution } = await this.call<ApiExecution & Pick<Execution, 'workflowData'>>(
			'GET',
			`/executions/${id}?includeData=true`,
		);
		return { ...execution, id: String(execution.id), resultData: data?.resultData };
	}

	override async retryExecution(id: string): Promise<string> {
		const retried = await this.call<ApiExecution>('POST', `/executions/${id}/retry`, {
			loadWorkflow: false,
		});
		return String(retried.id);
	}

	/**
	 * Publishes the workflow and posts the items to its webhook.
	 *
	 * @returns the execution's id as soon as n8n lists it: when it ended or waits
	 */
	override async runManually(workflow: StoredWorkflow): Promise<string> {
		const start = this.starts.get(workflow.id);
		if (!start) throw new Error(`'${workflow.name}' has no manual trigger`);
		const known = new Set((await this.listExecutions(workflow.id)).map(({ id }) => id));
		await this.publish(workflow.id);
		await until(
			`the webhook of '${workflow.name}' to take the items`,
			async () => await this.post(start),
			START_LIMIT_MS,
		);
		const execution = await until(
			`an execution of '${workflow.name}'`,
			async () => (await this.listExecutions(workflow.id)).find(({ id }) => !known.has(id)),
			START_LIMIT_MS,
		);
		return execution.id;
	}

	/**
	 * @returns false while n8n does not know the webhook, because publishing ends after its response
	 */
	private async post({ path, items }: Start): Promise<boolean> {
		const response = await fetch(new URL(`/webhook/${path}`, this.url), {
			method: 'POST',
			headers: { 'content-type': 'application/json' },
			body: JSON.stringify({ items }),
			signal: AbortSignal.timeout(REQUEST_LIMIT_MS),
		});
		if (response.ok || response.status === 404) return response.ok;
		throw new Error(`the webhook responded with ${response.status}: ${await response.text()}`);
	}
}

const WEBHOOK = 'Webhook in the place of the manual trigger';

const webhook = (path: string): WorkflowNode => ({
	...{ id: randomUUID(), name: WEBHOOK, type: 'n8n-nodes-base.webhook', typeVersion: 2 },
	...{ position: [0, 0], webhookId: path },
	parameters: { httpMethod: 'POST', path, responseMode: 'onReceived', options: {} },
});

/** Outputs what the manual trigger would, under its name. */
const itemsOfBody = ({ id, name, position }: WorkflowNode): WorkflowNode => ({
	...{ id, name, position, type: 'n8n-nodes-base.splitOut', typeVersion: 1 },
	parameters: { fieldToSplitOut: 'body.items', options: {} },
});
