import type { INode } from 'n8n-workflow';

import { endOfWait, readWaitLimit } from '#nodes/resources/message/sendAndWait/waitSettings.ts';

const NOW = Date.UTC(2026, 6, 15, 12);
const after = (resumeAmount: unknown, resumeUnit: string) => ({
	...{ limitType: 'afterTimeInterval', resumeAmount, resumeUnit },
});
const at = (maxDateAndTime: unknown) => ({ limitType: 'atSpecifiedTime', maxDateAndTime });

function endOf(values: unknown, timezone = 'UTC'): string | undefined {
	const context = { getTimezone: () => timezone, getNode: () => ({ parameters: {} }) as INode };
	const limit = readWaitLimit(context, values, NOW);
	return limit && endOfWait(limit, NOW).toISOString();
}

test.each<[unknown, string | undefined]>([
	[after(45, 'minutes'), '2026-07-15T12:45:00.000Z'],
	[after(1.5, 'hours'), '2026-07-15T13:30:00.000Z'],
	[after('2', 'days'), '2026-07-17T12:00:00.000Z'],
	[{ resumeAmount: 2 }, '2026-07-15T14:00:00.000Z'],
	[{ resumeUnit: 'minutes' }, '2026-07-15T12:01:00.000Z'],
	[at('2026-07-16T00:00:00Z'), '2026-07-16T00:00:00.000Z'],
	[at(new Date(NOW + 1000)), '2026-07-15T12:00:01.000Z'],
	[at(NOW + 1000), '2026-07-15T12:00:01.000Z'],
	[at({ toISO: () => '2026-07-16T00:00:00Z' }), '2026-07-16T00:00:00.000Z'],
	...[{}, undefined, null, '1 hour'].map((none): [unknown, undefined] => [none, undefined]),
])('%j ends at %s', (values, end) => expect(endOf(values)).toBe(end));

const NO_DATE =
	'"Max Date and Time" in "Limit Wait Time" is not a date that can be read one way only. Enter it as 2026-07-14T21:00:00, ';

test.each<[unknown, string]>([
	...[0, -1, 'soon', 1e300].map((amount): [unknown, string] => [after(amount, 'days'), '"Amount"']),
	[at('2026-07-15T11:59:59Z'), 'has already passed'],
	// A wait does not end at the moment at which it begins.
	[at(NOW), 'has already passed: 2026-07-15T12:00:00.000Z.'],
	...[
		...[undefined, null, true, {}, [], { toISO: '2026-07-16T00:00:00Z' }, '', 'tomorrow'],
		// A DateTime without a date.
		{ toISO: () => null },
		// Read month first, in any zone, or by a number in them, they would be other dates.
		...['12.01.2027 09:00', '01/12/2027 09:00', '7/16/2026 9:00 -0300', 'pedido 2030', '2030'],
		...['July 16, 2026 9:00 PM', '16 07 2026 09:00:00 GMT', '16 Jul 2026 09:00:00'],
		...['2026-02-30', '2026-13-01', '2026-07-16T25:00', '2026-07-16 9:00', '1784000000000'],
		'Thu Jul 16 2026 09:00:00 GMT+0200 (Central European Summer Time)',
	].map((none): [unknown, string] => [at(none), NO_DATE]),
	...[true, [5], {}].map((amount): [unknown, string] => [after(amount, 'days'), '"Amount"']),
])('refuses %j', (values, says) => expect(() => endOf(values)).toThrow(says));

// No zone of a machine that runs tests.
const TIMEZONE = 'Pacific/Marquesas';

test.each([
	['2026-07-16T09:00:00', '2026-07-16T18:30:00.000Z'],
	['2026-07-16 09:00:00', '2026-07-16T18:30:00.000Z'],
	[' 2026-07-16 09:00 ', '2026-07-16T18:30:00.000Z'],
	['2026-07-16', '2026-07-16T09:30:00.000Z'],
	['2026-07-16T09:00:00Z', '2026-07-16T09:00:00.000Z'],
	['2026-07-16T09:00:00.000+02:00', '2026-07-16T07:00:00.000Z'],
	['Thu, 16 Jul 2026 09:00:00 GMT', '2026-07-16T09:00:00.000Z'],
	['2026-07-16 09:00:00-03', '2026-07-16T12:00:00.000Z'],
	['2026-07-16T09:00:00.000000Z', '2026-07-16T09:00:00.000Z'],
	['16 Jul 2026 09:00:00 -0300', '2026-07-16T12:00:00.000Z'],
	['Thu, 16 Jul 2026 09:00 EST', '2026-07-16T14:00:00.000Z'],
])('%j is a time of the workflow, unless it names its zone', (maxDateAndTime, end) => {
	expect(endOf(at(maxDateAndTime), TIMEZONE)).toBe(end);
});
