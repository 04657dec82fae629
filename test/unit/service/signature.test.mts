/** The published vectors are in unit/delivery/verify. */
import { equalInConstantTime, splitIdempotencyKey } from '#nodes/service/signature.ts';

test('splits an idempotency key at its last two colons', () => {
	expect(splitIdempotencyKey('a:b:c:0:7')).toEqual(['a:b:c', '0', '7']);
	expect(splitIdempotencyKey('a:12:345')).toEqual(['a', '12', '345']);
	for (const malformed of ['', 'a', 'a:1', ':0:7', 'a::7', 'a:0:', 'a:b:0:'])
		expect(splitIdempotencyKey(malformed)).toBeUndefined();
});

test('compares texts of any length', () => {
	expect(equalInConstantTime('abc', 'abc')).toBe(true);
	expect(equalInConstantTime('abc', 'abd')).toBe(false);
	expect(equalInConstantTime('abc', 'abcd')).toBe(false);
	expect(equalInConstantTime('', '')).toBe(true);
});
