import { hash } from 'node:crypto';

import type {
	ICredentialDataDecryptedObject,
	IExecuteFunctions,
	IHookFunctions,
	IHttpRequestOptions,
	ILoadOptionsFunctions,
	IWebhookFunctions,
} from 'n8n-workflow';

import { withCancelSignal } from '../workarounds/cancelSignal';
import { type FullResponse, resultOf, type ServiceRequest, withBody } from './exchange';
import { normalizeBaseUrl, templatesPathOf } from './baseUrl';
import { startDeadline } from './deadline';
import { ServiceError } from './errors';
import { failureOfConnection } from './errors/failureOfConnection';
import { isNew } from './leftOut';
import { log } from './log';

export type { ServiceRequest };

export type ServiceContext =
	IExecuteFunctions | IHookFunctions | ILoadOptionsFunctions | IWebhookFunctions;

export const CREDENTIAL_TYPE = 'businessMessagingApi';

/** Milliseconds for a request, unless the user sets a limit. */
export const DEFAULT_TIMEOUT = 30_000;

/** The one way to the service. A failed request rejects with a ServiceError without secrets. */
export interface ServiceClient {
	/** Root of the service, without a trailing slash. */
	readonly baseUrl: string;
	/** A hash that identifies the account at the service. */
	readonly account: string;
	/** Segments of the credential's Templates Path. @throws Error if it cannot be used */
	templatesPath(): string[];
	/**
	 * Asks the service, and gives its answer in the form that `response` describes:
	 *
	 *     const path = ['v1', 'channels', channelId];
	 *     const wanted = { action: 'get the channel', method: 'GET', path };
	 *     const { name } = await client.request({ ...wanted, response: channelSchema });
	 */
	request<Result = void>(request: ServiceRequest<Result>): Promise<Result>;
}

/** Refuses segments such as `..`, which stay as they are when encoded and lead to another route. */
function encodeSegment(segment: string): string {
	if (segment === '' || segment === '.' || segment === '..')
		throw new Error(`"${segment}" is not an ID`);
	return encodeURIComponent(segment);
}

/**
 * @param known spares n8n a reading of the credential
 * @param tell is told what was left out of a list, each time. The log has it once
 * @throws Error about its Base URL
 */
export async function createServiceClient(
	context: ServiceContext,
	known?: ICredentialDataDecryptedObject,
	tell?: (words: string) => void,
): Promise<ServiceClient> {
	const credential =
		known ?? (await context.getCredentials<ICredentialDataDecryptedObject>(CREDENTIAL_TYPE));
	const baseUrl = normalizeBaseUrl(credential.baseUrl);
	const ofCredential = [credential.secretKey, credential.webhookSecret, credential.webhookToken];

	const identity = `n8n business messaging account v1\n${baseUrl}\n${String(credential.secretKey)}`;
	const account = hash('sha256', identity, 'base64url');
	const warn = (words: string) => {
		if (isNew(`${account} ${words}`)) log(context, 'warn', words);
		tell?.(words);
	};

	async function request<Result>(wanted: ServiceRequest<Result>): Promise<Result> {
		const url = `${baseUrl}/${wanted.path.map(encodeSegment).join('/')}`;
		const deadline = startDeadline(context, wanted.timeout ?? DEFAULT_TIMEOUT);
		const { timeout, signal } = deadline;
		const options: IHttpRequestOptions = {
			method: wanted.method,
			url,
			headers: {
				Accept: 'application/json',
				...(wanted.body ? { 'Content-Type': wanted.contentType ?? 'application/json' } : {}),
			},
			...(wanted.query ? { qs: wanted.query } : {}),
			...(wanted.body ? { body: wanted.body } : {}),
			timeout,
			abortSignal: signal,
			encoding: 'stream',
			returnFullResponse: true,
			// n8n repeats a request if a 401 is thrown, so errors are responses, too.
			ignoreHttpStatusErrors: true,
			disableFollowRedirect: true,
			sendCredentialsOnCrossOriginRedirect: false,
		};

		const send = async (): Promise<FullResponse> => {
			const sent = context.helpers.httpRequestWithAuthentication.call(
				withCancelSignal(context, signal),
				CREDENTIAL_TYPE,
				options,
				{
					// Without it, n8n reads the credential from its database for every request.
					credentialsDecrypted: { id: '', name: '', type: CREDENTIAL_TYPE, data: credential },
				},
			) as Promise<FullResponse>;
			return await withBody(wanted.action, await deadline.race(sent), signal);
		};
		const failed = (error: unknown): ServiceError =>
			error instanceof ServiceError
				? error
				: new ServiceError(
						wanted.action,
						failureOfConnection(deadline.codeOfEnd() ?? error, timeout),
					);
		const response = await send()
			.catch((error: unknown) => Promise.reject(failed(error)))
			.finally(() => deadline.end());
		return resultOf(wanted, response, ofCredential, warn);
	}

	return {
		baseUrl,
		account,
		templatesPath: () => templatesPathOf(credential.templatesPath),
		request,
	};
}
