import { createHmac, timingSafeEqual } from 'node:crypto';

/** Headers of a signed delivery. Source: published. */
export const SIGNATURE_HEADER = 'x-webhook-signature';
export const IDEMPOTENCY_HEADER = 'x-idempotency-key';

/** Bodies of this many bytes or more arrive gzipped; the signature is over the uncompressed bytes. Source: published. */
export const GZIP_THRESHOLD = 1024;

/** `fiveField` signs timestamp, topic, partition, offset and body; `bodyOnly`, which one published page still describes, the body alone. */
export type SignatureScheme = 'fiveField' | 'bodyOnly';

/** What a delivery carries to prove itself. `body` is the uncompressed body, byte for byte. */
export interface SignedParts {
	/** Unix seconds, as written in the header. */
	timestamp: string;
	/** `<topic>:<partition>:<offset>`; a topic may itself contain colons. */
	idempotencyKey: string;
	body: Buffer;
}

/** Splits an idempotency key at its last two colons. Undefined when it has fewer, or when a part is empty. */
export function splitIdempotencyKey(
	key: string,
): [topic: string, partition: string, offset: string] | undefined {
	const match = /^(.+):([^:]+):([^:]+)$/s.exec(key);
	return match ? [match[1]!, match[2]!, match[3]!] : undefined;
}

/**
 * The HMAC-SHA256 of a delivery in lower-case hex. `secret` is used as UTF-8 text, not hex-decoded. Source: published.
 * Undefined when the five-field scheme is asked for and the idempotency key is not of its form.
 */
export function computeSignature(
	secret: string,
	scheme: SignatureScheme,
	parts: SignedParts,
): string | undefined {
	const hmac = createHmac('sha256', secret);
	if (scheme === 'bodyOnly') return hmac.update(parts.body).digest('hex');
	const fields = splitIdempotencyKey(parts.idempotencyKey);
	if (!fields) return undefined;
	return hmac
		.update(`${[parts.timestamp, ...fields].join('\n')}\n`)
		.update(parts.body)
		.digest('hex');
}

/** The value of the signature header for a five-field delivery. */
export function signatureHeader(timestamp: string, signature: string): string {
	return `t=${timestamp},v1=${signature}`;
}

/** Whether two texts are equal, in a time that does not tell where they differ. */
export function equalInConstantTime(left: string, right: string): boolean {
	const digest = (text: string) => createHmac('sha256', 'compare').update(text).digest();
	return timingSafeEqual(digest(left), digest(right));
}

/** The same for two signatures or hashes, each 64 hexadecimal digits: their length is no secret, so nothing has to hide it. */
export function equalSignatures(left: string, right: string): boolean {
	const [one, other] = [Buffer.from(left), Buffer.from(right)];
	return one.length === other.length && timingSafeEqual(one, other);
}
