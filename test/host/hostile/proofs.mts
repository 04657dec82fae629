import { createHash } from 'node:crypto';

import { SIGNATURE_HEADER } from '../../../nodes/BusinessMessaging/service/signature.ts';
import {
	delivery,
	EVENT,
	type HostileCase,
	hmac,
	keyOf,
	now,
	sign,
	signed,
	type Target,
	unproven,
	withKey,
	withSignature,
	withToken,
} from './request.mts';

const ANOTHER_BODY = Buffer.from(EVENT.toString().replace('Hostile', 'Changed'));
/** Seconds, more than the tolerance of 300 s. */
const TOO_FAR = 400;

const replay = (
	target: Target,
	changes: { body?: Buffer; key?: string; signature?: string } = {},
): Buffer => {
	const { body, key, signature } = { ...target.genuine, ...changes };
	return delivery(target, {
		body,
		headers: { 'x-idempotency-key': key, [SIGNATURE_HEADER]: signature },
	});
};

const unauthorized = (input: string, bytes: HostileCase['bytes']): HostileCase => ({
	input,
	status: 401,
	bytes,
});
const asV1 = (hex: string): string => `t=${now()},v1=${hex}`;

/** Requests that do not prove that the service sent them, or whose proof has expired. */
export const PROOFS: HostileCase[] = [
	unauthorized('No signature, no token', (target) => unproven(target)),
	unauthorized('A made-up token, no signature', (target) =>
		unproven(target, { headers: { authorization: 'Bearer made-up' } }),
	),
	unauthorized('The right token, no signature', (target) => withSignature(target, null)),
	unauthorized('The signing secret itself as the token', (target) =>
		unproven(target, { headers: { authorization: `Bearer ${target.secret}` } }),
	),
	unauthorized('An empty signature header', (target) => withSignature(target, '')),
	unauthorized('The signature header twice, a right one and a wrong one', (target) =>
		withSignature(target, [signed(target), asV1('0'.repeat(64))]),
	),
	unauthorized('The signature header twice, both right', (target) =>
		withSignature(target, [signed(target), signed(target)]),
	),
	unauthorized('A right signature followed by something else', (target) =>
		withSignature(target, `${signed(target)},;drop`),
	),
	unauthorized('A signature without a timestamp', (target) =>
		withSignature(target, `v1=${sign(target)}`),
	),
	unauthorized('A timestamp without a signature', (target) => withSignature(target, `t=${now()}`)),
	unauthorized('Two timestamps', (target) => withSignature(target, `t=${now()},${signed(target)}`)),
	unauthorized('A timestamp that is no number', (target) =>
		withSignature(target, signed(target, { timestamp: 'now' })),
	),
	unauthorized('A negative timestamp', (target) =>
		withSignature(target, signed(target, { timestamp: '-1' })),
	),
	unauthorized('A timestamp in milliseconds', (target) =>
		withSignature(target, signed(target, { timestamp: String(Date.now()) })),
	),
	unauthorized('A right signature that is too old', (target) =>
		withSignature(target, signed(target, { timestamp: String(now() - TOO_FAR) })),
	),
	unauthorized('A right signature from the future', (target) =>
		withSignature(target, signed(target, { timestamp: String(now() + TOO_FAR) })),
	),
	unauthorized('Another secret', (target) =>
		withSignature(target, signed(target, { secret: '0'.repeat(64) })),
	),
	unauthorized('An empty secret', (target) =>
		withSignature(target, signed(target, { secret: '' })),
	),
	unauthorized('The token as the secret', (target) =>
		withSignature(target, signed(target, { secret: target.token })),
	),
	unauthorized('The secret in upper case', (target) =>
		withSignature(target, signed(target, { secret: target.secret.toUpperCase() })),
	),
	unauthorized('The secret decoded from its hex form', (target) =>
		withSignature(
			target,
			asV1(hmac('sha256', Buffer.from(target.secret, 'hex'), signedText(target)).toString('hex')),
		),
	),
	unauthorized('HMAC-SHA1', (target) =>
		withSignature(target, asV1(hmac('sha1', target.secret, signedText(target)).toString('hex'))),
	),
	unauthorized('HMAC-SHA512', (target) =>
		withSignature(target, asV1(hmac('sha512', target.secret, signedText(target)).toString('hex'))),
	),
	unauthorized('The signature in Base64', (target) =>
		withSignature(target, asV1(Buffer.from(sign(target), 'hex').toString('base64'))),
	),
	unauthorized('The scheme v0', (target) =>
		withSignature(target, signed(target).replace('v1=', 'v0=')),
	),
	unauthorized('A signature of the body alone, bare', (target) =>
		withSignature(target, hmac('sha256', target.secret, EVENT).toString('hex')),
	),
	unauthorized('A signature of the body alone, as sha256=', (target) =>
		withSignature(target, `sha256=${hmac('sha256', target.secret, EVENT).toString('hex')}`),
	),
	unauthorized('A signature of the body alone, as v1', (target) =>
		withSignature(target, asV1(hmac('sha256', target.secret, EVENT).toString('hex'))),
	),
	unauthorized('A signature of timestamp, full stop and body', (target) =>
		withSignature(
			target,
			asV1(hmac('sha256', target.secret, `${now()}.${EVENT.toString()}`).toString('hex')),
		),
	),
	unauthorized('A signature without its last digit', (target) =>
		withSignature(target, signed(target).slice(0, -1)),
	),
	unauthorized('A signature with its last digit changed', (target) =>
		withSignature(
			target,
			signed(target).replace(/.$/, (digit) => (digit === '0' ? '1' : '0')),
		),
	),
	unauthorized('A signature of digits that are not ASCII', (target) =>
		withSignature(target, asV1('\u00b2'.repeat(64))),
	),
	unauthorized('The right signature among a hundred', (target) =>
		withSignature(target, `${signed(target)}${`,v1=${'0'.repeat(64)}`.repeat(99)}`),
	),
	unauthorized('The right signature in another header', (target) =>
		delivery(target, { headers: { [SIGNATURE_HEADER]: null, 'x-signature': signed(target) } }),
	),
	unauthorized('The right signature in the query string', (target) =>
		withSignature(target, null, {
			target: `${target.url.pathname}?${SIGNATURE_HEADER}=${signed(target)}`,
		}),
	),
	unauthorized('A signature of another body', (target) =>
		withSignature(target, signed(target, { body: ANOTHER_BODY })),
	),
	unauthorized('A right signature, with a space added to the body', (target) =>
		withSignature(target, signed(target), { body: Buffer.concat([EVENT, Buffer.from(' ')]) }),
	),
	unauthorized('No idempotency key', (target) => withKey(target, null, signed(target))),
	unauthorized('The idempotency key twice', (target) =>
		withKey(target, [keyOf(target), keyOf(target)], signed(target)),
	),
	unauthorized('An empty idempotency key', (target) => withKey(target, '', signed(target))),
	unauthorized('An idempotency key of one part', (target) =>
		withKey(target, 'hostile', signed(target)),
	),
	unauthorized('An idempotency key with an empty part', (target) =>
		withKey(target, 'hostile::1', signed(target)),
	),
	unauthorized('A right signature, no token', (target) => withToken(target, null)),
	unauthorized('A right signature, a made-up token', (target) =>
		withToken(target, 'Bearer made-up'),
	),
	unauthorized('A right signature, the token of another webhook', (target) =>
		withToken(target, `Bearer ${hmac('sha256', 'another', target.token).toString('hex')}`),
	),
	unauthorized('A right signature, the token twice', (target) =>
		withToken(target, [`Bearer ${target.token}`, `Bearer ${target.token}`]),
	),
	unauthorized('A right signature, the signing secret as the token', (target) =>
		withToken(target, `Bearer ${target.secret}`),
	),
	unauthorized('A right signature, the stored hash of the token as the token', (target) =>
		withToken(target, `Bearer ${createHash('sha256').update(target.token).digest('hex')}`),
	),
	unauthorized('A right signature, the token without its last digit', (target) =>
		withToken(target, `Bearer ${target.token.slice(0, -1)}`),
	),
	unauthorized('A right signature, the token in upper case', (target) =>
		withToken(target, `Bearer ${target.token.toUpperCase()}`),
	),
	unauthorized('A right signature, the token as a password', (target) =>
		withToken(target, `Basic ${Buffer.from(`:${target.token}`).toString('base64')}`),
	),
	unauthorized('A right signature, the token in another header', (target) =>
		delivery(target, { headers: { authorization: null, 'x-api-key': target.token } }),
	),
	unauthorized('A right signature, the token in the query string', (target) =>
		withToken(target, null, {
			target: `${target.url.pathname}?authorization=Bearer%20${target.token}`,
		}),
	),
	unauthorized('A received delivery, with another body', (target) =>
		replay(target, { body: EVENT }),
	),
	unauthorized('A received delivery, with another idempotency key', (target) =>
		replay(target, { key: keyOf(target) }),
	),
	unauthorized('A received delivery, with the parts of its key moved', (target) =>
		replay(target, { key: `x:${target.genuine.key}` }),
	),
	unauthorized('A received delivery, with another timestamp', (target) =>
		replay(target, { signature: target.genuine.signature.replace(/t=\d+/, `t=${now() + 1}`) }),
	),
	{
		input: 'A received delivery, exactly as it was (a redelivery)',
		status: 200,
		bytes: (target) => replay(target),
	},
];

function signedText(target: Target): string {
	return [now(), ...keyOf(target).split(':'), EVENT.toString()].join('\n');
}
