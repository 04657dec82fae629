/** The parts of n8n's REST bodies that the scripts and tests read. */
import type { IDataObject, INodeParameters } from 'n8n-workflow';

export interface Owner {
	email: string;
	firstName: string;
	lastName: string;
	password: string;
}

export interface CredentialReference {
	id: string;
	name: string;
	type: string;
}

export interface CredentialTestResult {
	status: 'OK' | 'Error';
	message: string;
}

export interface WorkflowNode {
	id: string;
	name: string;
	type: string;
	typeVersion: number;
	position: [number, number];
	parameters: INodeParameters;
	credentials?: Record<string, { id: string; name: string }>;
	webhookId?: string;
	/** Passes on what it gets. */
	disabled?: boolean;
	onError?: 'stopWorkflow' | 'continueRegularOutput' | 'continueErrorOutput';
	retryOnFail?: boolean;
	maxTries?: number;
	waitBetweenTries?: number;
}

export interface Workflow {
	name: string;
	nodes: WorkflowNode[];
	/**
	 * By the name of the source node, and the kind of connection: `main`, or for example `ai_tool`.
	 */
	connections: Record<
		string,
		Record<string, Array<Array<{ node: string; type: string; index: number }>>>
	>;
	settings?: IDataObject;
	pinData?: Record<string, Array<{ json: IDataObject }>>;
}

export interface StoredWorkflow extends Workflow {
	id: string;
	versionId: string;
	active: boolean;
	isArchived?: boolean;
}

export interface PublicationStatus {
	status: 'in_progress' | 'published' | 'partial' | 'failed' | 'not_published';
	triggers: Array<{ nodeId: string; status: string; errorMessage: string | null }>;
}

export interface ExecutionSummary {
	id: string;
	mode: string;
	status: 'new' | 'running' | 'waiting' | 'success' | 'error' | 'canceled' | 'crashed' | 'unknown';
	workflowId: string;
	/** ISO 8601. */
	startedAt?: string;
	/** ISO 8601; missing until it ends. */
	stoppedAt?: string;
}

export interface NodeRun {
	/** Milliseconds. */
	executionTime: number;
	error?: { message: string; description?: string | null; context?: IDataObject };
	data?: { main: Array<Array<{ json: IDataObject; pairedItem?: unknown }> | null> };
}

export interface ResultData {
	error?: { message: string; description?: string | null };
	/** Node name → its runs. */
	runData: Record<string, NodeRun[]>;
	lastNodeExecuted?: string;
}

export interface Execution extends ExecutionSummary {
	/** The workflow as it ran. */
	workflowData: Workflow;
	/** Missing until something is stored. */
	resultData?: ResultData | undefined;
}

export type FinishedExecution = Execution & { resultData: ResultData };

/** A community package as n8n stores it. */
export interface InstalledPackage {
	packageName: string;
	installedVersion: string;
	installedNodes: Array<{ name: string; type: string }>;
}
