/** From milliseconds, or from seconds, which are smaller by the factor of 1000 for every date between 1973 and 5138. */
export function toIsoDate(moment: unknown): string | null {
	const number = typeof moment === 'string' && /^\d{1,16}$/.test(moment) ? Number(moment) : moment;
	if (typeof number !== 'number' || !Number.isFinite(number))
		return typeof moment === 'string' ? moment : null;
	const date = new Date(Math.abs(number) < 1e11 ? number * 1000 : number);
	return Number.isNaN(date.getTime()) ? null : date.toISOString();
}
