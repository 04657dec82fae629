import { parseRetryAfter } from '#nodes/service/exchange.ts';

const DAY = 86_400_000;
const NOW = Date.parse('2026-07-15T19:00:00.000Z');

test.each([
	['2', 2000],
	[3, 3000],
	['0', 0],
	['1.5', 1500],
	['12.25', 12_250],
	['0.0001', 1],
	[' 4 ', 4000],
	[['5', '9'], 5000],
	['Wed, 15 Jul 2026 19:00:07 GMT', 7000],
	['Wed, 15 Jul 2026 18:00:00 GMT', 0],
	['Wednesday, 15-Jul-26 19:00:07 GMT', 7000],
	// The oldest form, which has no zone.
	['Wed Jul 15 19:00:07 2026', 7000],
	['86399', DAY - 1000],
	['86401', DAY],
	['9'.repeat(16), DAY],
	['9'.repeat(400), DAY],
	['Fri, 31 Dec 9999 23:59:59 GMT', DAY],
])('reads %j as %d ms', (header, milliseconds) =>
	expect(parseRetryAfter(header, NOW)).toBe(milliseconds),
);

test.each([
	...['', 'soon', '-5', '3 s', 'a5', '1.', 'a 5', '2026-07-15', '9'.repeat(401)],
	...['7 Wed, 15 Jul 2026 19:00:07 GMT', '15 Jul 2026 19:00:07 GMT'],
	...[undefined, null, true, {}, [], [['5']]],
])('ignores %p', (header) => expect(parseRetryAfter(header, NOW)).toBeUndefined());
