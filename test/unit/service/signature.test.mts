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

test('reproduces the published vector of this service', () => {
	const { secret, headers, body } = vectorOf('five-field');
	const signature = computeSignature(secret, 'fiveField', {
		timestamp: '1789474359',
		idempotencyKey: headers['x-idempotency-key']!,
		body: Buffer.from(body),
	});
	expect(signatureHeader('1789474359', signature!)).toBe(headers['x-webhook-signature']);
});

test('reproduces the published vector of a signature over the body alone', () => {
	const { secret, headers, body } = vectorOf('body only');
	expect(
		`sha256=${computeSignature(secret, 'bodyOnly', { timestamp: '', idempotencyKey: '', body: Buffer.from(body) })}`,
	).toBe(headers['x-hub-signature-256']);
});

test.each([
	['timestamp', { timestamp: '1789474360' }],
	['topic', { idempotencyKey: 'webhook.delivery.events:0:539402' }],
	['partition', { idempotencyKey: 'webhook.delivery.event:1:539402' }],
	['offset', { idempotencyKey: 'webhook.delivery.event:0:539403' }],
	['body', { body: Buffer.from('[]') }],
])('makes another signature for another %s', (_field, change) => {
	const { secret, headers, body } = vectorOf('five-field');
	const parts = {
		timestamp: '1789474359',
		idempotencyKey: headers['x-idempotency-key']!,
		body: Buffer.from(body),
	};
	expect(computeSignature(secret, 'fiveField', { ...parts, ...change })).not.toBe(
		computeSignature(secret, 'fiveField', parts),
	);
});

test('splits an idempotency key at its last two colons', () => {
	expect(splitIdempotencyKey('a:b:c:0:7')).toEqual(['a:b:c', '0', '7']);
	expect(splitIdempotencyKey('a:12:345')).toEqual(['a', '12', '345']);
	for (const malformed of ['', 'a', 'a:1', ':0:7', 'a::7', 'a:0:', 'a:b:0:']) {
		expect(splitIdempotencyKey(malformed)).toBeUndefined();
		expect(
			computeSignature('s', 'fiveField', {
				timestamp: '1',
				idempotencyKey: malformed,
				body: Buffer.from('{}'),
			}),
		).toBeUndefined();
	}
});

test('compares texts of any length', () => {
	expect(equalInConstantTime('abc', 'abc')).toBe(true);
	expect(equalInConstantTime('abc', 'abd')).toBe(false);
	expect(equalInConstantTime('abc', 'abcd')).toBe(false);
	expect(equalInConstantTime('', '')).toBe(true);
});
