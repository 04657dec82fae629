import { hash } from 'node:crypto';

import type { JsonValue } from 'n8n-workflow';

import { jsonOrText, mayBeRounded } from '../service/parseJson';
import { isDeeperThan } from '../service/readBody';
import {
	type SignatureScheme,
	SIGNATURE_HEADER,
	IDEMPOTENCY_HEADER,
	splitIdempotencyKey,
	computeSignature,
	equalSignatures,
	equalInConstantTime,
} from '../service/signature';

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

/**
 * The one way in: bytes, proof, content. Only bytes need a proof. For a webhook with a secret:
 *
 *     const proof = { kind: 'signature', secrets: [secret], scheme: 'fiveField', tolerance: 300 };
 *     const opened = await openDelivery(context.getRequestObject(), () => proof, seconds);
 *     if (!opened.accepted) return refuse(context, opened.status, opened.message, opened.reason);
 *
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

/** Headers as Node.js gives them: names in lower case, a list for a header that came repeatedly. */
export type DeliveryHeaders = Readonly<Record<string, string | readonly string[] | undefined>>;

/**
 * The strongest proof that this process can check. A token alone counts only while no signing
 * secret is known. Several secrets are known while one replaces the other.
 */
export type KnownProof =
	| {
			kind: 'signature';
			secrets: readonly string[];
			scheme: SignatureScheme;
			tolerance: number;
			/** If known, the token is needed, too: somebody who reads the stored secret cannot forge. */
			tokenHash?: string;
	  }
	| { kind: 'token'; tokens: readonly string[] };

/** What is stored of a token. Its reader cannot send or guess the token, which is an HMAC. */
export const hashToken = (token: string): string => hash('sha256', token, 'hex');

/** Reasons for the log. They quote nothing that the sender sent. */
export const REFUSALS = {
	signatureMissing: `the ${SIGNATURE_HEADER} header is missing`,
	signatureRepeated: `the ${SIGNATURE_HEADER} header came more than once`,
	signatureMalformed: `the ${SIGNATURE_HEADER} header is malformed`,
	keyMissing: `the ${IDEMPOTENCY_HEADER} header is missing`,
	keyRepeated: `the ${IDEMPOTENCY_HEADER} header came more than once`,
	keyMalformed: `the ${IDEMPOTENCY_HEADER} header is malformed`,
	timestampStale:
		'the timestamp is too far from the time of this machine: the delivery is old or repeated, or a clock is wrong',
	signatureWrong:
		'the signature is wrong: the delivery is forged, its body was changed on the way, or the signing secret was replaced (then unpublish and publish the workflow)',
	tokenMissing: 'the authorization header is missing',
	tokenRepeated: 'the authorization header came more than once',
	tokenMalformed: 'the authorization header is not of the form "Bearer <token>"',
	tokenWrong: 'the bearer token is wrong',
	nothingKnown: 'neither a signing secret nor a token is known to check it with',
} as const;
export type Refusal = keyof typeof REFUSALS;

/** `idempotencyKey` identifies a redelivery. */
export type Accepted = { accepted: true; by: KnownProof['kind']; idempotencyKey?: string };
export type Verdict = Accepted | { accepted: false; reason: Refusal };

/** Longest header value that is read. Real ones are far shorter, and n8n takes up to 16 KB. */
const HEADER_MAX = 2048;
/** Most signatures in a header: enough for any change of secrets, too few to burden the process. */
const SIGNATURES_MAX = 8;

const refused = (reason: Refusal): Verdict => ({ accepted: false, reason });

/** Whether the service sent it. @param rawBody uncompressed, byte for byte. @param now seconds */
export const verifyDelivery = (
	headers: DeliveryHeaders,
	rawBody: Buffer,
	proof: KnownProof,
	now: number,
): Verdict =>
	proof.kind === 'signature'
		? verifySignature(headers, rawBody, proof, now)
		: verifyToken(headers, proof.tokens);

type SignatureProof = Extract<KnownProof, { kind: 'signature' }>;

function verifySignature(
	headers: DeliveryHeaders,
	rawBody: Buffer,
	proof: SignatureProof,
	now: number,
): Verdict {
	const secrets = proof.secrets.filter((secret) => secret.length > 0);
	if (secrets.length === 0) return refused('nothingKnown');

	const signatureHeader = readSingle(headers, SIGNATURE_HEADER);
	if (signatureHeader === 'missing') return refused('signatureMissing');
	if (signatureHeader === 'repeated') return refused('signatureRepeated');
	const signed = parseSignatureHeader(signatureHeader.value, proof.scheme);
	if (!signed) return refused('signatureMalformed');

	const key = readSingle(headers, IDEMPOTENCY_HEADER);
	if (key === 'repeated') return refused('keyRepeated');
	if (key === 'missing' && proof.scheme === 'fiveField') return refused('keyMissing');
	const idempotencyKey = key === 'missing' ? undefined : key.value;
	if (idempotencyKey !== undefined && !splitIdempotencyKey(idempotencyKey))
		return refused('keyMalformed');

	const parts = {
		timestamp: signed.timestamp ?? '',
		idempotencyKey: idempotencyKey ?? '',
		body: rawBody,
	};
	let right = false;
	for (const secret of secrets) {
		const expected = computeSignature(secret, proof.scheme, parts);
		for (const signature of signed.signatures) {
			if (expected !== undefined && equalSignatures(signature, expected)) right = true;
		}
	}
	if (!right) return refused('signatureWrong');
	// Checked after the signature, so that the response tells a forger nothing. Body-only deliveries
	// can lack a timestamp.
	if (signed.timestamp !== undefined && !isFresh(signed.timestamp, proof.tolerance, now))
		return refused('timestampStale');
	if (proof.tokenHash !== undefined) {
		const sent = readToken(headers);
		if (typeof sent === 'string') return refused(sent);
		if (!equalSignatures(hashToken(sent.value), proof.tokenHash)) return refused('tokenWrong');
	}
	return {
		accepted: true,
		by: 'signature',
		...(idempotencyKey === undefined ? {} : { idempotencyKey }),
	};
}

function verifyToken(headers: DeliveryHeaders, tokens: readonly string[]): Verdict {
	const known = tokens.filter((token) => token.length > 0);
	if (known.length === 0) return refused('nothingKnown');
	const sent = readToken(headers);
	if (typeof sent === 'string') return refused(sent);
	let right = false;
	for (const token of known) if (equalInConstantTime(sent.value, token)) right = true;
	if (!right) return refused('tokenWrong');
	const key = readSingle(headers, IDEMPOTENCY_HEADER);
	// Nothing proves the key here, so a malformed one is not used.
	return {
		accepted: true,
		by: 'token',
		...(typeof key === 'object' && splitIdempotencyKey(key.value)
			? { idempotencyKey: key.value }
			: {}),
	};
}

/** The token that was sent, or why there is none. */
function readToken(headers: DeliveryHeaders): { value: string } | Refusal {
	const authorization = readSingle(headers, 'authorization');
	if (authorization === 'missing') return 'tokenMissing';
	if (authorization === 'repeated') return 'tokenRepeated';
	const value = /^Bearer +(\S+)$/i.exec(authorization.value)?.[1];
	return value === undefined ? 'tokenMalformed' : { value };
}

function readSingle(
	headers: DeliveryHeaders,
	name: string,
): { value: string } | 'missing' | 'repeated' {
	const value = Object.hasOwn(headers, name) ? headers[name] : undefined;
	if (value === undefined) return 'missing';
	if (typeof value === 'string') return { value };
	if (value.length > 1) return 'repeated';
	return value[0] === undefined ? 'missing' : { value: value[0] };
}

/**
 * `t=<unix seconds>,v1=<hex>` (published), with several `v1` while one secret replaces another
 * (assumed). The header of the body-only scheme is not published, so it takes the usual forms, too:
 * the bare hex, `v1=<hex>` and `sha256=<hex>`.
 */
function parseSignatureHeader(
	value: string,
	scheme: SignatureScheme,
): { timestamp?: string; signatures: string[] } | undefined {
	if (value.length > HEADER_MAX) return undefined;
	if (scheme === 'bodyOnly') {
		const bare = /^(?:sha256=)?([0-9a-f]{64})$/i.exec(value.trim())?.[1];
		if (bare !== undefined) return { signatures: [bare.toLowerCase()] };
	}
	const timestamps: string[] = [];
	const signatures: string[] = [];
	for (const part of value.split(',')) {
		const [, name, content] = /^\s*([a-z0-9]+)=([0-9a-z]+)\s*$/i.exec(part) ?? [];
		if (content === undefined) return undefined;
		if (name === 't') timestamps.push(content);
		if (name === 'v1') signatures.push(content.toLowerCase());
	}
	if (
		signatures.length === 0 ||
		signatures.length > SIGNATURES_MAX ||
		signatures.some((hex) => !/^[0-9a-f]{64}$/.test(hex))
	)
		return undefined;
	if (timestamps.length > 1 || timestamps.some((seconds) => !/^\d{1,12}$/.test(seconds)))
		return undefined;
	const [timestamp] = timestamps;
	if (timestamp === undefined && scheme === 'fiveField') return undefined;
	return { signatures, ...(timestamp === undefined ? {} : { timestamp }) };
}

const isFresh = (timestamp: string, tolerance: number, now: number): boolean =>
	Math.abs(now - Number(timestamp)) <= tolerance;
