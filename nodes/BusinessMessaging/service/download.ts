import type { IExecuteFunctions } from 'n8n-workflow';

import type { FullResponse } from './exchange';
import { asError, type Failure, type FailureReason, ServiceError } from './errors';
import { failureOfConnection } from './errors/failureOfConnection';
import { startDeadline } from './deadline';
import { fileNameOfDisposition, fileNameOfUrl, mimeTypeOf } from './fileName';
import { type ByteStream, readBody } from './readBody';

/** Redirects are safe, because no secret is sent. n8n 1 has a limit of its own. */
const REDIRECTS_MAX = 10;

export interface DownloadRequest {
	/** What is tried, to follow "Could not ". Of the file's address it names only the host. */
	action: string;
	/** Maximum size in bytes, after decompression. */
	maxBytes: number;
	/** Milliseconds for all of it, redirects included. At most 24 days. */
	timeout: number;
}

export interface DownloadedFile {
	data: Buffer;
	/** From the response or the address. Safe to store. */
	fileName: string | undefined;
	mimeType: string | undefined;
}

/**
 * Downloads a file from the address in a message. The request has nothing of the credential. n8n's
 * helper has no size limit, so this counts the bytes and closes the connection at the limit.
 * @param url http(s)
 * @throws ServiceError that does not quote the address
 */
export async function downloadFile(
	context: IExecuteFunctions,
	url: URL,
	{ action, maxBytes, ...request }: DownloadRequest,
): Promise<DownloadedFile> {
	const deadline = startDeadline(context, request.timeout);
	const { timeout } = deadline;
	try {
		const response = (await context.helpers.httpRequest({
			method: 'GET',
			url: url.href,
			headers: { Accept: '*/*' },
			encoding: 'stream',
			timeout,
			abortSignal: deadline.signal,
			maxRedirects: REDIRECTS_MAX,
			returnFullResponse: true,
			ignoreHttpStatusErrors: true,
			sendCredentialsOnCrossOriginRedirect: false,
		})) as FullResponse & { body: ByteStream };
		const { statusCode, headers, body } = response;
		if (statusCode < 200 || statusCode > 299) {
			body.destroy();
			throw new ServiceError(action, failureOfStatus(statusCode));
		}
		if (Number(headers['content-length']) > maxBytes) {
			body.destroy();
			throw new ServiceError(action, tooLarge(maxBytes));
		}
		const data = await readBody(body, maxBytes, deadline.signal);
		if (!data) throw new ServiceError(action, tooLarge(maxBytes));
		return {
			data,
			fileName: fileNameOfDisposition(headers['content-disposition']) ?? fileNameOfUrl(url),
			mimeType: mimeTypeOf(headers['content-type']),
		};
	} catch (error) {
		throw asError(
			error instanceof ServiceError
				? error
				: new ServiceError(action, failureOfDownload(deadline.codeOfEnd() ?? error, timeout)),
		);
	} finally {
		deadline.end();
	}
}

/** Reads `data:<type>;base64,…`. @throws ServiceError if it is too large, Error if malformed */
export function readDataUrl(
	url: string,
	{ action, maxBytes }: Pick<DownloadRequest, 'action' | 'maxBytes'>,
): DownloadedFile {
	const comma = url.indexOf(',');
	const head = comma === -1 ? '' : url.slice('data:'.length, comma);
	const malformed = new Error(
		`Could not ${action}: its data URL is malformed. It must be data:<type>;base64, followed by the file in base64.`,
	);
	if (!head.toLowerCase().endsWith(';base64')) throw malformed;
	const end = url.endsWith('==') ? url.length - 2 : url.endsWith('=') ? url.length - 1 : url.length;
	const bytes = Math.floor(((end - comma - 1) * 3) / 4);
	if (bytes > maxBytes) throw new ServiceError(action, tooLarge(maxBytes));
	const data = Buffer.from(url.slice(comma + 1, end), 'base64');
	// Buffer skips characters that are not base64. Then bytes are missing.
	if (data.length !== bytes) throw malformed;
	return { data, fileName: undefined, mimeType: mimeTypeOf(head) };
}

const tooLarge = (maxBytes: number): Failure => ({
	reason: 'too_large',
	effect: 'none',
	cause: `the file is larger than ${maxBytes / 1024 ** 2} MB`,
	hint: 'To accept larger files, raise the option "Max Size (MB)". n8n holds a file in memory while it downloads.',
});

const EXPIRED = 'Links to attachments can expire. Download them soon after the message arrived.';

/** The error of a file in whose place something else came. */
export const expired = (action: string, what: string): ServiceError =>
	new ServiceError(action, {
		...{ reason: 'not_found', effect: 'none', hint: EXPIRED },
		cause: `the link has expired, because its host gave ${what} in place of the file`,
	});

function failureOfStatus(status: number): Failure {
	const failure = (reason: FailureReason, cause: string, hint: string): Failure => ({
		reason,
		effect: 'none',
		cause: `${cause} (status ${status})`,
		hint,
		status,
	});
	if (status === 401 || status === 403)
		return failure('forbidden', 'the host of the file refuses it', EXPIRED);
	if (status === 404 || status === 410)
		return failure('not_found', 'the file is not there', EXPIRED);
	if (status === 429)
		return failure('rate_limited', 'the host of the file asks to slow down', 'Try again later.');
	if (status >= 500)
		return failure('service_error', 'the host of the file failed', 'Try again later.');
	return failure('rejected', 'the host of the file did not give it', 'Check the address.');
}

/** Texts about a file. Those of `failureOfConnection` are about the service. */
const FILE_TEXTS: Partial<Record<FailureReason, Pick<Failure, 'cause' | 'hint'>>> = {
	unreachable: {
		cause: 'the host of the file cannot be reached',
		hint: "Check the address, and that n8n's network can reach it.",
	},
	tls: {
		cause: 'no secure connection to the host of the file',
		hint: 'n8n does not trust its certificate, or it does not use TLS. For a private certificate authority, set NODE_EXTRA_CA_CERTS where n8n runs.',
	},
	blocked: {
		cause: 'n8n does not allow requests to the host of the file',
		hint: 'Check the SSRF protection of this n8n.',
	},
	cancelled: {
		cause: 'the execution was cancelled during the download',
		hint: 'Run it again to download the file.',
	},
};

function failureOfDownload(error: unknown, timeout: number): Failure {
	const { reason } = failureOfConnection(error, timeout);
	if (reason === 'timeout')
		return {
			reason,
			effect: 'none',
			cause: `the download was not complete within ${timeout / 1000} s`,
			hint: 'Try again later, or raise the option "Timeout (Milliseconds)".',
		};
	const texts = FILE_TEXTS[reason] ?? {
		cause: 'the connection to the host of the file was lost',
		hint: "Check n8n's network, then try again.",
	};
	return { reason, effect: 'none', ...texts };
}
