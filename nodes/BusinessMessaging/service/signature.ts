import { createHmac, timingSafeEqual } from 'node:crypto';

/** Headers of a signed delivery. Source: published. */
export const SIGNATURE_HEADER = 'x-webhook-signature';
export const IDEMPOTENCY_HEADER = 'x-idempotency-key';

/** `fiveField` signs timestamp, key and body, `bodyOnly`, of one published page, only the body. */
export type SignatureScheme = 'fiveField' | 'bodyOnly';

/** What the signature of a delivery covers. `body` is uncompressed, byte for byte. */
export interface SignedParts {
	/** Unix seconds, as in the header. */
	timestamp: string;
	/** `<topic>:<partition>:<offset>`. A topic may contain colons. */
	idempotencyKey: string;
	body: Buffer;
}

/** Splits an idempotency key at its last two colons. Undefined if a part is missing or empty. */
export function splitIdempotencyKey(
	key: string,
): [topic: string, partition: string, offset: string] | undefined {
	const match = /^(.+):([^:]+):([^:]+)$/s.exec(key);
	return match ? [match[1]!, match[2]!, match[3]!] : undefined;
}

/**
 * The HMAC-SHA256 of a delivery in lower-case hex. `secret` is used as UTF-8 text, not decoded from
 * hex. Source: published. Undefined if five fields are signed and the idempotency key is malformed.
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
export const signatureHeader = (timestamp: string, signature: string): string =>
	`t=${timestamp},v1=${signature}`;

/** Whether two texts are equal. The time does not depend on where they differ. */
export function equalInConstantTime(left: string, right: string): boolean {
	const digest = (text: string) => createHmac('sha256', 'compare').update(text).digest();
	return timingSafeEqual(digest(left), digest(right));
}

/** The same for signatures and hashes, whose length is no secret. */
export function equalSignatures(left: string, right: string): boolean {
	const [one, other] = [Buffer.from(left), Buffer.from(right)];
	return one.length === other.length && timingSafeEqual(one, other);
}
