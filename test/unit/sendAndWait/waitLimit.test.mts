import { readDeadline } from '../../../nodes/BusinessMessaging/resources/message/sendAndWait/waitLimit.ts';

const NOW = Date.UTC(2026, 6, 15, 12);

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
	expect(readDeadline(values, NOW)?.toISOString()).toBe(end);
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
	expect(() => readDeadline(values, NOW)).toThrow(says);
});
