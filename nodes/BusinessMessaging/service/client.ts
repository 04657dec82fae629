import { createHash } from 'node:crypto';

import type {
	ICredentialDataDecryptedObject,
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
import { ServiceError } from './errors';
import { excerptOf, wordsOf } from './excerpt';
import { failureOfResponse } from './failureOfResponse';
import { parseRetryAfter } from './retryAfter';
import { secretRemover } from './secrets';
import { readMediaSubCode, readServiceMessage } from './serviceMessage';

export type ServiceContext =
	IExecuteFunctions | IHookFunctions | ILoadOptionsFunctions | IWebhookFunctions;

export const CREDENTIAL_TYPE = 'businessMessagingApi';

/** How long a request may take, in milliseconds, unless the user says otherwise. */
export const DEFAULT_TIMEOUT = 30_000;

export interface ServiceRequest<Result> {
	/** What is tried, fit to follow "Could not ". */
	action: string;
	method: IHttpRequestMethods;
	/** Segments after the base URL, unencoded: `['v1', 'channels', channelId]`. */
	path: string[];
	query?: IDataObject;
	body?: object;
	/** The response's shape; leave out where the service answers with no body. */
	response?: ZodType<Result, ZodTypeDef, unknown>;
	/** Milliseconds. */
	timeout?: number;
}

/** The one way to the service. Every method rejects with a ServiceError, which holds no secret. */
export interface ServiceClient {
	/** Root of the service, without a trailing slash. */
	readonly baseUrl: string;
	/** Tells an account at a service from every other one. The secret key cannot be read out of it. */
	readonly account: string;
	request<Result = void>(request: ServiceRequest<Result>): Promise<Result>;
}

interface FullResponse {
	statusCode: number;
	headers: IDataObject;
	body: unknown;
}

/** A path segment that cannot leave its place: `..` stays `..` when encoded, and would lead to another route (n8n). */
function encodeSegment(segment: string): string {
	if (segment === '' || segment === '.' || segment === '..')
		throw new Error(`"${segment}" is not an ID`);
	return encodeURIComponent(segment);
}

/**
 * Makes the client for the node's credential.
 * @param known the credential, where it was read already: in a webhook, to read it can cost n8n an isolate
 * @throws Error when the credential's Base URL cannot be used.
 */
export async function createServiceClient(
	context: ServiceContext,
	known?: ICredentialDataDecryptedObject,
): Promise<ServiceClient> {
	const credential =
		known ?? (await context.getCredentials<ICredentialDataDecryptedObject>(CREDENTIAL_TYPE));
	const baseUrl = normalizeBaseUrl(credential.baseUrl);
	// A proxy may echo what it was sent.
	const withoutSecrets = secretRemover([
		credential.secretKey,
		credential.webhookSecret,
		credential.webhookToken,
	]);

	const quote = (words: string | undefined) =>
		words === undefined ? undefined : wordsOf(words, withoutSecrets);

	async function request<Result>(wanted: ServiceRequest<Result>): Promise<Result> {
		const timeout = wanted.timeout ?? DEFAULT_TIMEOUT;
		const options: IHttpRequestOptions = {
			method: wanted.method,
			url: `${baseUrl}/${wanted.path.map(encodeSegment).join('/')}`,
			headers: {
				Accept: 'application/json',
				...(wanted.body ? { 'Content-Type': 'application/json' } : {}),
			},
			...(wanted.query ? { qs: wanted.query } : {}),
			...(wanted.body ? { body: wanted.body } : {}),
			timeout,
			returnFullResponse: true,
			// With statuses left to us, n8n sends each request once: on a thrown 401 it would send it again.
			ignoreHttpStatusErrors: true,
			disableFollowRedirect: true,
			sendCredentialsOnCrossOriginRedirect: false,
		};

		const sent = context.helpers.httpRequestWithAuthentication.call(
			context,
			CREDENTIAL_TYPE,
			options,
			{
				// Or n8n would read the credential from its database again for every request.
				credentialsDecrypted: { id: '', name: '', type: CREDENTIAL_TYPE, data: credential },
			},
		) as Promise<FullResponse>;
		const response = await sent.catch((error: unknown) =>
			Promise.reject(new ServiceError(wanted.action, failureOfConnection(error, timeout))),
		);

		const { statusCode: status, headers, body } = response;
		if (status < 200 || status > 299) {
			const refusal = {
				method: wanted.method,
				path: wanted.path,
				status,
				serviceMessage: quote(readServiceMessage(body)),
				subCode: quote(readMediaSubCode(body)),
				excerpt: excerptOf(body, withoutSecrets),
				retryAfter: parseRetryAfter(headers['retry-after'], Date.now()),
			};
			throw new ServiceError(wanted.action, failureOfResponse(refusal));
		}
		if (!wanted.response) return undefined as Result;
		const parsed = wanted.response.safeParse(body);
		if (parsed.success) return parsed.data;
		const issue = parsed.error.issues[0];
		const field = issue?.path.length
			? wordsOf(`"${issue.path.join('.')}" is missing or of another type`, withoutSecrets)
			: `the body is "${excerptOf(body, withoutSecrets)}"`;
		throw new ServiceError(wanted.action, {
			reason: 'unexpected_response',
			// The status said that it was done.
			effect: 'unknown',
			cause:
				body === ''
					? 'the service answered with an empty body'
					: `the service answered in an unexpected form: ${field}`,
			hint: 'Check that the Base URL in the credential is the root of the messaging service and not of a website or proxy.',
			status,
		});
	}

	const account = createHash('sha256')
		.update(`n8n business messaging account v1\n${baseUrl}\n${String(credential.secretKey)}`)
		.digest('base64url');
	return { baseUrl, account, request };
}
