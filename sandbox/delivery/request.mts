import { gzipSync } from 'node:zlib';

import {
	API_KEY_HEADER,
	computeSignature,
	GZIP_THRESHOLD,
	IDEMPOTENCY_HEADER,
	SIGNATURE_HEADER,
	signatureHeader,
	splitIdempotencyKey,
	type WebhookAuth,
} from '../contract.mts';
import type { WebhookFault } from '../faults/schema.mts';
import type { Delivery } from '../store/deliveries.mts';
import type { StoredWebhook } from '../store/webhooks.mts';

/** The outgoing request: exact headers and bytes. */
export interface DeliveryRequest {
	headers: Record<string, string>;
	body: Buffer;
	gzipped: boolean;
}

/**
 * The header that authenticates the service, for each kind of auth. Source: published; the header
 * of API_KEY is assumed.
 */
function authHeaders(auth: WebhookAuth): Record<string, string> {
	switch (auth.type) {
		case 'BEARER':
			return { authorization: `Bearer ${auth.token}` };
		case 'BASIC':
			return {
				authorization: `Basic ${Buffer.from(`${auth.username}:${auth.password}`).toString('base64')}`,
			};
		case 'API_KEY':
			return { [API_KEY_HEADER]: auth.key };
		case 'CUSTOM_HEADER':
			return { [auth.headerName.toLowerCase()]: auth.headerValue };
		case 'NONE':
			return {};
	}
}

/**
 * The text that is signed: timestamp, topic, partition and offset, each on its own line, and the
 * body. Source: published.
 */
export function signedText(timestamp: string, idempotencyKey: string, body: string): string {
	return `${[timestamp, ...(splitIdempotencyKey(idempotencyKey) ?? [])].join('\n')}\n${body}`;
}

/** A delivery as it is sent now. `unixSeconds` is real time: every attempt gets a new signature. */
export function buildRequest(
	delivery: Delivery,
	webhook: StoredWebhook,
	faults: readonly WebhookFault[],
	unixSeconds: number,
): DeliveryRequest {
	const body = Buffer.from(delivery.body);
	const fault = <K extends WebhookFault['kind']>(kind: K) =>
		faults.find(
			(candidate): candidate is Extract<WebhookFault, { kind: K }> => candidate.kind === kind,
		);
	const headers: Record<string, string> = {
		'content-type': 'application/json',
		'user-agent': 'business-messaging-sandbox',
		[IDEMPOTENCY_HEADER]: delivery.idempotencyKey,
		...authHeaders(webhook.auth),
	};
	if (webhook.secret !== null) {
		const timestamp = String(unixSeconds - (fault('staleSignature')?.seconds ?? 0));
		const secret = fault('badSignature') ? `${webhook.secret}-wrong` : webhook.secret;
		const signature = computeSignature(secret, 'fiveField', {
			timestamp,
			idempotencyKey: delivery.idempotencyKey,
			body,
		});
		if (signature === undefined)
			throw new Error(`delivery ${delivery.id} has no idempotency key to sign`);
		headers[SIGNATURE_HEADER] = signatureHeader(timestamp, signature);
	}
	const mode = fault('gzip')?.mode;
	const gzipped = mode === undefined ? body.length >= GZIP_THRESHOLD : mode === 'always';
	if (!gzipped) return { headers, body, gzipped };
	return { headers: { ...headers, 'content-encoding': 'gzip' }, body: gzipSync(body), gzipped };
}
