import type { JsonValue } from 'n8n-workflow';

import { mayBeRounded, parseJson } from '../service/parseJson';
import { isDeeperThan } from '../service/readBody';
import type { DeliveryHeaders, KnownProof, Verdict } from './verify';
import { REFUSALS, verifyDelivery } from './verify';

/** Most levels of a body. Events have about eight. n8n cannot read an execution with thousands. */
export const DEPTH_MAX = 100;

/** The parts of a request that are used. n8n may have left its body unread. */
export interface DeliveryRequest {
	headers: DeliveryHeaders;
	/** Each line of a header that came more than once. */
	headersDistinct?: DeliveryHeaders;
	rawBody?: unknown;
	/** Reads `rawBody`, uncompressed. */
	readRawBody: () => Promise<void>;
	/** What n8n parsed from the bytes, by the two below. */
	body?: unknown;
	/** From the content type header: in lower case, without parameters. */
	contentType?: string | undefined;
	/** The charset of the content type header, or n8n's default. */
	encoding?: string | undefined;
}

export type Opened =
	| {
			isOpen: true;
			headers: DeliveryHeaders;
			/** Proven, and not nested too deep. */
			body: JsonValue;
			proof: KnownProof;
			verdict: Extract<Verdict, { accepted: true }>;
	  }
	/** `reason` is only for the log. */
	| { isOpen: false; status: 401 | 422; message: string; reason: string };

/**
 * The one way in for deliveries: the bytes, then their proof, then their content.
 * @param findProof called only if there are bytes to check, because reading a credential can cost
 *   an isolate
 * @param now Unix seconds
 */
export async function openDelivery(
	request: DeliveryRequest,
	findProof: () => KnownProof | Promise<KnownProof>,
	now: number,
): Promise<Opened> {
	const rawBody = await readRawBody(request);
	if (!rawBody)
		return unprocessable(
			'it has no raw body to check: it is a form, an upload or broken, not an event',
		);
	const headers = request.headersDistinct ?? request.headers;
	const proof = await findProof();
	const verdict = verifyDelivery(headers, rawBody, proof, now);
	if (!verdict.accepted)
		return {
			isOpen: false,
			status: 401,
			message: 'Unauthorized',
			reason: REFUSALS[verdict.reason],
		};
	const body = parseBody(rawBody, request);
	if (isDeeperThan(DEPTH_MAX, body))
		return unprocessable('its body is nested too deep for an execution to hold');
	return { isOpen: true, headers, body, proof, verdict };
}

const unprocessable = (reason: string) =>
	({ isOpen: false, status: 422, message: 'Unprocessable body', reason }) as const;

/**
 * The uncompressed bytes of a body, or undefined if there are none to check. n8n has read them for
 * the content types that it parses. It keeps none of a form or an upload.
 */
export async function readRawBody(request: DeliveryRequest): Promise<Buffer | undefined> {
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
export function parseBody(
	rawBody: Buffer,
	{ body, contentType, encoding }: Pick<DeliveryRequest, 'body' | 'contentType' | 'encoding'> = {},
): JsonValue {
	// n8n has parsed JSON in UTF-8 from the same bytes. Other headers, which nobody signs, count for
	// nothing.
	const text = rawBody.toString('utf8').replace(/^\uFEFF/, '');
	const isParsed = contentType === 'application/json' && encoding === 'utf-8' && rawBody.length > 0;
	if (isParsed && !mayBeRounded(text)) return body as JsonValue;
	try {
		return parseJson(text) as JsonValue;
	} catch {
		return text;
	}
}
