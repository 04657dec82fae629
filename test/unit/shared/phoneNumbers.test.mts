/** Numbers as people, contact lists and the chat application write them. All are made up. */
import fc from 'fast-check';

import { identifierOf } from '#nodes/service/recipient.ts';
import { keyOf, keyOfEntered } from '#nodes/shared/texts/phoneNumbers.ts';

/** Each row is one number in different spellings, as they stand in a field. */
const ONE_NUMBER: Array<[of: string, ...written: string[]]> = [
	[
		'Brazil, mobile',
		'5511987650000',
		'551187650000',
		'+55 11 98765-0000',
		'+55 (11) 8765-0000',
		'(+55) 11 98765 0000',
		'0055 11 98765-0000',
		' 55 11 98765–0000 ',
		'55 11 98765‑0000',
		'+55\u00A011\u00A098765\u20110000',
		'\u202A+55 11 98765-0000\u202C',
		'55 11/98765.0000',
		'\u202A5511987650000\u202C',
		'٥٥١١٩٨٧٦٥٠٠٠٠',
		'gateway:+55 11 8765-0000',
		'551187650000@chat.example',
	],
	['Brazil, mobile whose eight digits begin with 6', '5521960000001', '552160000001'],
	['Brazil, mobile whose eight digits begin with 9', '5585999990000', '558599990000'],
	['Brazil, landline', '551133330000', '+55 (11) 3333-0000', '0055 11 3333 0000'],
	['Mexico', '525512340000', '5215512340000', '+52 1 55 1234 0000', '+52 (55) 1234-0000'],
	[
		'Argentina, Buenos Aires',
		'541112340000',
		'5491112340000',
		'+54 9 11 1234-0000',
		'+54 11 15-1234-0000',
	],
	['Argentina, an area of three digits', '5493511234000', '543511234000', '+54 351 15 123-4000'],
	['Argentina, an area of four digits', '5492901123400', '542901123400', '+54 2901 15 12-3400'],
	['another country', '351912340000', '+351 912 340 000', '00351 912-340-000'],
	['an identifier that is no number', 'ana@shop.example', '  ana@shop.example '],
];

/** Never the same number. */
const NOT_ONE: Array<[why: string, one: string, other: string]> = [
	['Brazil: a landline with a 9 is not that landline', '551133330000', '5511933330000'],
	['Brazil: the eight digits begin with 5', '551150000000', '5511950000000'],
	['Brazil: another number', '5511987650000', '5511987650001'],
	['Brazil: no area has a 0', '5510987650000', '551087650000'],
	['Brazil: a digit too many', '5511987650000', '55119987650000'],
	['Brazil: the 9 stands before the area', '5511987650000', '5591187650000'],
	['more digits than a phone number has: an id', '0012345678901234567', '12345678901234567'],
	['an id, and one with a sign in it', '1234567890123456', '12345678-90123456'],
	['a name with and without its sign', '@store', 'store'],
	['Mexico: another number', '5215512340000', '525512340001'],
	['Mexico: a 1 too many', '525512340000', '52115512340000'],
	['Argentina: another number', '5491112340000', '541112340001'],
	['Argentina: a 15 at the end is part of the number', '541112340015', '5411123400'],
	['Argentina: a 15 that no area stands before', '54151112340000', '541112340000'],
	['the United States: a 1 that means the country', '15512340000', '5512340000'],
	['with the country, and without', '5511987650000', '11987650000'],
	['a number and the ID of a group', '5511987650000', '-5511987650000'],
];

/** Different people on a channel of names or IDs, also if a field holds the first of a row. */
const OF_THE_SERVICE: Array<[identifier: string, others: string[]]> = [
	['12345678', ['1234-5678', '1234.5678', '0012345678', '1234/5678', ' 12345678', '12345678 ']],
	['5511987650000', ['55-11-98765-0000', '005511987650000', '55 11 98765 0000', '++5511987650000']],
	['ana.b', ['anab', 'ana-b', 'ana b', '@ana.b', 'Ana.b', ' ana.b']],
];

test.each(ONE_NUMBER)('%s: every spelling is one number', (_of, ...written) => {
	expect(new Set(written.map(keyOfEntered)).size).toBe(1);
});

test.each(NOT_ONE)('%s', (_why, one, other) => {
	expect(keyOfEntered(one)).not.toBe(keyOfEntered(other));
	expect(keyOf(one)).not.toBe(keyOf(other));
});

test.each(OF_THE_SERVICE)('the service has %j beside %j: different people', (one, others) => {
	const keys = [one, ...others].map(keyOf);
	expect(new Set(keys).size).toBe(keys.length);
	for (const other of others) expect(keyOf(other)).toBe(other);
});

test('a plus of the service is no difference', () => {
	expect(keyOf('+5511987650000')).toBe(keyOf('551187650000'));
	expect(keyOf('+1234567')).toBe('+1234567');
	expect(keyOf('+1234567890123456')).toBe('+1234567890123456');
});

test('an address of a number is that number, also if the service gives it', () => {
	expect(keyOf('551187650000@chat.example')).toBe('5511987650000');
	expect(keyOf('5215512340000@chat.example')).toBe('525512340000');
	expect(keyOf('551187650000@C.us')).toBe('5511987650000');
	const others = ['1234567890@chat.example', '5511987650000@lid', '55119-87650000@c.example'];
	// Anybody can have one there.
	for (const other of [...others, '551187650000@mail.example', '551187650000@s.chat.example'])
		expect(keyOf(other)).toBe(other);
});

/** Identifiers near the border between numbers and anything else. */
const identifier = fc.oneof(
	fc.stringMatching(/^[+]?(55|52|54|49|0|00)?[0-9]{6,14}$/),
	fc.stringMatching(/^[0-9+ ().-]{1,18}$/),
	fc.string(),
);

test('identifiers of the service are compared as they are, except by the rules of three countries', () => {
	fc.assert(
		fc.property(identifier, identifier, (one, other) => {
			if (keyOf(one) !== keyOf(other)) return;
			const [left, right] = [one, other].map((text) => text.replace(/^\+(?=\d{8,15}$)/, ''));
			if (left === right) return;
			expect(left).toMatch(/^5[245]\d{8,12}$/);
			expect(right?.slice(0, 2)).toBe(left?.slice(0, 2));
			expect(right?.slice(-8)).toBe(left?.slice(-8));
		}),
	);
});

test('a key is its own key, and what leaves leaves as the same again', () => {
	fc.assert(
		fc.property(identifier, (text) => {
			expect(keyOf(keyOf(text))).toBe(keyOf(text));
			const leaves = identifierOf(text);
			expect(identifierOf(leaves)).toBe(leaves);
			expect(keyOfEntered(text)).toBe(keyOf(leaves));
		}),
	);
});

test('nothing that is not written as a number is changed, and no digit is', () => {
	fc.assert(
		fc.property(identifier, (text) => {
			const leaves = identifierOf(text);
			const entered = text.trim();
			if (leaves === entered) return;
			expect(leaves).toMatch(/^\d{8,15}$/);
			expect(entered).toMatch(/[+\s()\p{Cf}]/u);
			expect(entered.replace(/\D/g, '').endsWith(leaves) || entered.includes('(0)')).toBe(true);
		}),
	);
});
