const MILLISECONDS: Record<string, number> = {
	minutes: 60_000,
	hours: 3_600_000,
	days: 86_400_000,
};

/**
 * The end of the wait, by the values of "Limit Wait Time". Undefined: no limit.
 * @param now milliseconds
 * @throws Error that names the field
 */
export function readDeadline(values: unknown, now: number): Date | undefined {
	if (typeof values !== 'object' || values === null || Object.keys(values).length === 0)
		return undefined;
	const { limitType, resumeAmount, resumeUnit, maxDateAndTime } = values as Record<string, unknown>;
	if (limitType === 'atSpecifiedTime') {
		const date = readDate(maxDateAndTime);
		if (!date)
			throw new Error(
				'"Max Date and Time" in "Limit Wait Time" is not a date. Choose one, or map one from the input.',
			);
		if (date.getTime() <= now)
			throw new Error(
				`"Max Date and Time" in "Limit Wait Time" has already passed: ${date.toISOString()}. Choose a time in the future.`,
			);
		return date;
	}
	const amount = Number(resumeAmount ?? 1);
	const unit = MILLISECONDS[String(resumeUnit ?? 'hours')];
	const date = new Date(now + amount * (unit ?? Number.NaN));
	if (!(amount > 0) || Number.isNaN(date.getTime()))
		throw new Error('"Amount" in "Limit Wait Time" must be a number above 0.');
	return date;
}

/** The editor gives a text. Expressions also give dates and n8n's date objects. */
function readDate(value: unknown): Date | undefined {
	if (
		typeof value !== 'string' &&
		typeof value !== 'number' &&
		!(value instanceof Date) &&
		!hasIsoForm(value)
	)
		return undefined;
	const date = new Date(hasIsoForm(value) ? value.toISO() : value);
	return Number.isNaN(date.getTime()) ? undefined : date;
}

function hasIsoForm(value: unknown): value is { toISO(): string } {
	return (
		typeof value === 'object' &&
		value !== null &&
		'toISO' in value &&
		typeof value.toISO === 'function'
	);
}
