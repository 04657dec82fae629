import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { computeSignature, signatureHeader } from '#nodes/service/signature.ts';
import {
	type DeliveryHeaders,
	hashToken,
	type KnownProof,
	type Refusal,
	REFUSALS,
	verifyDelivery,
} from '#nodes/delivery/open.ts';
import {
	body,
	bodyOnly,
	five,
	headers,
	key,
	NOW,
	refusal,
	secret,
	signature,
} from './signedDelivery.mts';

interface Vector {
	scheme: string;
	secret: string;
	headers: Record<string, string>;
	body: string;
}
type Reason = Refusal | 'accepted';

const right = signature();
const signedAt = (at = NOW, by = right) => signatureHeader(String(at), by);
const hex = signature(secret, '', 'bodyOnly');

describe('published vectors', () => {
	const { vectors } = JSON.parse(
		readFileSync(join(import.meta.dirname, '../../fixtures/signatures.json'), 'utf8'),
	) as { vectors: Vector[] };
	const vector = (scheme: string): Vector => {
		const found = vectors.find((candidate) => candidate.scheme.startsWith(scheme));
		if (!found) throw new Error(`No vector of the scheme ${scheme}`);
		return found;
	};

	it('accepts the five-field one at its time, and not once it is old or any byte changed', () => {
		const { headers: given, body: text, secret: by } = vector('five-field');
		const at = 1_789_474_359;
		expect(verifyDelivery(given, Buffer.from(text), five([by]), at)).toEqual({
			accepted: true,
			by: 'signature',
			idempotencyKey: 'webhook.delivery.event:0:539402',
		});
		expect(refusal(given, five([by]), Buffer.from(text), at + 301)).toBe('timestampStale');
		expect(refusal(given, five([by]), Buffer.from(`${text} `), at)).toBe('signatureWrong');
	});

	it('accepts the body-only one, but not if five fields must be signed', () => {
		const { headers: given, body: text, secret: by } = vector('body only');
		const sent = headers(given['x-hub-signature-256']);
		expect(refusal(sent, bodyOnly([by]), Buffer.from(text))).toBe('accepted');
		expect(refusal(sent, five([by]), Buffer.from(text))).toBe('signatureMalformed');
	});

	it('refuses another scheme', () => {
		const { headers: given, body: text, secret: by } = vector('Standard Webhooks');
		const sent = headers(given['webhook-signature']);
		expect(refusal(sent, five([by]), Buffer.from(text))).toBe('signatureMalformed');
	});
});

describe('the five-field scheme', () => {
	it.each<[string, string, Reason]>([
		['a signature in upper case', `t=${NOW}, v1=${right.toUpperCase()}`, 'accepted'],
		['blanks around each part', ` t=${NOW} , v1=${right} `, 'accepted'],
		['parts of other names', `t=${NOW},v1=${right},v0=1,x=2`, 'accepted'],
		['a wrong signature, too', `t=${NOW},v1=${'0'.repeat(64)},v1=${right}`, 'accepted'],
		['as many as may be', `t=${NOW}${`,v1=${right}`.repeat(8)}`, 'accepted'],
		['more than may be', `t=${NOW}${`,v1=${right}`.repeat(9)}`, 'signatureMalformed'],
		['2,048 characters', `t=${NOW},v1=${right},x=`.padEnd(2048, 'a'), 'accepted'],
		['one more', `t=${NOW},v1=${right},x=`.padEnd(2049, 'a'), 'signatureMalformed'],
		['two of them, joined by Node.js', `${signedAt()}, ${signedAt()}`, 'signatureMalformed'],
		['nothing', '', 'signatureMalformed'],
		['no timestamp', `v1=${right}`, 'signatureMalformed'],
		['two timestamps', `t=${NOW},t=${NOW},v1=${right}`, 'signatureMalformed'],
		['a negative timestamp', `t=-1,v1=${right}`, 'signatureMalformed'],
		['a timestamp in another notation', `t=1e9,v1=${right}`, 'signatureMalformed'],
		['no signature', `t=${NOW}`, 'signatureMalformed'],
		['a signature of another name', `t=${NOW},v2=${right}`, 'signatureMalformed'],
		['a signature that is too short', `t=${NOW},v1=${right.slice(2)}`, 'signatureMalformed'],
		['one that is too long at its beginning', `t=${NOW},v1=00${right}`, 'signatureMalformed'],
		['one that is too long at its end', `t=${NOW},v1=${right}00`, 'signatureMalformed'],
		['one that is not hexadecimal', `t=${NOW},v1=${'z'.repeat(64)}`, 'signatureMalformed'],
		['a malformed one beside it', `t=${NOW},v1=${right},v1=00`, 'signatureMalformed'],
		['a part that is none', `t=${NOW},v1=${right},nonsense`, 'signatureMalformed'],
		['an empty part', `t=${NOW},v1=${right},`, 'signatureMalformed'],
		['a part without a name', `t=${NOW},v1=${right},=1`, 'signatureMalformed'],
		['something after a blank', `t=${NOW},v1=${right} x`, 'signatureMalformed'],
		['something after another character', `t=${NOW},v1=${right};x`, 'signatureMalformed'],
		['something before', `;t=${NOW},v1=${right}`, 'signatureMalformed'],
		['the signature by another secret', signedAt(NOW, signature('other')), 'signatureWrong'],
		['another timestamp', signedAt(NOW + 1), 'signatureWrong'],
	])('judges a header with %s', (_what, value, reason) => {
		expect(refusal(headers(value))).toBe(reason);
	});

	it.each<[string, DeliveryHeaders, Reason]>([
		['all headers', headers(), 'accepted'],
		['no headers', {}, 'signatureMissing'],
		['inherited headers', Object.create(headers()) as DeliveryHeaders, 'signatureMissing'],
		['two signatures', { 'x-webhook-signature': ['a', 'b'] }, 'signatureRepeated'],
		['no key', { 'x-webhook-signature': signedAt() }, 'keyMissing'],
		['two keys', headers(signedAt(), { 'x-idempotency-key': [key, key] }), 'keyRepeated'],
		['a key of two parts', headers(signedAt(), { 'x-idempotency-key': 'a:b' }), 'keyMalformed'],
		['another key', headers(signedAt(), { 'x-idempotency-key': 'a:3:43' }), 'signatureWrong'],
	])('judges a delivery with %s', (_name, given, reason) => {
		expect(refusal(given)).toBe(reason);
	});

	it.each<[number, Reason]>([
		[300, 'accepted'],
		[-300, 'accepted'],
		[301, 'timestampStale'],
		[-301, 'timestampStale'],
	])('%i seconds off, a timestamp is judged: %s', (off, reason) => {
		expect(refusal(headers(), five(), body, NOW + off)).toBe(reason);
	});

	it('accepts any of several secrets, while one replaces the other, and nothing without one', () => {
		for (const by of ['old', 'new'])
			expect(refusal(headers(signedAt(NOW, signature(by))), five(['old', 'new']))).toBe('accepted');
		expect(refusal(headers(), five([]))).toBe('nothingKnown');
		expect(refusal(headers(signedAt(NOW, signature(''))), five(['']))).toBe('nothingKnown');
	});

	it('refuses a colon or a line break that moved between the signed fields', () => {
		const parts = { timestamp: String(NOW), idempotencyKey: 'topic:3:42', body: Buffer.from('x') };
		const moved = signedAt(NOW, computeSignature(secret, 'fiveField', parts));
		const given = headers(moved, { 'x-idempotency-key': 'topic:3:4' });
		expect(refusal(given, five(), Buffer.from('2\nx'))).toBe('signatureWrong');
	});
});

describe('the body-only scheme', () => {
	it.each<[string, Reason]>([
		...[hex, `sha256=${hex}`, `v1=${hex}`, `t=${NOW},v1=${hex}`, ` sha256=${hex} `].map(
			(value): [string, Reason] => [value, 'accepted'],
		),
		[`t=${NOW - 301},v1=${hex}`, 'timestampStale'],
		[signedAt(), 'signatureWrong'],
		...[`${hex}00`, `00${hex}`, `sha256=${hex}00`, `${hex} ${hex}`, `sha1=${hex}`].map(
			(value): [string, Reason] => [value, 'signatureMalformed'],
		),
	])('judges the header %s: %s', (value, reason) => {
		expect(refusal({ 'x-webhook-signature': value }, bodyOnly())).toBe(reason);
	});

	it('gives the idempotency key, if there is one, which must be right', () => {
		const bare = { 'x-webhook-signature': hex };
		const accepted = { accepted: true, by: 'signature' };
		expect(verifyDelivery(bare, body, bodyOnly(), NOW)).toStrictEqual(accepted);
		expect(verifyDelivery(headers(hex), body, bodyOnly(), NOW)).toEqual({
			...accepted,
			idempotencyKey: key,
		});
		expect(refusal(headers(hex, { 'x-idempotency-key': 'a:b' }), bodyOnly())).toBe('keyMalformed');
		expect(refusal(headers(hex, { 'x-idempotency-key': [key, key] }), bodyOnly())).toBe(
			'keyRepeated',
		);
	});
});

describe('the token', () => {
	const tokens = ['right'];
	const token: KnownProof = { kind: 'token', tokens };
	const both: KnownProof = { ...five(), tokenHash: hashToken('right') };

	it.each<[string, string | string[] | undefined, Reason]>([
		['the right one', 'Bearer right', 'accepted'],
		['in a list', ['bearer right'], 'accepted'],
		['after several blanks', 'Bearer   right', 'accepted'],
		['none', undefined, 'tokenMissing'],
		['an empty list', [], 'tokenMissing'],
		['two', ['Bearer right', 'Bearer right'], 'tokenRepeated'],
		['an empty header', '', 'tokenMalformed'],
		['another scheme', 'Basic right', 'tokenMalformed'],
		['no scheme', 'right', 'tokenMalformed'],
		['no blank', 'Bearerright', 'tokenMalformed'],
		['the scheme alone', 'Bearer ', 'tokenMalformed'],
		['two in one', 'Bearer right right', 'tokenMalformed'],
		['another one', 'Bearer wrong', 'tokenWrong'],
		['in upper case', 'Bearer RIGHT', 'tokenWrong'],
		['a longer one', 'Bearer rightright', 'tokenWrong'],
		['the signing secret', `Bearer ${secret}`, 'tokenWrong'],
		['its hash', `Bearer ${hashToken('right')}`, 'tokenWrong'],
	])('is judged alone and beside a signature: %s', (_name, authorization, reason) => {
		expect(refusal({ authorization }, token)).toBe(reason);
		expect(refusal(headers(signedAt(), { authorization }), both)).toBe(reason);
		// The signature is checked first.
		const wrong = headers(signedAt(NOW, '0'.repeat(64)), { authorization });
		expect(refusal(wrong, both)).toBe('signatureWrong');
	});

	it.each(['', 'not a hash', 'é'.repeat(64)])(
		'is wrong if its hash is malformed: %j',
		(tokenHash) => {
			const given = headers(signedAt(), { authorization: 'Bearer right' });
			expect(refusal(given, { ...five(), tokenHash })).toBe('tokenWrong');
		},
	);

	it('accepts nothing if no token is known', () => {
		expect(refusal({ authorization: 'Bearer x' }, { kind: 'token', tokens: [''] })).toBe(
			'nothingKnown',
		);
	});

	it.each([key, undefined, [key, key], 'a:b'])('gives the key only if it is right: %j', (given) => {
		const sent = { authorization: 'Bearer right', 'x-idempotency-key': given };
		expect(verifyDelivery(sent, body, token, NOW)).toStrictEqual({
			accepted: true,
			by: 'token',
			...(given === key ? { idempotencyKey: key } : {}),
		});
	});
});

it('gives reasons that quote nothing from the request', () => {
	for (const reason of Object.values(REFUSALS)) expect(reason).not.toMatch(/[0-9a-f]{16}/);
});
