/** From milliseconds or seconds. Between 1973 and 5138, the number tells which. */
export const toMilliseconds = (number: number): number =>
	Math.abs(number) < 1e11 ? number * 1000 : number;

/** From milliseconds or seconds. Other texts stay as they are. */
export function toIsoDate(moment: unknown): string | null {
	const number = typeof moment === 'string' && /^\d{1,16}$/.test(moment) ? Number(moment) : moment;
	if (typeof number !== 'number' || !Number.isFinite(number))
		return typeof moment === 'string' ? moment : null;
	const date = new Date(toMilliseconds(number));
	return Number.isNaN(date.getTime()) ? null : date.toISOString();
}
