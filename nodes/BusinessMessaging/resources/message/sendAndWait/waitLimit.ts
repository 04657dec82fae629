import { type IExecuteFunctions, tryToParseDateTime } from 'n8n-workflow';

import { numbersIn, toNumber } from '../../../shared/texts/numbers';
import { isPlainObject } from '../../../service/parseJson';
import { isDay } from '../../../shared/texts/words';

const MILLISECONDS: Record<string, number> = {
	minutes: 60_000,
	hours: 3_600_000,
	days: 86_400_000,
};

/** When a wait ends: at a time, or some milliseconds after it begins. */
export type WaitLimit = { at: Date } | { after: number };

/** Undefined: no limit. @param now milliseconds. @throws Error that names the field */
export function readWaitLimit(
	context: Pick<IExecuteFunctions, 'getNode' | 'getTimezone'>,
	values: unknown,
	now: number,
): WaitLimit | undefined {
	if (!isPlainObject(values) || Object.keys(values).length === 0) return undefined;
	const { limitType, resumeUnit, maxDateAndTime } = values;
	if (limitType === 'atSpecifiedTime') {
		const at = readDate(maxDateAndTime, context.getTimezone());
		if (!at)
			throw new Error(
				'"Max Date and Time" in "Limit Wait Time" is not a date that can be read one way only. Enter it as 2026-07-14T21:00:00, with its zone behind it if it is not the workflow\'s: Z or +02:00.',
			);
		beginWait({ at }, now);
		return { at };
	}
	const read = numbersIn(context, 'options.limitWaitTime.values', values);
	const amount = toNumber(read('resumeAmount', '"Amount" in "Limit Wait Time"') ?? 1);
	const unit = MILLISECONDS[String(resumeUnit ?? 'hours')];
	const after = amount * (unit ?? Number.NaN);
	if (!(amount > 0) || Number.isNaN(new Date(now + after).getTime()))
		throw new Error('"Amount" in "Limit Wait Time" must be a number above 0.');
	return { after };
}

/** The end of a wait that begins now. */
export const endOfWait = (limit: WaitLimit, now: number): Date =>
	'at' in limit ? limit.at : new Date(now + limit.after);

/** The end of the wait of a question that is not sent yet. @throws Error if it is over */
export function beginWait(limit: WaitLimit, now: number): Date {
	const end = endOfWait(limit, now);
	if (end.getTime() <= now)
		throw new Error(
			`"Max Date and Time" in "Limit Wait Time" has already passed: ${end.toISOString()}. Choose a time in the future.`,
		);
	return end;
}

/** The editor gives a text. Expressions also give dates and n8n's date objects. */
function readDate(value: unknown, timezone: string): Date | undefined {
	if (typeof value === 'string') return readText(value, timezone);
	if (typeof value !== 'number' && !(value instanceof Date) && !hasIsoForm(value)) return undefined;
	const date = new Date(hasIsoForm(value) ? String(value.toISO()) : value);
	return Number.isNaN(date.getTime()) ? undefined : date;
}

/** `2026-07-14`, `2026-07-14 21:00` or `2026-07-14T21:00:00.000+02:00`. */
const ISO =
	/^(\d{4}-\d\d-\d\d)(?:[T ](\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?) ?(Z|[+-]\d\d(?::?\d\d)?)?)?$/i;
/** `Tue, 14 Jul 2026 21:00:00 +0200`. Its month is a word, and it names its zone. */
const MAIL =
	/^(?:[a-z]{3}, )?\d{1,2} [a-z]{3} \d{4} \d\d:\d\d(?::\d\d)? (?:GMT|UTC?|Z|[ECMP][SD]T|[+-]\d{4})$/i;

/** A time without a zone is one of the workflow's, as in n8n's expressions. */
function readText(given: string, timezone: string): Date | undefined {
	const text = given.trim();
	const [, day, time = '00:00', zone = ''] = ISO.exec(text) ?? [];
	if (day !== undefined)
		return isDay(day) ? parse(`${day}T${time}${zone.toUpperCase()}`, timezone) : undefined;
	return MAIL.test(text) ? parse(text, timezone) : undefined;
}

function parse(text: string, timezone: string): Date | undefined {
	try {
		return tryToParseDateTime(text, timezone).toJSDate();
	} catch {
		return undefined;
	}
}

const hasIsoForm = (value: unknown): value is { toISO(): string } =>
	typeof value === 'object' &&
	value !== null &&
	'toISO' in value &&
	typeof value.toISO === 'function';
