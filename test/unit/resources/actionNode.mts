/**
 * The action node without n8n: its fields as n8n would give them, and a service that responds as a
 * test says.
 */
import type {
	IDataObject,
	IExecuteFunctions,
	IHttpRequestOptions,
	INodeExecutionData,
	WorkflowExecuteMode,
} from 'n8n-workflow';

import { BusinessMessaging } from '#nodes/BusinessMessaging.node.ts';
import { asPlainObject } from '#nodes/service/parseJson.ts';
import { BASE_URL } from '../../support/constants.mts';

export const WAITING_URL = 'https://n8n.example.com/webhook-waiting/';

export interface Sent {
	method: string;
	path: string;
	body: IDataObject;
}

export interface Setting {
	input?: INodeExecutionData[];
	/** The service's response. If left out, it accepts the message. */
	answer?: (request: Sent) => { statusCode?: number; body: unknown };
	/** On Error: Continue. */
	continues?: boolean;
	/** How the execution began. If left out, by hand. */
	mode?: WorkflowExecuteMode;
	signal?: AbortSignal;
	/** What n8n keeps of the node over the tries of an execution. */
	store?: IDataObject;
	/** `$runIndex`, the round of a loop. If left out, the first. */
	round?: number;
	helpers?: object;
	/** The credential's key for an item, if it is an expression. */
	secretKey?: (item: number) => string;
}

/**
 * A node with these fields. n8n does not know any other.
 * @param parameters a function takes the place of an expression and gives the value for an item
 */
export function contextWith(
	parameters: Record<string, unknown>,
	setting: Setting = {},
): { context: IExecuteFunctions; sent: Sent[]; hints: string[] } {
	const { answer = () => ({ body: { messageId: 'A'.repeat(32) } }), store = {} } = setting;
	const sent: Sent[] = [];
	const hints: string[] = [];
	const context = {
		getNode: () => ({
			...{ id: 'node', name: 'Business Messaging', type: 'test', typeVersion: 2 },
			...{ position: [0, 0], parameters: asEntered(parameters) },
		}),
		getNodeParameter: (name: string, index: number, fallback: unknown) => {
			const value = name
				.split('.')
				.reduce<unknown>((within, key) => asPlainObject(within)[key], parameters);
			return value === undefined ? fallback : evaluated(value, index);
		},
		getInputData: (_at?: number, type?: string) =>
			type === 'ai_tool' ? [] : (setting.input ?? [{ json: {} }]),
		getInstanceId: () => 'this n8n',
		getWorkflow: () => ({ id: 'workflow' }),
		getWorkflowSettings: () => ({ executionOrder: 'v1' }),
		getExecutionId: () => '1',
		getMode: () => setting.mode ?? 'manual',
		getTimezone: () => 'UTC',
		getContext: () => store,
		getExecutionCancelSignal: () => setting.signal,
		getCredentials: async (_type: string, item = 0) => ({
			...{ baseUrl: BASE_URL, secretKey: setting.secretKey?.(item) ?? 'sk_1' },
		}),
		evaluateExpression: (expression: string) =>
			new Map<string, unknown>([
				['{{ $runIndex }}', setting.round ?? 0],
				['{{ $execution.resumeUrl }}', `${WAITING_URL}1`],
			]).get(expression),
		logger: { warn: () => {} },
		continueOnFail: () => setting.continues === true,
		addExecutionHints: ({ message }: { message: string }) => void hints.push(message),
		helpers: {
			httpRequestWithAuthentication: async (
				_type: string,
				{ method, url, body }: IHttpRequestOptions,
			) => {
				const request: Sent = {
					method: method ?? '',
					path: url.slice(BASE_URL.length),
					body: asPlainObject(body),
				};
				sent.push(request);
				return { statusCode: 200, headers: {}, ...answer(request) };
			},
			...setting.helpers,
		},
	};
	return { context: context as unknown as IExecuteFunctions, sent, hints };
}

const isObject = (value: unknown): value is object =>
	typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype;
const mapped = (value: object, each: (inner: unknown) => unknown): object =>
	Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, each(inner)]));

/** What functions give, at any depth, as n8n evaluates a whole collection. */
function evaluated(value: unknown, index: number): unknown {
	if (typeof value === 'function') return (value as (index: number) => unknown)(index);
	if (Array.isArray(value)) return value.map((inner) => evaluated(inner, index));
	return isObject(value) ? mapped(value, (inner) => evaluated(inner, index)) : value;
}

/** With an expression in place of each function. */
function asEntered(value: unknown): unknown {
	if (typeof value === 'function') return '={{ $json.given }}';
	return isObject(value) ? mapped(value, asEntered) : value;
}

/** Runs a new node for each call, so that the mutation tester knows which test reads what. */
export async function run(parameters: Record<string, unknown>, setting: Setting = {}) {
	const { context, ...seen } = contextWith(parameters, setting);
	const [items = []] = await new BusinessMessaging().execute.call(context);
	return { items, ...seen };
}
