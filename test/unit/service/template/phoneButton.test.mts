/** A button's phone number leaves as + and digits, or its template is not sent. */
import { PARTS_OF_LIST } from '#nodes/service/template/mistakes.ts';
import { withPhoneNumbers } from '#nodes/service/template/buttonRules.ts';
import { listed } from './samples.mts';

const given = (phone_number: unknown) =>
	listed([{ type: 'BUTTONS', buttons: [{ type: 'PHONE_NUMBER', text: 'Call', phone_number }] }])
		.components ?? [];
const mended = (phone: unknown) =>
	withPhoneNumbers(given(phone), PARTS_OF_LIST)[0]?.buttons?.[0]?.phone_number;

test.each([
	['+5500000000001', '+5500000000001'],
	['5500000000001', '+5500000000001'],
	['+55 (11) 98888-0000', '+5511988880000'],
	['0055 11 98888-0000', '+5511988880000'],
	['005511988880000', '+5511988880000'],
	['+1 555 0100', '+15550100'],
	['1.555.010.0000.00', '+1555010000000'],
	['+49 (0)151 0000000', '+491510000000'],
	[' +15550100000 ', '+15550100000'],
	['\u200e+15550100000', '+15550100000'],
	['＋15550100000', '+15550100000'],
	[5500000000001, '+5500000000001'],
])('%j leaves as %s', (phone, sent) => expect(mended(phone)).toBe(sent));

test.each<[unknown, RegExp]>([
	['15550100000', /^Button 1 of "Components".* "15550100000", .*country code.*Begin a phone/],
	['(11) 98888-0000', /Button 1.*area code.*country code/],
	['+055000000001', /no phone number/],
	['+1234567', /no phone number/],
	['+1234567890123456', /no phone number/],
	['call us', /"call us", .*no phone number/],
	['5.5E+12', /lost digits/],
	['', /no phone number/],
	[{}, /no phone number/],
])('%j does not leave', (phone, words) => expect(() => mended(phone)).toThrow(words));

test('numbers of cards leave so, too, and other buttons as they are', () => {
	const cards = (phone: string) => [
		{ type: 'CAROUSEL', cards: [{ n: 1, components: given(phone) }, { components: [] }] },
	];
	const reply = [{ type: 'BUTTONS', buttons: [{ type: 'QUICK_REPLY', text: '15550100000' }] }];
	const all = listed([...cards('5500000000001'), ...reply]).components ?? [];
	expect(withPhoneNumbers(all, PARTS_OF_LIST)).toEqual([...cards('+5500000000001'), ...reply]);
});
