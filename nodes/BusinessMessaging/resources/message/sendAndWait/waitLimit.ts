import { tryToParseDateTime } from 'n8n-workflow';

const MILLISECONDS: Record<string, number> = {
	minutes: 60_000,
	hours: 3_600_000,
	days: 86_400_000,
};

/** When a wait ends: at a time, or some milliseconds after it begins. */
export type WaitLimit = { at: Date } | { after: number };

/**
 * Reads the values of "Limit Wait Time". Undefined: no limit.
 * @param now milliseconds
 * @param timezone of a time without one. The editor's has none
 * @throws Error that names the field
 */
export function readWaitLimit(
	values: unknown,
	now: number,
	timezone: string,
): WaitLimit | undefined {
	if (typeof values !== 'object' || values === null || Object.keys(values).length === 0)
		return undefined;
	const { limitType, resumeAmount, resumeUnit, maxDateAndTime } = values as Record<string, unknown>;
	if (limitType === 'atSpecifiedTime') {
		const at = readDate(maxDateAndTime, timezone);
		if (!at)
			throw new Error(
				'"Max Date and Time" in "Limit Wait Time" is not a date. Choose one, or map one from the input.',
			);
		beginWait({ at }, now);
		return { at };
	}
	const amount = Number(resumeAmount ?? 1);
	const unit = MILLISECONDS[String(resumeUnit ?? 'hours')];
	const after = amount * (unit ?? Number.NaN);
	if (!(amount > 0) || Number.isNaN(new Date(now + after).getTime()))
		throw new Error('"Amount" in "Limit Wait Time" must be a number above 0.');
	return { after };
}

/** The end of a wait that begins now. */
export const endOfWait = (limit: WaitLimit, now: number): Date =>
	'at' in limit ? limit.at : new Date(now + limit.after);

/**
 * The end of a wait that begins now, for a question that is not sent yet.
 * @throws Error if it is over
 */
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
	const date = new Date(hasIsoForm(value) ? value.toISO() : value);
	return Number.isNaN(date.getTime()) ? undefined : date;
}

/** No date is longer. */
const TEXT_MAX = 100;
const ISO_START = /^\d{4}-/;
const NAMES_ZONE = /\b(?:gmt|utc?|[ecmp][sd]t)\b|\dz\b|:\d\d ?[+-]\d/i;

/** A time without a zone is one of the workflow's, as in n8n's expressions. */
function readText(given: string, timezone: string): Date | undefined {
	const text = given.trim();
	if (text === '' || text.length > TEXT_MAX) return undefined;
	if (ISO_START.test(text) || NAMES_ZONE.test(text)) return parse(text, timezone);
	// n8n would read other forms, such as `7/16/2026 9:00`, by the time of the process.
	const fields = new Date(`${text} UTC`);
	return Number.isNaN(fields.getTime())
		? undefined
		: parse(fields.toISOString().slice(0, -1), timezone);
}

function parse(text: string, timezone: string): Date | undefined {
	try {
		return tryToParseDateTime(text, timezone).toJSDate();
	} catch {
		return undefined;
	}
}

function hasIsoForm(value: unknown): value is { toISO(): string } {
	return (
		typeof value === 'object' &&
		value !== null &&
		'toISO' in value &&
		typeof value.toISO === 'function'
	);
}
