import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import {
	computeSignature,
	signatureHeader,
} from '../../../nodes/BusinessMessaging/service/signature.ts';
import {
	type DeliveryHeaders,
	hashToken,
	type KnownProof,
	type Refusal,
	REFUSALS,
	verifyDelivery,
} from '../../../nodes/BusinessMessaging/delivery/verify.ts';
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

const { vectors } = JSON.parse(
	readFileSync(join(import.meta.dirname, '../../fixtures/signatures.json'), 'utf8'),
) as { vectors: Vector[] };
const vector = (scheme: string): Vector => {
	const found = vectors.find((candidate) => candidate.scheme.startsWith(scheme));
	if (!found) throw new Error(`No vector of the scheme ${scheme}`);
	return found;
};

describe('published vectors', () => {
	it('accepts the five-field one, at its time', () => {
		const { headers: given, body: text, secret: by } = vector('five-field');
		expect(verifyDelivery(given, Buffer.from(text), five([by]), 1_789_474_359)).toEqual({
			accepted: true,
			by: 'signature',
			idempotencyKey: 'webhook.delivery.event:0:539402',
		});
	});

	it('refuses it once it is old, or if any byte changed', () => {
		const { headers: given, body: text, secret: by } = vector('five-field');
		expect(refusal(given, five([by]), Buffer.from(text), 1_789_474_359 + 301)).toBe(
			'timestampStale',
		);
		expect(refusal(given, five([by]), Buffer.from(`${text} `), 1_789_474_359)).toBe(
			'signatureWrong',
		);
	});

	it('accepts the body-only one', () => {
		const { headers: given, body: text, secret: by } = vector('body only');
		expect(
			refusal(
				{ 'x-webhook-signature': given['x-hub-signature-256'] },
				bodyOnly([by]),
				Buffer.from(text),
			),
		).toBe('accepted');
	});

	it('refuses a body-only signature if five fields must be signed', () => {
		const { headers: given, body: text, secret: by } = vector('body only');
		expect(refusal(headers(given['x-hub-signature-256']), five([by]), Buffer.from(text))).toBe(
			'signatureMalformed',
		);
	});

	it('refuses another scheme', () => {
		const { headers: given, body: text, secret: by } = vector('Standard Webhooks');
		expect(
			refusal(
				{ 'x-webhook-signature': given['webhook-signature'], 'x-idempotency-key': key },
				five([by]),
				Buffer.from(text),
			),
		).toBe('signatureMalformed');
	});
});

describe('a signature with a token', () => {
	const token = 'a'.repeat(64);
	const both: KnownProof = {
		kind: 'signature',
		secrets: [secret],
		scheme: 'fiveField',
		tolerance: 300,
		tokenHash: hashToken(token),
	};
	const withToken = (
		authorization: string | string[] | undefined,
		signed = signatureHeader(String(NOW), signature()),
	) => headers(signed, { authorization });

	it('accepts both together', () => {
		expect(refusal(withToken(`Bearer ${token}`), both)).toBe('accepted');
		expect(refusal(withToken([`bearer ${token}`]), both)).toBe('accepted');
	});

	it.each<[Refusal, string | string[] | undefined]>([
		['tokenMissing', undefined],
		['tokenMissing', []],
		['tokenRepeated', [`Bearer ${token}`, `Bearer ${token}`]],
		['tokenMalformed', ''],
		['tokenMalformed', token],
		['tokenMalformed', `Basic ${token}`],
		['tokenMalformed', `Bearer ${token} ${token}`],
		['tokenWrong', `Bearer ${token}a`],
		['tokenWrong', `Bearer ${secret}`],
		['tokenWrong', `Bearer ${hashToken(token)}`],
	])('refuses one without the other: %s', (reason, authorization) => {
		expect(refusal(withToken(authorization), both)).toBe(reason);
	});

	it('refuses the token without a right signature, which it checks first', () => {
		expect(
			refusal(withToken(`Bearer ${token}`, signatureHeader(String(NOW), '0'.repeat(64))), both),
		).toBe('signatureWrong');
		expect(
			refusal(withToken('Bearer wrong', signatureHeader(String(NOW), '0'.repeat(64))), both),
		).toBe('signatureWrong');
	});
});

describe('the five-field scheme', () => {
	it('accepts a right signature in either case, with blanks between the parts', () => {
		expect(refusal(headers())).toBe('accepted');
		expect(refusal(headers(`t=${NOW}, v1=${signature().toUpperCase()}`))).toBe('accepted');
	});

	it('accepts any of several signatures and secrets, while one replaces the other', () => {
		expect(refusal(headers(`t=${NOW},v1=${'0'.repeat(64)},v1=${signature()}`))).toBe('accepted');
		expect(refusal(headers(`t=${NOW},v1=${signature('new')}`), five(['old', 'new']))).toBe(
			'accepted',
		);
		expect(refusal(headers(`t=${NOW},v1=${signature('old')}`), five(['old', 'new']))).toBe(
			'accepted',
		);
	});

	it('accepts a timestamp up to the tolerance on either side', () => {
		for (const [off, verdict] of [
			[300, 'accepted'],
			[-300, 'accepted'],
			[301, 'timestampStale'],
			[-301, 'timestampStale'],
		] as const) {
			expect([off, refusal(headers(), five(), body, NOW + off)]).toEqual([off, verdict]);
		}
	});

	it.each<[string, DeliveryHeaders, Refusal]>([
		['no headers', {}, 'signatureMissing'],
		[
			'two signature headers',
			headers(undefined, { 'x-webhook-signature': ['a', 'b'] }),
			'signatureRepeated',
		],
		[
			'two signature headers joined by Node.js',
			headers(
				`${signatureHeader(String(NOW), signature())}, ${signatureHeader(String(NOW), signature())}`,
			),
			'signatureMalformed',
		],
		['an empty header', headers(''), 'signatureMalformed'],
		['no timestamp', headers(`v1=${signature()}`), 'signatureMalformed'],
		['two timestamps', headers(`t=${NOW},t=${NOW},v1=${signature()}`), 'signatureMalformed'],
		['a negative timestamp', headers(`t=-1,v1=${signature()}`), 'signatureMalformed'],
		['a timestamp in another notation', headers(`t=1e9,v1=${signature()}`), 'signatureMalformed'],
		['no signature', headers(`t=${NOW}`), 'signatureMalformed'],
		[
			'a signature that is too short',
			headers(`t=${NOW},v1=${signature().slice(2)}`),
			'signatureMalformed',
		],
		[
			'a signature that is not hexadecimal',
			headers(`t=${NOW},v1=${'z'.repeat(64)}`),
			'signatureMalformed',
		],
		[
			'more signatures than anyone needs',
			headers(`t=${NOW}${`,v1=${signature()}`.repeat(9)}`),
			'signatureMalformed',
		],
		[
			'a header beyond all measure',
			headers(`t=${NOW},v1=${signature()},x=${'a'.repeat(5000)}`),
			'signatureMalformed',
		],
		['a scheme name of another kind', headers(`t=${NOW},v2=${signature()}`), 'signatureMalformed'],
		['no idempotency key', headers(undefined, { 'x-idempotency-key': undefined }), 'keyMissing'],
		[
			'two idempotency keys',
			headers(undefined, { 'x-idempotency-key': [key, key] }),
			'keyRepeated',
		],
		['a key of two parts', headers(undefined, { 'x-idempotency-key': 'a:b' }), 'keyMalformed'],
		['another key', headers(undefined, { 'x-idempotency-key': 'topic:3:43' }), 'signatureWrong'],
		['another secret', headers(signatureHeader(String(NOW), signature('other'))), 'signatureWrong'],
		['another timestamp', headers(signatureHeader(String(NOW + 1), signature())), 'signatureWrong'],
		['an inherited header', Object.create(headers()) as DeliveryHeaders, 'signatureMissing'],
	])('refuses %s', (_name, given, reason) => {
		expect(refusal(given)).toBe(reason);
	});

	it('refuses a colon or a line break that moved between the signed fields', () => {
		const moved =
			computeSignature(secret, 'fiveField', {
				timestamp: String(NOW),
				idempotencyKey: 'topic:3:42',
				body: Buffer.from('x'),
			}) ?? '';
		expect(
			refusal(
				{
					'x-webhook-signature': signatureHeader(String(NOW), moved),
					'x-idempotency-key': 'topic:3:4',
				},
				five(),
				Buffer.from('2\nx'),
			),
		).toBe('signatureWrong');
	});

	it('refuses everything without a secret', () => {
		expect(refusal(headers(), five([]))).toBe('nothingKnown');
		expect(refusal(headers(signatureHeader(String(NOW), signature(''))), five(['']))).toBe(
			'nothingKnown',
		);
	});
});

describe('the body-only scheme', () => {
	const hex = signature(secret, '', 'bodyOnly');

	it.each([hex, `sha256=${hex}`, `v1=${hex}`, `t=${NOW},v1=${hex}`])(
		'accepts the usual forms of its header: %s',
		(value) => {
			expect(refusal({ 'x-webhook-signature': value }, bodyOnly())).toBe('accepted');
		},
	);

	it('checks a timestamp if there is one', () => {
		expect(refusal({ 'x-webhook-signature': `t=${NOW - 301},v1=${hex}` }, bodyOnly())).toBe(
			'timestampStale',
		);
	});

	it('refuses a five-field signature', () => {
		expect(refusal(headers(), bodyOnly())).toBe('signatureWrong');
	});
});

describe('the token', () => {
	const token: KnownProof = { kind: 'token', tokens: ['right'] };

	it.each<[string, DeliveryHeaders, Refusal | 'accepted']>([
		['the right token', { authorization: 'Bearer right' }, 'accepted'],
		['the scheme in lower case', { authorization: 'bearer right' }, 'accepted'],
		['no header', {}, 'tokenMissing'],
		['two headers', { authorization: ['Bearer right', 'Bearer right'] }, 'tokenRepeated'],
		['another scheme', { authorization: 'Basic right' }, 'tokenMalformed'],
		['no scheme', { authorization: 'right' }, 'tokenMalformed'],
		['no token', { authorization: 'Bearer ' }, 'tokenMalformed'],
		['another token', { authorization: 'Bearer wrong' }, 'tokenWrong'],
		['a longer token', { authorization: 'Bearer rightright' }, 'tokenWrong'],
		['a signature instead', headers(), 'tokenMissing'],
	])('%s', (_name, given, verdict) => {
		expect(refusal(given, token)).toBe(verdict);
	});

	it('accepts nothing if no token is known', () => {
		expect(refusal({ authorization: 'Bearer x' }, { kind: 'token', tokens: [''] })).toBe(
			'nothingKnown',
		);
	});
});

it('gives reasons that quote nothing from the request', () => {
	for (const reason of Object.values(REFUSALS)) expect(reason).not.toMatch(/[0-9a-f]{16}/);
});
