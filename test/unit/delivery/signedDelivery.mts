/** A delivery as the service signs it, and the result of its check. */
import {
	computeSignature,
	signatureHeader,
} from '../../../nodes/BusinessMessaging/service/signature.ts';
import {
	type DeliveryHeaders,
	type KnownProof,
	type Refusal,
	verifyDelivery,
} from '../../../nodes/BusinessMessaging/delivery/verify.ts';

export const NOW = 1_800_000_000;
export const secret = 's'.repeat(64);
export const key = 'topic:with:colons:3:42';
export const body = Buffer.from('{"message":{"_id":"1"}}');
export const five = (secrets: string[] = [secret]): KnownProof => ({
	kind: 'signature',
	secrets,
	scheme: 'fiveField',
	tolerance: 300,
});
export const bodyOnly = (secrets: string[] = [secret]): KnownProof => ({
	kind: 'signature',
	secrets,
	scheme: 'bodyOnly',
	tolerance: 300,
});

export function signature(
	by = secret,
	at = String(NOW),
	scheme: 'fiveField' | 'bodyOnly' = 'fiveField',
): string {
	return computeSignature(by, scheme, { timestamp: at, idempotencyKey: key, body }) ?? '';
}
export const headers = (
	signed = signatureHeader(String(NOW), signature()),
	more: DeliveryHeaders = {},
): DeliveryHeaders => ({
	'x-webhook-signature': signed,
	'x-idempotency-key': key,
	...more,
});
export const refusal = (
	given: DeliveryHeaders,
	proof: KnownProof = five(),
	rawBody = body,
	now = NOW,
): Refusal | 'accepted' => {
	const verdict = verifyDelivery(given, rawBody, proof, now);
	return verdict.accepted ? 'accepted' : verdict.reason;
};
