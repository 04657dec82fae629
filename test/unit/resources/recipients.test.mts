/** Recipients as people have them. All numbers are made up. */
import type { IDataObject } from 'n8n-workflow';

import { fingerprintOf } from '../../../nodes/BusinessMessaging/resources/message/onceMemory.ts';
import {
	lookAt,
	problemIn,
	readRecipient,
} from '../../../nodes/BusinessMessaging/service/recipient.ts';
import { FakeService, jobsTo, sendAll, settingsFor } from '../sending/fakeService.mts';
import { VirtualClock } from '../sending/virtualClock.mts';
import { CHANNEL, run, type Sent, type Setting } from './actionNode.mts';

const AS_IT_IS = Symbol('as it is');
/** Why nothing leaves. */
const LOST = /has lost digits\. Format the column of the spreadsheet as text\.$/;
const ADDED = /has decimals, which a spreadsheet added\. Format/;
const ROUNDED = /ends in six zeros, so it may be rounded\. Format/;
const LOCAL = /begins with an area code in parentheses\. Begin it with \+ and the country code\.$/;
const TRUNK = /has a \(0\), but no \+ in front\. Begin it with \+/;
const ZERO = (trunk: string, without: string) =>
	new RegExp(
		`has a ${trunk} behind its country code\\. It is for calls within the country alone\\. Without it: \\+${without}\\.$`,
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
	['two numbers', '+55 00 0000-00101 / +55 00 0000-00102', AS_IT_IS],
	['a minus before it', '-5500000000101', AS_IT_IS],
	['a JavaScript number with a fraction', 5500000000.5, AS_IT_IS],
	['two pluses', '++55 00 0000-00101', AS_IT_IS],
	["the apostrophe of a spreadsheet's text", "'5500000000101", AS_IT_IS],
	['the formula of a spreadsheet', '="5500000000101"', AS_IT_IS],
	['a link to something else', 'https://chat.example/send/5500000000101', AS_IT_IS],
	['a call with more behind it', 'tel:+5500000000101;ext=7', AS_IT_IS],
	['two full-width pluses', '＋＋5500000000101', AS_IT_IS],
	['digits of another script', '\u0665\u0665\u0660\u0660\u0660\u0660\u0660\u0660', AS_IT_IS],
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
	for (const part of [' ', '\u200B', '(', '0', '(0)', '1', '+', '.', '5.', 'E+', 'a.', 'a/']) {
		const text = `1${part.repeat(200_000)}x1`;
		const start = performance.now();
		readRecipient(text);
		lookAt(text);
		problemIn(text);
		expect(performance.now() - start).toBeLessThan(500);
	}
});
