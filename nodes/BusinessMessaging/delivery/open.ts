import type { JsonValue } from 'n8n-workflow';

import { jsonOrText, mayBeRounded } from '../service/parseJson';
import { isDeeperThan } from '../service/readBody';
import type { Accepted, DeliveryHeaders, KnownProof } from './verify';
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

/** A body that is proven, and not nested too deep, or a refusal, whose reason is for the log. */
export type Opened =
	| (Accepted & { headers: DeliveryHeaders; body: JsonValue })
	| { accepted: false; status: 401 | 422; message: string; reason: string };

/** The one way in: bytes, proof, content. Only bytes need a proof. @param now Unix seconds */
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
	const verdict = verifyDelivery(headers, rawBody, await findProof(), now);
	if (!verdict.accepted)
		return { ...verdict, status: 401, message: 'Unauthorized', reason: REFUSALS[verdict.reason] };
	const body = parseBody(rawBody, request);
	if (isDeeperThan(DEPTH_MAX, body))
		return unprocessable('its body is nested too deep for an execution to hold');
	return { ...verdict, headers, body };
}

const unprocessable = (reason: string) =>
	({ accepted: false, status: 422, message: 'Unprocessable body', reason }) as const;

/** The uncompressed bytes, if there are any to check: n8n keeps none of a form or an upload. */
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
	const text = rawBody.toString('utf8');
	const isParsed = contentType === 'application/json' && encoding === 'utf-8' && rawBody.length > 0;
	return (isParsed && !mayBeRounded(text) ? body : jsonOrText(text)) as JsonValue;
}
