import type { JsonValue } from 'n8n-workflow';

import { isDeeperThan } from '../service/readBody';

/** Most levels of a body. Events have about eight. n8n cannot read an execution with thousands. */
export const DEPTH_MAX = 100;

/** A request whose body n8n has read. */
export interface ReadRequest {
	/** The uncompressed bytes. */
	rawBody: Buffer;
	/** What n8n parsed from the bytes, by the two below. */
	body?: unknown;
	/** From the content type header: in lower case, without parameters. */
	contentType?: string | undefined;
	/** The charset of the content type header, or n8n's default. */
	encoding?: string | undefined;
}

/** A request whose body n8n may have left unread. */
export interface BodyRequest {
	rawBody?: unknown;
	/** Reads `rawBody`, uncompressed. */
	readRawBody: () => Promise<void>;
	contentType?: string | undefined;
}

/**
 * The uncompressed bytes of a body, or undefined if there are none to check. n8n has read them for
 * the content types that it parses. It keeps none of a form or an upload.
 */
export async function readRawBody(request: BodyRequest): Promise<Buffer | undefined> {
	if (request.rawBody === undefined && request.contentType !== 'multipart/form-data') {
		try {
			await request.readRawBody();
		} catch {
			// Cut off, wrongly compressed or too large.
			return undefined;
		}
	}
	return Buffer.isBuffer(request.rawBody) ? request.rawBody : undefined;
}

/** The content of a body. A body that is not JSON is a text, so that no signed event is lost. */
export function parseBody({ rawBody, body, contentType, encoding }: ReadRequest): JsonValue {
	// n8n has parsed JSON in UTF-8 from the same bytes. Other headers, which nobody signs, count for
	// nothing.
	if (contentType === 'application/json' && encoding === 'utf-8' && rawBody.length > 0)
		return body as JsonValue;
	const text = rawBody.toString('utf8').replace(/^\uFEFF/, '');
	try {
		return JSON.parse(text) as JsonValue;
	} catch {
		return text;
	}
}

/** Whether a value is nested deeper than `DEPTH_MAX`. */
export const isNestedTooDeep = (value: JsonValue): boolean => isDeeperThan(DEPTH_MAX, value);
