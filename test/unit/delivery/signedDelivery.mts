/** A delivery as the service signs it, and the result of its check. */
import {
	computeSignature,
	signatureHeader,
	type SignatureScheme,
} from '#nodes/service/signature.ts';
import {
	type DeliveryHeaders,
	type KnownProof,
	type Refusal,
	verifyDelivery,
} from '#nodes/delivery/open.ts';

export const NOW = 1_800_000_000;
export const secret = 's'.repeat(64);
export const key = 'topic:with:colons:3:42';
export const body = Buffer.from('{"message":{"_id":"1"}}');

const proofBy =
	(scheme: SignatureScheme) =>
	(secrets: string[] = [secret]): KnownProof & { kind: 'signature' } => ({
		kind: 'signature',
		secrets,
		scheme,
		tolerance: 300,
	});
export const five = proofBy('fiveField');
export const bodyOnly = proofBy('bodyOnly');

export const signature = (by = secret, at = String(NOW), scheme: SignatureScheme = 'fiveField') =>
	computeSignature(by, scheme, { timestamp: at, idempotencyKey: key, body }) ?? '';
export const headers = (
	signed = signatureHeader(String(NOW), signature()),
	more: DeliveryHeaders = {},
): DeliveryHeaders => ({ 'x-webhook-signature': signed, 'x-idempotency-key': key, ...more });

export const refusal = (
	given: DeliveryHeaders,
	proof: KnownProof = five(),
	rawBody = body,
	now = NOW,
): Refusal | 'accepted' => {
	const verdict = verifyDelivery(given, rawBody, proof, now);
	return verdict.accepted ? 'accepted' : verdict.reason;
};
