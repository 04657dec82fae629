/** What the check reads from the headers, character by character, because anybody can send them. */
import {
	type DeliveryHeaders,
	type KnownProof,
	type Refusal,
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

const right = signature();

describe('the header of a five-field signature', () => {
	it.each([
		['blanks around each part', ` t=${NOW} , v1=${right} `],
		['parts of other names', `t=${NOW},v1=${right},v0=1,x=2`],
		['as many signatures as may be', `t=${NOW}${`,v1=${right}`.repeat(8)}`],
	])('may have %s', (_what, value) => {
		expect(refusal(headers(value))).toBe('accepted');
	});

	it.each([
		['a part that is none', `t=${NOW},v1=${right},nonsense`],
		['an empty part', `t=${NOW},v1=${right},`],
		['a part without a name', `t=${NOW},v1=${right},=1`],
		['something after a part, behind a blank', `t=${NOW},v1=${right} x`],
		['something after a part, behind another character', `t=${NOW},v1=${right};x`],
		['something before a part', `;t=${NOW},v1=${right}`],
		['a signature that is too long at its beginning', `t=${NOW},v1=00${right}`],
		['a signature that is too long at its end', `t=${NOW},v1=${right}00`],
		['a malformed signature beside the right one', `t=${NOW},v1=${right},v1=00`],
	])('is malformed with %s', (_what, value) => {
		expect(refusal(headers(value))).toBe('signatureMalformed');
	});

	it('has up to 2,048 characters', () => {
		const start = `t=${NOW},v1=${right},x=`;
		const long = start + 'a'.repeat(2048 - start.length);
		expect(refusal(headers(long))).toBe('accepted');
		expect(refusal(headers(`${long}a`))).toBe('signatureMalformed');
	});
});

describe('the header of a body-only signature', () => {
	const hex = signature(secret, '', 'bodyOnly');
	const check = (value: string) => refusal({ 'x-webhook-signature': value }, bodyOnly());

	it('can have blanks around it', () => {
		expect(check(` sha256=${hex} `)).toBe('accepted');
	});

	it.each([`${hex}00`, `00${hex}`, `sha256=${hex}00`, `${hex} ${hex}`, `sha1=${hex}`])(
		'is malformed with extra or other characters: %s',
		(value) => {
			expect(check(value)).toBe('signatureMalformed');
		},
	);

	it('comes with the idempotency key, if there is one', () => {
		const given = { 'x-webhook-signature': hex, 'x-idempotency-key': key };
		expect(verifyDelivery(given, body, bodyOnly(), NOW)).toEqual({
			accepted: true,
			by: 'signature',
			idempotencyKey: key,
		});
	});

	it.each<[Refusal, string | string[]]>([
		['keyMalformed', 'a:b'],
		['keyRepeated', [key, key]],
	])('does not make up for a malformed or repeated key: %s', (reason, given) => {
		expect(refusal({ 'x-webhook-signature': hex, 'x-idempotency-key': given }, bodyOnly())).toBe(
			reason,
		);
	});
});

describe('a bearer token', () => {
	const proof: KnownProof = { kind: 'token', tokens: ['right'] };
	const verdict = (more: DeliveryHeaders) =>
		verifyDelivery({ authorization: 'Bearer right', ...more }, body, proof, NOW);

	it('can follow several blanks', () => {
		expect(verdict({ authorization: 'Bearer   right' }).accepted).toBe(true);
		expect(refusal({ authorization: 'Bearerright' }, proof)).toBe('tokenMalformed');
	});

	it('comes with the idempotency key, if that is well-formed', () => {
		expect(verdict({ 'x-idempotency-key': key })).toEqual({
			accepted: true,
			by: 'token',
			idempotencyKey: key,
		});
	});

	it.each([
		['none came', undefined],
		['it came twice', [key, key]],
		['it has another form', 'a:b'],
	])('is enough, and gives no key, if %s', (_why, given) => {
		expect(verdict({ 'x-idempotency-key': given })).toStrictEqual({ accepted: true, by: 'token' });
	});
});

it('a signature without an idempotency key gives none', () => {
	const bare = { 'x-webhook-signature': signature(secret, '', 'bodyOnly') };
	expect(verifyDelivery(bare, body, bodyOnly(), NOW)).toStrictEqual({
		accepted: true,
		by: 'signature',
	});
	expect(refusal(bare, five())).toBe('signatureMalformed');
});
