import { toIsoDate } from '#nodes/shared/texts/words.ts';

test.each<[string, unknown, string | null]>([
	['milliseconds', 1779980473342, '2026-05-28T15:01:13.342Z'],
	['seconds', 1779980473, '2026-05-28T15:01:13.000Z'],
	['seconds as a text', '1779980473', '2026-05-28T15:01:13.000Z'],
	['a date as a text', '2026-05-28', '2026-05-28'],
	['a number of more digits than a moment has', '17799804733420000', '17799804733420000'],
	['no date at all', 1e300, null],
	['no number', Number.NaN, null],
	['a list', ['1779980473'], null],
	['nothing', null, null],
])('%s', (_what, moment, date) => {
	expect(toIsoDate(moment)).toBe(date);
});
