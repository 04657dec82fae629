/**
 * The parts of n8n's internal REST interface that the scripts and tests need, as its editor uses
 * them. The same for both generations.
 */
import { parse as parseFlatted } from 'flatted';
import type { INodeTypeDescription } from 'n8n-workflow';

import { until } from '../until.mts';
import { N8nRequestError, N8nSession } from './session.mts';
import type {
	CredentialReference,
	CredentialTestResult,
	Execution,
	ExecutionSummary,
	FinishedExecution,
	InstalledPackage,
	Owner,
	PublicationStatus,
	StoredWorkflow,
	Workflow,
} from './types.mts';

const PUBLISH_LIMIT_MS = 60_000;
const EXECUTION_LIMIT_MS = 60_000;

type CredentialData = Record<string, string>;

export class N8nClient extends N8nSession {
	/** Signs the owner in. Creates it first in a new instance. */
	async signIn(owner: Owner): Promise<void> {
		try {
			await this.request('POST', '/owner/setup', owner);
		} catch (error) {
			// It has an owner. An n8n without an editor does not say so before.
			if (!(error instanceof N8nRequestError) || error.status !== 400) throw error;
			await this.request('POST', '/login', {
				emailOrLdapLoginId: owner.email,
				password: owner.password,
			});
		}
	}

	async listCredentials(): Promise<CredentialReference[]> {
		return await this.request('GET', '/credentials');
	}

	async createCredential(name: string, type: string, data: CredentialData) {
		const { id } = await this.request<{ id: string }>('POST', '/credentials', { name, type, data });
		return { id, name, type };
	}

	async updateCredential({ id, name, type }: CredentialReference, data: CredentialData) {
		await this.request('PATCH', `/credentials/${id}`, { name, type, data });
	}

	/** The result of the credential's test button, with these values instead of the stored ones. */
	async testCredential(
		credential: CredentialReference,
		data: CredentialData,
	): Promise<CredentialTestResult> {
		const credentials = { ...credential, data };
		return await this.request('POST', '/credentials/test', { credentials });
	}

	async listWorkflows(): Promise<StoredWorkflow[]> {
		return await this.request('GET', '/workflows');
	}

	async getWorkflow(id: string): Promise<StoredWorkflow> {
		return await this.request('GET', `/workflows/${id}`);
	}

	async createWorkflow(workflow: Workflow): Promise<StoredWorkflow> {
		// n8n 1 stores no workflow without `active`.
		return await this.request('POST', '/workflows', {
			active: false,
			settings: { executionOrder: 'v1' },
			...workflow,
		});
	}

	async updateWorkflow(workflow: StoredWorkflow): Promise<StoredWorkflow> {
		const { id, name, nodes, connections, settings, versionId } = workflow;
		const body = { name, nodes, connections, settings, versionId };
		return await this.request('PATCH', `/workflows/${id}`, body);
	}

	/**
	 * Publishes (formerly: activates) a workflow's latest version and waits until its triggers are
	 * ready.
	 *
	 * @throws Error with the trigger's own message if it refused
	 */
	async publish(id: string): Promise<void> {
		const { versionId } = await this.getWorkflow(id);
		await this.request('POST', `/workflows/${id}/activate`, { versionId });
		const { status, triggers } = await until(
			`workflow ${id} to be published`,
			async () => {
				const now = await this.publicationStatus(id);
				return now.status !== 'in_progress' && now.status !== 'not_published' && now;
			},
			PUBLISH_LIMIT_MS,
		);
		if (status === 'published') return;
		throw new Error(
			triggers.map(({ errorMessage }) => errorMessage ?? '').join('; ') ||
				`the workflow is ${status}`,
		);
	}

	/** Unpublishes a workflow and waits until its triggers are gone. */
	async unpublish(id: string): Promise<void> {
		await this.request('POST', `/workflows/${id}/deactivate`, {});
		await until(
			`workflow ${id} to be unpublished`,
			async () => (await this.publicationStatus(id)).status === 'not_published',
			PUBLISH_LIMIT_MS,
		);
	}

	async publicationStatus(id: string): Promise<PublicationStatus> {
		try {
			return await this.request('GET', `/workflows/${id}/publication-status`);
		} catch (error) {
			if (!(error instanceof N8nRequestError) || error.status !== 404) throw error;
			// n8n 1 publishes before it responds, and responds with the error.
			const { active } = await this.getWorkflow(id);
			return { status: active ? 'published' : 'not_published', triggers: [] };
		}
	}

	async deleteWorkflow(id: string): Promise<void> {
		await this.request('POST', `/workflows/${id}/archive`, {});
		await this.request('DELETE', `/workflows/${id}`);
	}

	/**
	 * Starts the workflow like "Execute workflow" in the editor.
	 *
	 * @returns the execution's id, or undefined if n8n now listens for a test event
	 */
	async runManually(workflow: StoredWorkflow, trigger: string): Promise<string | undefined> {
		const body = { workflowData: workflow, triggerToStartFrom: { name: trigger } };
		return (
			await this.request<{ executionId?: string }>('POST', `/workflows/${workflow.id}/run`, body)
		).executionId;
	}

	/** Stops listening for a test event, like the editor's button. */
	async stopListening(workflowId: string): Promise<void> {
		await this.request('DELETE', `/test-webhook/${workflowId}`);
	}

	/** Runs a workflow manually and waits for its end. */
	async execute(workflow: StoredWorkflow, trigger: string): Promise<FinishedExecution> {
		const id = await this.runManually(workflow, trigger);
		if (id === undefined)
			throw new Error(`n8n waits for an event instead of running '${workflow.name}'`);
		return await this.finishedExecution(id);
	}

	async finishedExecution(id: string): Promise<FinishedExecution> {
		return await until(
			`execution ${id} to finish`,
			async () => {
				const { resultData, ...execution } = await this.getExecution(id);
				// n8n 1 stores the end before the data.
				return (
					!['new', 'running', 'waiting'].includes(execution.status) &&
					resultData && { ...execution, resultData }
				);
			},
			EXECUTION_LIMIT_MS,
		);
	}

	/** The workflow's executions, newest first. */
	async listExecutions(workflowId: string): Promise<ExecutionSummary[]> {
		const filter = encodeURIComponent(JSON.stringify({ workflowId }));
		const path = `/executions?filter=${filter}&limit=100`;
		return (await this.request<{ results: ExecutionSummary[] }>('GET', path)).results;
	}

	async getExecution(id: string): Promise<Execution> {
		const { data, ...summary } = await this.request<
			Omit<Execution, 'resultData'> & { data: string }
		>('GET', `/executions/${id}`);
		return {
			...summary,
			resultData: (parseFlatted(data) as Partial<Execution> | undefined)?.resultData,
		};
	}

	/** An execution with all its data, as n8n's interface returns it. */
	async rawExecution(id: string): Promise<string> {
		return JSON.stringify(await this.request('GET', `/executions/${id}`));
	}

	/** Stops an execution that runs or waits, like the executions list. */
	async stopExecution(id: string): Promise<void> {
		await this.request('POST', `/executions/${id}/stop`);
	}

	/** Deletes executions, like the executions list. */
	async deleteExecutions(ids: string[]): Promise<void> {
		await this.request('POST', '/executions/delete', { ids });
	}

	/**
	 * Retries a failed execution from the failed node, like the executions list.
	 *
	 * @returns the new execution's id
	 */
	async retryExecution(id: string): Promise<string> {
		const path = `/executions/${id}/retry`;
		return (await this.request<{ id: string }>('POST', path, { loadWorkflow: false })).id;
	}

	/** The names of the node types that this n8n has loaded. */
	async nodeTypes(): Promise<string[]> {
		return (await this.nodeTypeDescriptions()).map(({ name }) => name);
	}

	/**
	 * The node types as the editor gets them. A type can occur several times, for different versions.
	 * After an installation n8n rewrites their file, and a reader can get a part of it. So this reads
	 * until the end is there.
	 */
	async nodeTypeDescriptions(): Promise<INodeTypeDescription[]> {
		const list = await until(
			'n8n to have written its node types',
			async () => {
				const headers = this.headers();
				const response = await fetch(new URL('/types/nodes.json', this.url), { headers });
				const text = await response.text();
				return text.trimEnd().endsWith(']') && text;
			},
			10_000,
		);
		return JSON.parse(list) as INodeTypeDescription[];
	}

	/** Installs a package like Settings → Community Nodes. */
	async installCommunityPackage(name: string, version: string): Promise<InstalledPackage> {
		return await this.request('POST', '/community-packages', { name, version });
	}

	async updateCommunityPackage(name: string, version: string): Promise<InstalledPackage> {
		return await this.request('PATCH', '/community-packages', { name, version });
	}

	async uninstallCommunityPackage(name: string): Promise<void> {
		await this.request('DELETE', `/community-packages?name=${encodeURIComponent(name)}`);
	}
}
