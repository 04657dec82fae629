/**
 * The part of n8n's webhook server around `webhook()`: reads the raw body, runs the node in
 * n8n-core's WebhookContext, stores the execution, and responds. As n8n 2.41 does, it responds
 * after it stored the execution, and with 500 if it could not.
 */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { gunzipSync } from 'node:zlib';

import type { IDataObject, INodeExecutionData, WorkflowExecuteMode } from 'n8n-workflow';

import { listen } from './listen.mts';
import {
	additionalData,
	callWebhook,
	changedStaticData,
	type Credential,
	triggerWorkflow,
	type TriggerOptions,
	type WebhookUrls,
} from './n8n.mts';

export interface Receiver {
	url: string;
	/** The items of every stored execution. */
	executions: INodeExecutionData[][];
	/** Takes the place of storing an execution. It may wait, or fail. */
	store: () => Promise<void>;
	/** As stored in n8n's database. Each request loads it again. */
	staticData: IDataObject;
	/** What n8n would store of the static data after each request. Undefined if nothing changed. */
	staticDataWrites: Array<IDataObject | undefined>;
	mode: WorkflowExecuteMode;
	/** Requests for which the node was called. */
	arrived: number;
	stop(): Promise<void>;
}

/** The part of express's response that nodes use. */
interface ExpressResponse extends ServerResponse {
	status(code: number): ExpressResponse;
	json(body: unknown): void;
}

function asExpressResponse(response: ServerResponse): ExpressResponse {
	const express: ExpressResponse = Object.assign(response, {
		status(code: number) {
			response.statusCode = code;
			return express;
		},
		json(body: unknown) {
			response.setHeader('content-type', 'application/json');
			response.end(JSON.stringify(body));
		},
	});
	return express;
}

export async function startReceiver(
	credential: Credential,
	urls: WebhookUrls,
	options: Omit<TriggerOptions, 'staticData'> & { staticData?: IDataObject } = {},
): Promise<Receiver> {
	const receiver = {
		executions: [] as INodeExecutionData[][],
		store: async () => {},
		staticData: options.staticData ?? {},
		staticDataWrites: [] as Receiver['staticDataWrites'],
		mode: 'webhook' as WorkflowExecuteMode,
		arrived: 0,
	};

	async function handle(request: IncomingMessage, plain: ServerResponse): Promise<void> {
		const response = asExpressResponse(plain);
		const received = await buffer(request);
		const rawBody =
			request.headers['content-encoding'] === 'gzip' ? gunzipSync(received) : received;
		// n8n reads the types that it parses, and leaves the rest to the node.
		const contentType = request.headers['content-type']?.split(';')[0];
		const readRawBody = async () => void Object.assign(request, { rawBody });
		const httpRequest = Object.assign(request, {
			path: new URL(request.url ?? '/', 'http://n8n').pathname,
			contentType,
			readRawBody,
			...(contentType === 'application/json' ? { rawBody } : {}),
		});
		const workflow = triggerWorkflow({
			...options,
			staticData: structuredClone(receiver.staticData),
		});
		const data = additionalData(credential, urls, { httpRequest, httpResponse: response });
		const called = callWebhook(workflow, data, receiver.mode);
		// It has come as far as it can without waiting for anything unresolved.
		receiver.arrived += 1;
		const result = await called;
		receiver.staticDataWrites.push(changedStaticData(workflow));
		if (result.noWebhookResponse) return;
		if (result.workflowData === undefined) return void response.json(result.webhookResponse);
		const [items = []] = result.workflowData;
		try {
			await receiver.store();
		} catch {
			return void response
				.status(500)
				.json({ message: 'There was a problem executing the workflow' });
		}
		receiver.executions.push(items);
		response.json({ message: 'Workflow was started' });
	}

	const server = createServer((request, response) => {
		handle(request, response).catch((error: unknown) => {
			response.statusCode = 599;
			response.end(`The node threw: ${String(error)}`);
		});
	});
	const listening = await listen(server);
	// As in n8n, each trigger has a path of its own.
	const url = `${listening.url}/webhook/${options.node?.id ?? 'node-1'}`;
	return Object.assign(receiver, { ...listening, url });
}
