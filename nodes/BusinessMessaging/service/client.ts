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
import { ServiceError } from './errors';
import { excerptOf, quoteOf } from './errors/excerpt';
import { failureOfConnection } from './errors/failureOfConnection';
import { failureOfResponse } from './errors/failureOfResponse';
import { parseRetryAfter } from './errors/retryAfter';
import { readMediaSubCode, readServiceMessage } from './errors/serviceMessage';
import { secretRemover } from './secrets';
import { templatesPathOf } from './templatesPath';

export type ServiceContext =
	IExecuteFunctions | IHookFunctions | ILoadOptionsFunctions | IWebhookFunctions;

export const CREDENTIAL_TYPE = 'businessMessagingApi';

/** Milliseconds for a request, unless the user sets a limit. */
export const DEFAULT_TIMEOUT = 30_000;

export interface ServiceRequest<Result> {
	/** What is tried, to follow "Could not ". */
	action: string;
	method: IHttpRequestMethods;
	/** Segments after the base URL, not encoded: `['v1', 'channels', channelId]`. */
	path: string[];
	query?: IDataObject;
	body?: object;
	/** Values of the body that no error may quote, beside the secrets of the credential. */
	secrets?: readonly string[];
	/** The shape of the response. Leave it out if the service responds without a body. */
	response?: ZodType<Result, ZodTypeDef, unknown>;
	/** Milliseconds. */
	timeout?: number;
}

/** The one way to the service. A failed request rejects with a ServiceError without secrets. */
export interface ServiceClient {
	/** Root of the service, without a trailing slash. */
	readonly baseUrl: string;
	/** A hash that identifies the account at the service. */
	readonly account: string;
	/**
	 * Segments of the path of the business accounts and their templates.
	 * @throws Error if the credential's Templates Path cannot be used
	 */
	templatesPath(): string[];
	request<Result = void>(request: ServiceRequest<Result>): Promise<Result>;
}

interface FullResponse {
	statusCode: number;
	headers: IDataObject;
	body: unknown;
}

/** Refuses segments such as `..`, which stay as they are when encoded and lead to another route. */
function encodeSegment(segment: string): string {
	if (segment === '' || segment === '.' || segment === '..')
		throw new Error(`"${segment}" is not an ID`);
	return encodeURIComponent(segment);
}

/**
 * Makes the client for the node's credential.
 * @param known the credential, if it was read already. Reading it again in a webhook can cost n8n
 * an isolate.
 * @throws Error if the credential's Base URL cannot be used
 */
export async function createServiceClient(
	context: ServiceContext,
	known?: ICredentialDataDecryptedObject,
): Promise<ServiceClient> {
	const credential =
		known ?? (await context.getCredentials<ICredentialDataDecryptedObject>(CREDENTIAL_TYPE));
	const baseUrl = normalizeBaseUrl(credential.baseUrl);
	// A proxy may echo what it was sent.
	const ofCredential = [credential.secretKey, credential.webhookSecret, credential.webhookToken];
	const withoutThese = secretRemover(ofCredential);

	async function request<Result>(wanted: ServiceRequest<Result>): Promise<Result> {
		const withoutSecrets = wanted.secrets
			? secretRemover([...ofCredential, ...wanted.secrets])
			: withoutThese;
		const quote = (message: string | undefined) =>
			message === undefined ? undefined : quoteOf(message, withoutSecrets);
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
			// n8n repeats a request if a 401 is thrown, so errors are responses, too.
			ignoreHttpStatusErrors: true,
			disableFollowRedirect: true,
			sendCredentialsOnCrossOriginRedirect: false,
		};

		const sent = context.helpers.httpRequestWithAuthentication.call(
			context,
			CREDENTIAL_TYPE,
			options,
			{
				// Without it, n8n reads the credential from its database for every request.
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
			? quoteOf(`"${issue.path.join('.')}" is missing or of another type`, withoutSecrets)
			: `the body is "${excerptOf(body, withoutSecrets)}"`;
		throw new ServiceError(wanted.action, {
			reason: 'unexpected_response',
			// Its status says that it was done.
			effect: 'unknown',
			cause:
				body === ''
					? 'the service answered with an empty body'
					: `the service answered in an unexpected form: ${field}`,
			hint: 'Check that the Base URL in the credential is the root of the messaging service.',
			status,
		});
	}

	const account = createHash('sha256')
		.update(`n8n business messaging account v1\n${baseUrl}\n${String(credential.secretKey)}`)
		.digest('base64url');
	return {
		baseUrl,
		account,
		templatesPath: () => templatesPathOf(credential.templatesPath),
		request,
	};
}
