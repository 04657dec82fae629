import {
	endOfWait,
	readWaitLimit,
} from '../../../nodes/BusinessMessaging/resources/message/sendAndWait/waitLimit.ts';

const NOW = Date.UTC(2026, 6, 15, 12);

function endOf(values: unknown, timezone = 'UTC'): string | undefined {
	const limit = readWaitLimit(values, NOW, timezone);
	return limit && endOfWait(limit, NOW).toISOString();
}

test.each([
	[
		{ limitType: 'afterTimeInterval', resumeAmount: 45, resumeUnit: 'minutes' },
		'2026-07-15T12:45:00.000Z',
	],
	[
		{ limitType: 'afterTimeInterval', resumeAmount: 1.5, resumeUnit: 'hours' },
		'2026-07-15T13:30:00.000Z',
	],
	[
		{ limitType: 'afterTimeInterval', resumeAmount: '2', resumeUnit: 'days' },
		'2026-07-17T12:00:00.000Z',
	],
	[{}, undefined],
	[undefined, undefined],
	[
		{ limitType: 'atSpecifiedTime', maxDateAndTime: '2026-07-16T00:00:00Z' },
		'2026-07-16T00:00:00.000Z',
	],
	[
		{ limitType: 'atSpecifiedTime', maxDateAndTime: new Date(NOW + 1000) },
		'2026-07-15T12:00:01.000Z',
	],
	[
		{ limitType: 'atSpecifiedTime', maxDateAndTime: { toISO: () => '2026-07-16T00:00:00Z' } },
		'2026-07-16T00:00:00.000Z',
	],
])('%j ends at %s', (values, end) => {
	expect(endOf(values)).toBe(end);
});

test.each([
	[{ resumeAmount: 0, resumeUnit: 'hours' }, '"Amount"'],
	[{ resumeAmount: -1, resumeUnit: 'hours' }, '"Amount"'],
	[{ resumeAmount: 'soon', resumeUnit: 'hours' }, '"Amount"'],
	[{ resumeAmount: 1e300, resumeUnit: 'days' }, '"Amount"'],
	[{ limitType: 'atSpecifiedTime', maxDateAndTime: '' }, '"Max Date and Time"'],
	[{ limitType: 'atSpecifiedTime', maxDateAndTime: 'tomorrow' }, '"Max Date and Time"'],
	[{ limitType: 'atSpecifiedTime', maxDateAndTime: '2026-07-15T11:59:59Z' }, 'has already passed'],
])('refuses %j', (values, says) => {
	expect(() => endOf(values)).toThrow(says);
});

// No zone of a machine that runs tests.
const TIMEZONE = 'Pacific/Marquesas';

test.each([
	['2026-07-16T09:00:00', '2026-07-16T18:30:00.000Z'],
	['2026-07-16 09:00:00', '2026-07-16T18:30:00.000Z'],
	[' 2026-07-16 09:00 ', '2026-07-16T18:30:00.000Z'],
	['2026-07-16', '2026-07-16T09:30:00.000Z'],
	['7/16/2026 9:00', '2026-07-16T18:30:00.000Z'],
	['July 16, 2026 9:00 PM', '2026-07-17T06:30:00.000Z'],
	['2026-07-16T09:00:00Z', '2026-07-16T09:00:00.000Z'],
	['2026-07-16T09:00:00.000+02:00', '2026-07-16T07:00:00.000Z'],
	['Thu, 16 Jul 2026 09:00:00 GMT', '2026-07-16T09:00:00.000Z'],
	['Thu Jul 16 2026 09:00:00 GMT+0200 (Central European Summer Time)', '2026-07-16T07:00:00.000Z'],
	['7/16/2026 9:00 -0300', '2026-07-16T12:00:00.000Z'],
	['7/16/2026 9:00 EST', '2026-07-16T14:00:00.000Z'],
])('%j is a time of the workflow, unless it names its zone', (maxDateAndTime, end) => {
	expect(endOf({ limitType: 'atSpecifiedTime', maxDateAndTime }, TIMEZONE)).toBe(end);
});
