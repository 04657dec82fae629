import type { JsonValue } from 'n8n-workflow';

import type { BodyRequest, ReadRequest } from './body';
import { isNestedTooDeep, parseBody, readRawBody } from './body';
import type { DeliveryHeaders, KnownProof, Verdict } from './verify';
import { REFUSALS, verifyDelivery } from './verify';

/** The parts of a request that are used. */
export interface DeliveryRequest extends BodyRequest, Omit<ReadRequest, 'rawBody' | 'contentType'> {
	headers: DeliveryHeaders;
	/** Each line of a header that came more than once. */
	headersDistinct?: DeliveryHeaders;
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
	const { body: parsed, contentType, encoding } = request;
	const body = parseBody({ rawBody, body: parsed, contentType, encoding });
	if (isNestedTooDeep(body))
		return unprocessable('its body is nested too deep for an execution to hold');
	return { isOpen: true, headers, body, proof, verdict };
}

const unprocessable = (reason: string) =>
	({ isOpen: false, status: 422, message: 'Unprocessable body', reason }) as const;
