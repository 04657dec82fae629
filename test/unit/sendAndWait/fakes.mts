/**
 * What n8n gives a node that asks or gets a reply, and a service that lists, registers and sends,
 * all in memory.
 */
import { createHash } from 'node:crypto';

import type {
	IDataObject,
	IExecuteFunctions,
	IHttpRequestOptions,
	IWebhookFunctions,
} from 'n8n-workflow';

import { replyRouter, ReplyRouter } from '#nodes/replies/router.ts';
import { steadyClock } from '#nodes/shared/tools/clock.ts';
import type { Webhook } from '#nodes/service/contract/index.ts';
import type { Question } from '#nodes/resources/message/sendAndWait/kinds/index.ts';
import { FakeResponse } from '../../support/fakeResponse.mts';
import { SECRET_KEY } from '../../support/constants.mts';

/** The process remembers whose messages are. Tests use the same ones. */
beforeEach(() => void Object.assign(replyRouter, new ReplyRouter(steadyClock)));

export const HOUR = 3_600_000;

export interface Sent {
	method: string;
	path: string;
	body: unknown;
}

interface Responded {
	status: number;
	body?: unknown;
	headers?: Record<string, string>;
}

export class FakeService {
	readonly requests: Sent[] = [];
	/** What the list shows. */
	webhooks: Webhook[] = [];
	/** Called first. What it returns is the response. */
	intercept: (request: Sent) => Responded | undefined = () => undefined;

	/** n8n's helper that sends a request. */
	readonly take = async (_credential: string, options: IHttpRequestOptions) => {
		const { method = 'GET', url, body } = options;
		const request = { method, path: new URL(url).pathname, body };
		this.requests.push(request);
		const response = this.intercept(request) ?? this.respond(request);
		const { status, headers = {}, body: responded } = response;
		return { statusCode: status, headers, body: responded };
	};

	/** The recipients of the messages, and their texts. */
	get messages(): Array<[recipient: string, text: string]> {
		return this.requests
			.filter(({ path }) => path.endsWith('/messages'))
			.map(({ body }) => {
				const { recipient, content } = body as {
					recipient: { identifier: string };
					content: { body: { message: string } };
				};
				return [recipient.identifier, content.body.message];
			});
	}

	private respond({ method, path, body }: Sent): Responded {
		if (path.endsWith('/messages')) return { status: 200, body: { messageId: '0'.repeat(32) } };
		if (method === 'GET') return { status: 200, body: [...this.webhooks] };
		if (method === 'POST') {
			const made = { ...(body as Webhook), id: 'own', status: 'ENABLED' };
			this.webhooks.push({ ...made, createdAt: new Date().toISOString() });
			return { status: 201, body: { ...made, secret: 'a secret' } };
		}
		if (method === 'DELETE') {
			this.webhooks = this.webhooks.filter(({ id }) => !path.endsWith(`/${id}`));
			return { status: 204 };
		}
		const changed = this.webhooks.find(({ id }) => path.endsWith(`/${id}`));
		return { status: 200, body: { ...changed, ...(body as IDataObject) } };
	}
}

/** The webhook of a question that somebody asked in the chat. */
export const waitingWebhook = (
	id: string,
	{
		owner = { instanceId: 'another n8n' },
		recipient = '',
		deadline = HOUR,
		url = signedUrl({}),
	}: { owner?: object; recipient?: string; deadline?: number; url?: string } = {},
): Webhook => ({
	id,
	url,
	events: [],
	status: 'ENABLED',
	createdAt: '2026-01-01T00:00:00.000Z',
	customAttributes: {
		n8n: owner,
		n8nWait: {
			executionId: '41',
			recipient,
			deadline: new Date(Date.now() + deadline).toISOString(),
			wrongAnswers: 0,
			sent: [],
		},
	},
});

/** Signs as n8n does: the URL's own parts, in their order. */
export function signedUrl(says: Record<string, string>, root = 'https://n8n.example.com'): string {
	const url = new URL(`${root}/webhook-waiting/42/n`);
	for (const [name, value] of Object.entries(says)) url.searchParams.set(name, value);
	url.searchParams.set('signature', createHash('sha256').update(url.search).digest('hex'));
	return url.href;
}

/** What both contexts have. */
const common = (service: FakeService, said: string[]) => ({
	getCredentials: async () => ({ baseUrl: 'https://api.example.com', secretKey: SECRET_KEY }),
	getInstanceId: () => 'here',
	getExecutionId: () => '42',
	getWorkflow: () => ({ id: 'w', name: 'Ask' }),
	logger: {
		warn: (message: string) => void said.push(`warn: ${message}`),
		error: (message: string) => void said.push(`error: ${message}`),
	},
	helpers: { httpRequestWithAuthentication: service.take },
});

export interface Asking {
	parameters?: IDataObject;
	signal?: AbortSignal;
	/** The address of n8n, also below a path. */
	root?: string;
	/** What the node remembers over all executions. */
	memory?: Set<string>;
	/** Methods that only some versions of n8n have. */
	more?: object;
}

/** A node that asks, with On Error set to continue. `said` is what the log got. */
export function askingContext(
	service: FakeService,
	{ parameters = {}, signal, root, memory = new Set(), more = {} }: Asking = {},
	said: string[] = [],
): IExecuteFunctions {
	const store = {};
	const shared = common(service, said);
	const valueAt = (path: string) =>
		path
			.split('.')
			.reduce<unknown>((value, name) => (value as IDataObject | undefined)?.[name], parameters);
	return {
		...shared,
		helpers: {
			...shared.helpers,
			checkProcessedAndRecord: async (values: string[]) => {
				const processed = values.filter((value) => memory.has(value));
				for (const value of values) memory.add(value);
				return { processed };
			},
			removeProcessed: async (values: string[]) => values.forEach((value) => memory.delete(value)),
		},
		getNode: () => ({ id: 'n', name: 'Ask', parameters }),
		getNodeParameter: (path: string, _item: number, fallback: unknown) => valueAt(path) ?? fallback,
		getWorkflowSettings: () => ({ executionOrder: 'v1' }),
		getTimezone: () => 'UTC',
		getMode: () => 'trigger',
		getRestApiUrl: () => `${root ?? 'https://n8n.example.com'}/rest`,
		getInputData: (_at?: number, type?: string) => (type === 'ai_tool' ? [] : [{ json: {} }]),
		getExecutionCancelSignal: () => signal,
		getSignedResumeUrl: (says: Record<string, string>) => signedUrl(says, root),
		getContext: () => store,
		evaluateExpression: (expression: string) =>
			expression.includes('resumeUrl') ? signedUrl({}, root).replace('/n?', '?') : 0,
		addExecutionHints: () => {},
		continueOnFail: () => true,
		getExecuteData: () => ({ data: {} }),
		putExecutionToWait: async () => {},
		...more,
	} as unknown as IExecuteFunctions;
}

export interface Answering {
	method?: string;
	query?: IDataObject;
	headers?: IDataObject;
	/** Headers as lists. */
	headersDistinct?: IDataObject | undefined;
	rawBody?: Buffer;
	/** What n8n made of a form. */
	data?: IDataObject;
	more?: object;
}

/** A node whose execution waits with a question, and gets a request. `said` is what the log got. */
export function answeringContext(
	service: FakeService,
	question: Question,
	{ method = 'POST', query = {}, headers = {}, data = {}, more = {}, ...request }: Answering,
	response = new FakeResponse(),
	said: string[] = [],
): IWebhookFunctions {
	const whole = { question: question.id, ...query };
	return {
		...common(service, said),
		getNode: () => ({ id: 'n', name: 'Ask' }),
		getRequestObject: () => ({ method, headers, query: whole, body: {}, ...request }),
		getResponseObject: () => response,
		getQueryData: () => whole,
		getBodyData: () => ({ data }),
		evaluateExpression: (expression: string) =>
			expression.includes('resumeUrl')
				? signedUrl({}).replace('/n?', '?')
				: JSON.stringify(question),
		getSignedResumeUrl: (says: Record<string, string>) => signedUrl(says),
		...more,
	} as unknown as IWebhookFunctions;
}
