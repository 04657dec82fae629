import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import {
	computeSignature,
	equalInConstantTime,
	signatureHeader,
	splitIdempotencyKey,
} from '../../../nodes/BusinessMessaging/service/signature.ts';

interface Vector {
	scheme: string;
	secret: string;
	headers: Record<string, string>;
	body: string;
}

const { vectors } = JSON.parse(
	readFileSync(join(import.meta.dirname, '../../fixtures/signatures.json'), 'utf8'),
) as { vectors: Vector[] };
const vectorOf = (start: string) => vectors.find(({ scheme }) => scheme.startsWith(start))!;

const fiveField = vectorOf('five-field');
const PARTS = {
	timestamp: '1789474359',
	idempotencyKey: fiveField.headers['x-idempotency-key']!,
	body: Buffer.from(fiveField.body),
};
const signed = (changes: Partial<typeof PARTS> = {}) =>
	computeSignature(fiveField.secret, 'fiveField', { ...PARTS, ...changes });

test('reproduces the published vectors: of this service, and over the body alone', () => {
	expect(signatureHeader(PARTS.timestamp, signed()!)).toBe(
		fiveField.headers['x-webhook-signature'],
	);
	const { secret, headers, body } = vectorOf('body only');
	const parts = { timestamp: '', idempotencyKey: '', body: Buffer.from(body) };
	expect(`sha256=${computeSignature(secret, 'bodyOnly', parts)}`).toBe(
		headers['x-hub-signature-256'],
	);
});

test.each([
	['timestamp', { timestamp: '1789474360' }],
	['topic', { idempotencyKey: 'webhook.delivery.events:0:539402' }],
	['partition', { idempotencyKey: 'webhook.delivery.event:1:539402' }],
	['offset', { idempotencyKey: 'webhook.delivery.event:0:539403' }],
	['body', { body: Buffer.from('[]') }],
])('makes another signature for another %s', (_field, change) => {
	expect(signed(change)).not.toBe(signed());
});

test('splits an idempotency key at its last two colons', () => {
	expect(splitIdempotencyKey('a:b:c:0:7')).toEqual(['a:b:c', '0', '7']);
	expect(splitIdempotencyKey('a:12:345')).toEqual(['a', '12', '345']);
	for (const malformed of ['', 'a', 'a:1', ':0:7', 'a::7', 'a:0:', 'a:b:0:']) {
		expect(splitIdempotencyKey(malformed)).toBeUndefined();
		expect(signed({ idempotencyKey: malformed })).toBeUndefined();
	}
});

test('compares texts of any length', () => {
	expect(equalInConstantTime('abc', 'abc')).toBe(true);
	expect(equalInConstantTime('abc', 'abd')).toBe(false);
	expect(equalInConstantTime('abc', 'abcd')).toBe(false);
	expect(equalInConstantTime('', '')).toBe(true);
});
