/** Recipients as people have them. All numbers are made up. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import type { IDataObject } from 'n8n-workflow';

import { fingerprintOf } from '#nodes/resources/message/batch/onceKey.ts';
import { lookAt, problemIn, readRecipient } from '#nodes/service/recipient.ts';
import { checkout } from '#scripts/checkout.mts';
import { FakeService, jobsTo, sendAll, settingsFor } from '../sending/fakeService.mts';
import { VirtualClock } from '../../support/clocks.mts';
import { run, type Sent, type Setting } from './actionNode.mts';
import { CHANNEL } from '../../support/constants.mts';
import { workOf } from '../../support/timing.mts';

const AS_IT_IS = Symbol('as it is');
/** Why nothing leaves. */
const LOST = /has lost digits\. Format the column of the spreadsheet as text\.$/;
const ADDED = /has decimals, which a spreadsheet added\. Format/;
const ROUNDED = /ends in six zeros, so it may be rounded\. Format/;
const LOCAL = /begins with an area code in parentheses\. Begin it with \+ and the country code\.$/;
const SEVERAL =
	/has more than one phone number, or words behind it\. Enter one number alone, and use/;
const TRUNK = /has a \(0\), but no \+ in front\. Begin it with \+/;
const ZERO = (trunk: string, without?: string, behind = 'country') =>
	new RegExp(
		`has an? ${trunk} behind its ${behind} code\\. It is for calls within the country alone\\. ${without === undefined ? 'Leave it out' : `Without it: \\+${without}`}\\.$`,
	);
const NUMBER = '5500000000101';

/** What the field gives, and what leaves. */
const TABLE: Array<
	[what: string, given: string | number, leaves: string | typeof AS_IT_IS | RegExp]
> = [
	// As the chat application has it.
	['digits', '5500000000101', NUMBER],
	['a JavaScript number', 5500000000101, NUMBER],
	['blanks around it', '  5500000000101 ', NUMBER],
	// The ways to write it.
	['a plus', '+5500000000101', NUMBER],
	['an area in parentheses', '+55 (00) 0000-00101', NUMBER],
	['a country in parentheses', '(+55) 00 0000-00101', NUMBER],
	['a country in parentheses, without a plus', '(55)(00)000000101', NUMBER],
	['dashes alone', '55-00-00000-0101', AS_IT_IS],
	['dashes, dots and slashes behind a plus', '+55-00/0000.00101', NUMBER],
	['00 before digits alone', '005500000000101', AS_IT_IS],
	['00 and groups', '00 55 (00) 0000-00101', NUMBER],
	// Copied from a page, a contact or a document.
	['no-break spaces', '+55\u00A000\u00A0000000101', NUMBER],
	['hyphens that do not break', '+55\u201100\u2011000000101', NUMBER],
	['a typographic minus within', '55 00\u2212000000101', NUMBER],
	['a soft hyphen', '+55\u00AD00000000101', NUMBER],
	['marks around digits alone', '\u202A5500000000101\u202C', NUMBER],
	// Longest and shortest.
	['8 digits', '+290 22 222', '29022222'],
	['15 digits', '+123 456 789 012 345', '123456789012345'],
	['an area with a 0 in parentheses', '(011) 98765-00000', '0119876500000'],
	// But a (0) behind the country code.
	['(0) behind the country code', '+49 (0)151 23456789', '4915123456789'],
	['(0) behind 00 and the country code', '0049 (0) 151 23456789', '4915123456789'],
	['(0) in Italy, where it belongs to the number', '+39 (0)6 12345678', '390612345678'],
	['(0) elsewhere', '+49 151 (0) 2345678', '4915102345678'],
	['(0) without a plus', '49 (0)151 23456789', TRUNK],
	// A 0 for calls within the country, right behind its code.
	['a 0 behind the country code', '+44 0161 496 0000', ZERO('0', '441614960000')],
	['a 0 in the parentheses of the area', '+41 (044) 668 18 00', ZERO('0', '41446681800')],
	['a 0 without a blank', '+5501199990000', ZERO('0', '551199990000')],
	['a 0 behind 00 and the country code', '0044 0161 496 0000', ZERO('0', '441614960000')],
	['a 0 behind a country code of three digits', '+351 0912 340 000', ZERO('0', '351912340000')],
	['a second 0, behind (0)', '+49 (0) 0151 23456789', ZERO('0', '4915123456789')],
	['the 06 of Hungary', '+36 06 30 123 4567', ZERO('06', '36301234567')],
	['a 0 where no + says that a country code is there', '44 0161 496 0000', '4401614960000'],
	['a 0 in Italy', '+39 06 1234 5678', '390612345678'],
	['a 0 in San Marino', '+378 0549 123456', '3780549123456'],
	['a 0 in the Vatican', '+379 06 698 12345', '3790669812345'],
	['(0) in Ivory Coast', '+225 (0)7 00 00 00 01', '2250700000001'],
	['a 0 in Benin', '+229 01 90 00 00 01', '2290190000001'],
	// Other prefixes, and those with the code of a carrier.
	['an 8 in Russia', '+7 8 912 345-67-89', ZERO('8', '79123456789')],
	['an 8 in parentheses', '+7 (8) 912 345-67-89', ZERO('8', '79123456789')],
	['an 80 in Belarus', '+375 8 029 491 19 11', ZERO('80', '375294911911')],
	['an 8 in Turkmenistan', '+993 8 66 123456', ZERO('8', '99366123456')],
	['an 8 in Lithuania', '+370 8 612 34567', ZERO('8', '37061234567')],
	['a 1 in the Marshall Islands', '+692 1 235 1234', ZERO('1', '6922351234')],
	['a 1 in North America', '+1 1 201 555-0123', ZERO('1', '12015550123')],
	['a former 044 in Mexico', '+52 044 55 1234 5678', ZERO('044', '525512345678')],
	['a former 045 in Mexico', '0052 045 55 1234 5678', ZERO('045', '525512345678')],
	['a former 01 in Mexico', '+52 01 55 1234 5678', ZERO('01', '525512345678')],
	['a 1 in Mexico, which the chat application has', '+52 1 55 1234 5678', '5215512345678'],
	['a carrier in Colombia', '+57 03 310 123 4567', ZERO('03', '573101234567')],
	['a carrier in Brazil', '+55 0 15 11 98765-4321', ZERO('015', '5511987654321')],
	['a carrier without a blank', '+55 021 11 98765-4321', ZERO('021', '5511987654321')],
	['a carrier behind (0)', '+55 (0) 15 11 98765-4321', ZERO('015', '5511987654321')],
	['a 15 in Argentina', '+54 9 11 15 1234-5678', ZERO('15', '5491112345678', 'area')],
	['a 0 and a 15 in Argentina', '+54 0 11 15 1234-5678', ZERO('0', '5491112345678')],
	['a 15 without the 9', '+54 11 15-1234-5678', '54111512345678'],
	['a 0, and no number without it', '+44 00161 496 0000', ZERO('0')],
	// They belong to the number.
	['a 0 in New Caledonia', '+687 050 123 456', '687050123456'],
	['a 06 in Rwanda', '+250 06 123456', '25006123456'],
	['(0) there', '+250 (0)6 123456', '25006123456'],
	['but no other 0 there', '+250 0 788 123 456', ZERO('0', '250788123456')],
	['a mistyped number in Italy', '+39 06 1234 5678901', '390612345678901'],
	// Digits of other scripts.
	['Persian', '+۹۸ ۹۱۲ ۳۴۵ ۶۷۸۹', '989123456789'],
	['Devanagari', '+९१ ९८७६५ ४३२१०', '919876543210'],
	['Bengali', '(+৮৮০) ১৭১২-৩৪৫৬৭৮', '8801712345678'],
	['full-width', '＋８１ ９０ １２３４ ５６７８', '819012345678'],
	['full-width signs', '＋８１（０）９０－１２３４－５６７８', '819012345678'],
	['digits alone of another script', '٥٥٠٠٠٠٠٠', '55000000'],
	['a name with a digit of another script', '@دکان۱', AS_IT_IS],
	['dashes alone of another script', '٥٥-٠٠-٠٠٠٠-٠١', AS_IT_IS],
	// The forms of other gateways.
	['a word, a blank and a plus', 'Celular: +55 11 99999-0000', '5511999990000'],
	['a word and digits', 'chat:5511999990000', AS_IT_IS],
	['a text message', 'sms:+5511999990000?body=Hi', '5511999990000'],
	['an address of digits with a former 1', '5215512345678@chat.example', '5215512345678'],
	['an address at any host', '5511999990000@shop.example', AS_IT_IS],
	['an address without a dot', '5511999990000@lid', AS_IT_IS],
	['a group', '120363012345678901@g.example', AS_IT_IS],
	['behind other values', 'chat://send?text=Hi&phone=%2B55%2011999990000', '5511999990000'],
	['a phone that is more', 'https://chat.example/send?phone=5511999990000x', AS_IT_IS],
	['a list', '+5511999990000, +5511988880000', SEVERAL],
	['a list with 00', '0055 11 99999-0000; 0055 11 98888-0000', SEVERAL],
	['lines', '+55 11 99999-0000\n+55 11 98888-0000', SEVERAL],
	['a long list', Array(20).fill('+5511999990000').join(), SEVERAL],
	['a name behind it', '+55 11 99999-0000 (Ana)', SEVERAL],
	['an address with a plus', '+5511999990000@chat.example', SEVERAL],
	['an opaque ID that begins with 00', '0012345678CD7DCBBBFAA8382F5514A5', AS_IT_IS],
	['one with dashes', '00123456-7890-4abc-9def-001122334455', AS_IT_IS],
	// Links, and what an Asian keyboard writes.
	['a call', 'tel:+55-11-99999-0000', '5511999990000'],
	['a call of digits alone', 'TEL: 5511999990000', '5511999990000'],
	['a link', 'https://chat.example/5511999990000', '5511999990000'],
	[
		'a link with a plus, a slash and a query',
		'http://chat.example/+5511999990000/?text=Hi',
		'5511999990000',
	],
	['a link without its scheme', 'chat.example/5511999990000', '5511999990000'],
	['a full-width plus', '＋55 11 99999-0000', '5511999990000'],
	['a link with a 0 behind the country code', 'tel:+44-0161-496-0000', ZERO('0', '441614960000')],
	['a link that a spreadsheet damaged', 'tel:5511999990000.0', ADDED],
	['a shorter word, and its dot', 'Tel.: +55 11 99999-0000', '5511999990000'],
	['two words', 'Telefone celular: +55 11 99999-0000', '5511999990000'],
	['angles', '<+55 11 99999-0000>', '5511999990000'],
	['a call in angles', '<tel:+55-11-99999-0000>', '5511999990000'],
	['a 0 before the country code', '+055 11 99999-0000', '5511999990000'],
	['a 0 before no number', '+055 00 0000-00101', AS_IT_IS],
	['thousands', '5,511,987,654,321', '5511987654321'],
	['thousands and a plus', "+5'511'987'654'321", '5511987654321'],
	['thousands of no number', '5,500,000,000,101', AS_IT_IS],
	['a list of short IDs', '551,198,765', AS_IT_IS],
	['letters for a carrier', '(0xx11) 98765-4321', AS_IT_IS],
	['two lines', '55 11 3333-4444/5555', AS_IT_IS],
	['two lines without a country', '(11) 3333-4444/5555', AS_IT_IS],
	['a slash behind much of a number', '+55 00 000000/101', '5500000000101'],
	['two lines and a plus', '+1 201 555-0123/24', SEVERAL],
	// Nobody knows the country.
	['an area in parentheses, without a country', '(11) 98765-0000', LOCAL],
	['an area in parentheses, and more digits', '(55) 00 0000-00101', NUMBER],
	// What a spreadsheet damaged.
	['a decimal point, as text of a spreadsheet', '5500000000101.0', ADDED],
	['a decimal comma', '5500000000101,00', ADDED],
	['the rounded number of a spreadsheet', '5,5E+12', LOST],
	['a JavaScript number of 22 digits', 5.5e21, LOST],
	['a JavaScript number that was rounded', 5500000000000, ROUNDED],
	['the same as text', '5500000000000', '5500000000000'],
	['a JavaScript number of ten digits', 5500000000, '5500000000'],
	['the same without a sign', '5.5e12', LOST],
	// Shorter ones are names that the service gave.
	['nine digits and a decimal', '550000000.0', AS_IT_IS],
	['a small fraction', '5.5E-12', AS_IT_IS],
	['an ID that looks like a rounded number', '12E5', AS_IT_IS],
	['a name that looks like a price', '99.00', AS_IT_IS],
	// Everything else is none of our business.
	['7 digits', '123-4567', AS_IT_IS],
	['16 digits', '+1234 5678 9012 3456', AS_IT_IS],
	['two numbers', '+55 00 0000-00101 / +55 00 0000-00102', SEVERAL],
	['a minus before it', '-5500000000101', AS_IT_IS],
	['a JavaScript number with a fraction', 5500000000.5, AS_IT_IS],
	['two pluses', '++55 00 0000-00101', AS_IT_IS],
	["the apostrophe of a spreadsheet's text", "'5500000000101", AS_IT_IS],
	['the formula of a spreadsheet', '="5500000000101"', AS_IT_IS],
	['a link to something else', 'https://chat.example/send/5500000000101', AS_IT_IS],
	['a call with more behind it', 'tel:+5500000000101;ext=7', SEVERAL],
	['two full-width pluses', '＋＋5500000000101', AS_IT_IS],
	['an address', 'ana.example@shop.example', AS_IT_IS],
	['an opaque ID', '01A0A4FBC8CD7DCBBBFAA8382F5514A5', AS_IT_IS],
];

const send = async (recipient: unknown, more: IDataObject = {}, setting: Setting = {}) =>
	await run(
		{
			...{ resource: 'message', operation: 'sendText', channelId: CHANNEL, text: 'Hi' },
			...more,
			recipient,
		},
		setting,
	);
/** Without what Send Template reads first. */
const messagesIn = (sent: readonly Sent[]) => sent.filter(({ method }) => method === 'POST');
const identifiersOf = (sent: readonly Sent[]) =>
	messagesIn(sent).map(
		({ body }) => (body as { recipient: { identifier: string } }).recipient.identifier,
	);

test.each(TABLE)('%s: %j', async (_what, given, leaves) => {
	const written = String(given).trim();
	if (leaves instanceof RegExp) {
		const { sent, items } = await send(given, {}, { continues: true });
		expect(sent).toEqual([]);
		expect(items[0]?.json).toMatchObject({
			recipient: written,
			error: expect.stringMatching(leaves) as string,
			details: { reason: 'invalid_input' },
		});
		return;
	}
	const { sent, items } = await send(given);
	expect(identifiersOf(sent)).toEqual([leaves === AS_IT_IS ? written : leaves]);
	expect(items.map(({ json }) => json.recipient)).toEqual([written]);
	const sentTo = leaves === AS_IT_IS || leaves === written ? undefined : leaves;
	expect(items.map(({ json }) => json.sentTo)).toEqual([sentTo]);
});

test.each([
	...[5_511_987_654_321, 5_500_000_000_101].flatMap((number) =>
		['en', 'de-CH', 'es', 'fr', 'ar-EG', 'fa', 'hi', 'mr', 'my', 'bn', 'ff-Adlm', 'ccp'].map(
			(locale) => new Intl.NumberFormat(locale).format(number),
		),
	),
	...['߅،߅߁߁،߉߈߇،߆߅߄،߃߂߁', '(0xx11) 98765-4321', '+55 (0xx11) 98765-4321', '+055 00 0000-00101'],
	...['55 11 3333-4444/5555', '(11) 3333-4444/5555', '++55 00 0000-00101', '<5511987654321>'],
])('is read, or said to be unclear: %s', (written) => {
	const { identifier, isUnclear = false } = readRecipient(written);
	expect([identifier, isUnclear]).toEqual(
		isUnclear ? [written, true] : [expect.stringMatching(/^\d{13}$/), false],
	);
});

test('each digit of Unicode, and of each numbering system, is what it is worth', () => {
	const all = Array.from({ length: 0x20_000 }, (_, code) => String.fromCodePoint(code));
	const digits = all.filter((sign) => /\p{Nd}/u.test(sign));
	// Sorted by their codes, the tens of all scripts follow each other.
	const worth = digits.map((_, index) => String(index % 10));
	const systems = Intl.supportedValuesOf('numberingSystem').map((numberingSystem) =>
		Array.from({ length: 10 }, (_, value) =>
			new Intl.NumberFormat('en', { numberingSystem }).format(value),
		),
	);
	// Chinese digits are none to Unicode.
	for (const ten of systems.filter((signs) => signs[0] !== '〇'))
		expect(ten.map((sign) => worth[digits.indexOf(sign)])).toEqual([...'0123456789']);
	const read = (digit: string) => readRecipient(`+351 912 34 ${digit} 000`).identifier.charAt(8);
	expect(digits.map(read)).toEqual(worth);
});

const CELLS = readFileSync(join(checkout, 'docs/decisions/phone-numbers.md'), 'utf8').matchAll(
	/^\| `(.+)` \| (text|number) \| (?:`(.+)`|nothing) \|/gm,
);

test.each([...CELLS].map(([, ...cell]) => cell))(
	'the documents say what leaves for a cell: %s as %s',
	(cell = '', type, leaves) => {
		const { identifier, problem } = readRecipient(type === 'number' ? Number(cell) : cell);
		expect(problem === undefined ? identifier : undefined).toBe(leaves);
	},
);

test.each<[operation: string, fields: IDataObject]>([
	['sendText', { text: 'Hi' }],
	['sendMedia', { mediaType: 'image', mediaUrl: 'https://example.com/a.png' }],
	['sendButtons', { text: 'Well?', replyButtons: { values: [{ title: 'Yes' }] } }],
	['sendContact', { contactName: 'Bo', contactPhones: ['+55 00 000000102'] }],
	['sendTemplate', { template: { __rl: true, mode: 'name', value: 'hi' }, languageCode: 'en_US' }],
	['sendOther', { content: '{"type": "TEXT", "body": {"message": "Hi"}}' }],
])('%s sends to the digits', async (operation, fields) => {
	const { sent } = await send('+55 (00) 0000-00101', { operation, ...fields });
	expect(identifiersOf(sent)).toEqual([NUMBER]);
});

/** What an expression can give in place of a person, and what it is. */
const NOBODY: Array<[given: unknown, what: string]> = [
	[{ phone: NUMBER }, 'is an object'],
	[[NUMBER], 'is a list'],
	[true, 'is true'],
	[false, 'is false'],
	[Number.NaN, 'is NaN, which is no number'],
	[Number.POSITIVE_INFINITY, 'is Infinity, which is no number'],
];
const MAP_ONE = 'Map the one field that has a phone number, name or ID.';

test.each(NOBODY)('%j is called what it is, and nothing leaves', async (given, what) => {
	const ask = { operation: 'sendAndWait', message: 'Well?' };
	const share = { operation: 'sendContact', contactName: 'Bo', contactPhones: () => [given] };
	const fields: Array<[unknown, object, string]> = [
		[() => given, {}, '"Recipient"'],
		[() => given, ask, '"Recipient"'],
		[NUMBER, { ...ask, approvers: () => [NUMBER, given] }, 'Value 2 of "Also Ask"'],
	];
	for (const [to, more, place] of fields) {
		const { sent, items } = await send(to, more as IDataObject, { continues: true });
		expect(sent).toEqual([]);
		expect(items[0]?.json.error).toBe(`${place} ${what}. ${MAP_ONE}`);
	}
	const { sent, items } = await send(NUMBER, share, { continues: true });
	expect(sent).toEqual([]);
	expect(items[0]?.json.error).toContain(`${what}. ${MAP_ONE}`);
});

test.each(NOBODY)('Normalize Recipient says of %j what it is', async (given, what) => {
	const { items } = await send(() => given, { operation: 'normalizeRecipient' });
	const recipient = { identifier: '', key: '', problem: `It ${what}. ${MAP_ONE}` };
	expect(items.map(({ json }) => json)).toEqual([{ recipient }]);
});

describe('the phone of a button', () => {
	const call = async (phone: unknown, setting: Setting = {}) =>
		await send(
			NUMBER,
			{
				...{ operation: 'sendButtons', buttonType: 'action', text: 'Well?' },
				actionButtons: { values: [{ action: 'call', title: 'Call', phone }] } as IDataObject,
			},
			setting,
		);

	it.each([
		['+55 (11) 99999-0000', '5511999990000'],
		['tel:+351912340000', '351912340000'],
		[551188, '551188'],
	])('is read as a recipient is: %s', async (phone, leaves) => {
		const { sent } = await call(phone);
		expect(sent[0]?.body).toMatchObject({ content: { attachments: [{ phones: [leaves] }] } });
	});

	it.each<[unknown, string]>([
		['5.5E+12', 'has lost digits. Format'],
		[5500000000000, 'ends in six zeros'],
		['', 'is empty.'],
		[{}, 'is an object.'],
	])('is refused unsent: %j', async (phone, error) => {
		const { sent, items } = await call(phone, { continues: true });
		expect(sent).toEqual([]);
		expect(items[0]?.json.error).toContain(`"Phone" of button 1 ${error}`);
	});
});

describe('the phones of a contact', () => {
	const share = async (contactPhones: unknown, setting: Setting = {}) =>
		await send(
			NUMBER,
			{ operation: 'sendContact', contactName: 'Bo', contactPhones } as IDataObject,
			setting,
		);

	it('are read as recipients are, also several in lines', async () => {
		const { sent } = await share([
			'+55 (11) 99999-0000',
			'5511988880000\r\n\n tel:+351912340000 ',
			551188,
		]);
		const phones = ['5511999990000', '5511988880000', '351912340000', '551188'];
		expect(sent[0]?.body).toMatchObject({ content: { attachments: [{ name: 'Bo', phones }] } });
	});

	it.each([
		['5.5E+12', /Phone 2 of the contact has lost digits\. Format/],
		['+44 0161 496 0000', /Phone 2 of the contact has a 0 behind its country code\./],
		[5500000000000, /Phone 2 of the contact ends in six zeros/],
	])('are refused unsent if damaged: %s', async (phone, error) => {
		const { sent, items } = await share(['5511999990000', phone], { continues: true });
		expect(sent).toEqual([]);
		expect(items[0]?.json.error).toMatch(error);
	});
});

describe('one number, written in two ways,', () => {
	const WAYS = [NUMBER, '+55 (00) 0000-00101'];

	it('keeps the order of its messages', async () => {
		const clock = new VirtualClock();
		const service = new FakeService(clock, () => 500);
		await sendAll(jobsTo(WAYS), settingsFor(service, clock));
		const [first, second] = service.arrivals;
		expect((second?.at ?? 0) - (first?.at ?? 0)).toBeGreaterThanOrEqual(500);
	});

	it('is known to the record of what was sent', async () => {
		const clock = new VirtualClock();
		const service = new FakeService(clock);
		const settings = settingsFor(service, clock);
		for (const way of WAYS) {
			const outcomes = await sendAll(jobsTo([way]), settings);
			expect(outcomes.get(0)).toMatchObject({ recipient: way });
		}
		expect(service.arrivals).toHaveLength(1);
	});

	it('has one Send Once Key', () => {
		const content = { type: 'TEXT', body: { message: 'Hi' } };
		const [one, other] = WAYS.map((way) => fingerprintOf(CHANNEL, way, content));
		expect(one).toBe(other);
		const [ones, others] = WAYS.map((way) => fingerprintOf(CHANNEL, [way, '@store'], content));
		expect(ones).toBe(others);
		expect(ones).not.toBe(one);
	});
});

test('a reading ends soon, whatever is entered', () => {
	for (const part of [
		' ',
		'\u200B',
		'(',
		'0',
		'(0)',
		'1',
		'+',
		'.',
		'5.',
		'E+',
		'a.',
		'a/',
		'a:',
		'a&phone=',
	]) {
		const text = `1${part.repeat(200_000)}x1`;
		const worked = workOf(() => {
			readRecipient(text);
			lookAt(text);
			problemIn(text);
			readRecipient(`+${text}`);
			readRecipient(`a.bc/?${part.repeat(200_000)}`);
		});
		expect(worked).toBeLessThan(500);
	}
});
