import type {
	IDataObject,
	IExecuteFunctions,
	IHookFunctions,
	IHttpRequestMethods,
	IHttpRequestOptions,
	ILoadOptionsFunctions,
	IWebhookFunctions,
} from 'n8n-workflow';
import type { ZodType, ZodTypeDef } from 'zod';

import { normalizeBaseUrl } from './baseUrl';
import { failureOfConnection } from './connectionFailure';
import { failureOfAnswer, readServiceMessage, ServiceError } from './errors';
import { parseRetryAfter } from './retryAfter';

export type ServiceContext = IExecuteFunctions | IHookFunctions | ILoadOptionsFunctions | IWebhookFunctions;

export const CREDENTIAL_TYPE = 'businessMessagingApi';

/** How long a request may take, in milliseconds, unless the user says otherwise. */
export const DEFAULT_TIMEOUT = 30_000;

export interface ServiceRequest<Answer> {
	/** What is tried, fit to follow "Could not ". */
	action: string;
	method: IHttpRequestMethods;
	/** Segments after the base URL, unencoded: `['v1', 'channels', channelId]`. */
	path: string[];
	query?: IDataObject;
	body?: object;
	/** The answer's shape; leave out where the service answers with no body. */
	answer?: ZodType<Answer, ZodTypeDef, unknown>;
	/** Milliseconds. */
	timeout?: number;
}

/** The one way to the service. Every method rejects with a ServiceError, which holds no secret. */
export interface ServiceClient {
	/** Root of the service, without a trailing slash. */
	readonly baseUrl: string;
	request<Answer = void>(request: ServiceRequest<Answer>): Promise<Answer>;
}

interface FullResponse {
	statusCode: number;
	headers: IDataObject;
	body: unknown;
}

/** A path segment that cannot leave its place: `..` stays `..` when encoded, and would lead to another route (n8n). */
function encodeSegment(segment: string): string {
	if (segment === '' || segment === '.' || segment === '..') throw new Error(`"${segment}" is not an ID`);
	return encodeURIComponent(segment);
}

/** What an unexpected body begins with, short and on one line, with markup left out. Of JSON only what kind it is: a field may hold a secret. */
function excerptOf(body: unknown, withoutSecrets: (text: string) => string): string {
	if (body === undefined || body === null) return '';
	if (Array.isArray(body)) return 'a JSON list';
	if (typeof body === 'object') return `a JSON object with the fields ${Object.keys(body).slice(0, 5).join(', ').slice(0, 80)}`;
	// Secrets go first: a cut could leave a part of one that is not found any more.
	return withoutSecrets(String(body).slice(0, 65_536))
		.replace(/<(script|style)[\s\S]*?<\/\1>/gi, ' ')
		.replace(/<[^>]*>/g, ' ')
		.replace(/[\s\p{Cc}]+/gu, ' ')
		.trim()
		.slice(0, 120);
}

/**
 * Makes the client for the node's credential.
 * @throws Error when the credential's Base URL cannot be used.
 */
export async function createServiceClient(context: ServiceContext): Promise<ServiceClient> {
	const credential = await context.getCredentials(CREDENTIAL_TYPE);
	const baseUrl = normalizeBaseUrl(credential.baseUrl);
	const secrets = [credential.secretKey, credential.webhookSecret, credential.webhookToken].filter(
		(secret): secret is string => typeof secret === 'string' && secret.length > 0,
	);
	// A proxy may echo what it was sent.
	const withoutSecrets = (text: string) => secrets.reduce((clean, secret) => clean.split(secret).join('[hidden]'), text);

	async function request<Answer>(wanted: ServiceRequest<Answer>): Promise<Answer> {
		const timeout = wanted.timeout ?? DEFAULT_TIMEOUT;
		const options: IHttpRequestOptions = {
			method: wanted.method,
			url: `${baseUrl}/${wanted.path.map(encodeSegment).join('/')}`,
			headers: { Accept: 'application/json', ...(wanted.body ? { 'Content-Type': 'application/json' } : {}) },
			...(wanted.query ? { qs: wanted.query } : {}),
			...(wanted.body ? { body: wanted.body } : {}),
			timeout,
			returnFullResponse: true,
			// With statuses left to us, n8n sends each request once: on a thrown 401 it would send it again.
			ignoreHttpStatusErrors: true,
			disableFollowRedirect: true,
			sendCredentialsOnCrossOriginRedirect: false,
		};

		const sent = context.helpers.httpRequestWithAuthentication.call(context, CREDENTIAL_TYPE, options, {
			// Or n8n would read the credential from its database again for every request.
			credentialsDecrypted: { id: '', name: '', type: CREDENTIAL_TYPE, data: credential },
		}) as Promise<FullResponse>;
		const response = await sent.catch((error: unknown) => Promise.reject(new ServiceError(wanted.action, failureOfConnection(error, timeout))));

		const { statusCode: status, headers, body } = response;
		if (status < 200 || status > 299) {
			const said = readServiceMessage(body);
			const answer = {
				method: wanted.method,
				status,
				serviceMessage: said === undefined ? undefined : withoutSecrets(said),
				excerpt: excerptOf(body, withoutSecrets),
				retryAfter: parseRetryAfter(headers['retry-after'], Date.now()),
			};
			throw new ServiceError(wanted.action, failureOfAnswer(answer));
		}
		if (!wanted.answer) return undefined as Answer;
		const parsed = wanted.answer.safeParse(body);
		if (parsed.success) return parsed.data;
		const issue = parsed.error.issues[0];
		const field = issue?.path.length ? `"${issue.path.join('.')}" (${issue.message})` : `the body is "${excerptOf(body, withoutSecrets)}"`;
		throw new ServiceError(wanted.action, {
			reason: 'unexpected_response',
			// The status said that it was done.
			effect: 'unknown',
			cause: body === '' ? 'the service answered with an empty body' : `the service answered in an unexpected form: ${field}`,
			hint: 'Check that the Base URL in the credential is the root of the messaging service and not of a website or proxy.',
			status,
		});
	}

	return { baseUrl, request };
}
