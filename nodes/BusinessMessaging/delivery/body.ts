import type { JsonValue } from 'n8n-workflow';

/** Levels of objects and arrays that a body may have. Real events have about eight; n8n cannot read back an execution with some thousands. */
export const DEPTH_MAX = 100;

/** A request as n8n has read it. */
export interface ReadRequest {
	/** The uncompressed bytes. */
	rawBody: Buffer;
	/** What n8n made of the bytes, by the two below. */
	body?: unknown;
	/** From the content type header, in lower case and without its parameters. */
	contentType?: string | undefined;
	/** The charset of the content type header, or n8n's default. */
	encoding?: string;
}

/** A request, its body read or not. */
export interface BodyRequest {
	rawBody?: unknown;
	/** Reads `rawBody`, uncompressed. */
	readRawBody: () => Promise<void>;
	contentType?: string | undefined;
}

/**
 * The uncompressed bytes of a body; undefined where there are none to check. n8n has read them for the content types that it parses. Of a form or an
 * upload it keeps none.
 */
export async function readRawBody(request: BodyRequest): Promise<Buffer | undefined> {
	if (request.rawBody === undefined && request.contentType !== 'multipart/form-data') {
		try {
			await request.readRawBody();
		} catch {
			// Cut off, wrongly compressed, or too large.
			return undefined;
		}
	}
	return Buffer.isBuffer(request.rawBody) ? request.rawBody : undefined;
}

/** What a delivery's body holds. A body that is not JSON is taken as text: what the service signed is passed on whole. */
export function readBody({ rawBody, body, contentType, encoding }: ReadRequest): JsonValue {
	// JSON in UTF-8 has been parsed by n8n already, from the same bytes. A header, which nobody signs, that says otherwise does not count.
	if (contentType === 'application/json' && encoding === 'utf-8' && rawBody.length > 0)
		return body as JsonValue;
	const text = rawBody.toString('utf8').replace(/^\uFEFF/, '');
	try {
		return JSON.parse(text) as JsonValue;
	} catch {
		return text;
	}
}

/** Whether a value is nested deeper than `DEPTH_MAX`. Never looks deeper, so that it cannot exhaust the stack. */
export function isNestedTooDeep(value: JsonValue, depth = 1): boolean {
	if (typeof value !== 'object' || value === null) return false;
	if (depth > DEPTH_MAX) return true;
	if (Array.isArray(value)) return value.some((element) => isNestedTooDeep(element, depth + 1));
	for (const name in value) if (isNestedTooDeep(value[name] as JsonValue, depth + 1)) return true;
	return false;
}
