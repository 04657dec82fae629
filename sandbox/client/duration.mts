/**
 * A time span: milliseconds, or numbers with units, such as `25h`, `1d 2h 30m`, `5s` or `300ms`.
 */
export type Duration = number | string;

const UNITS: Record<string, number> = {
	ms: 1,
	s: 1000,
	m: 60_000,
	h: 3_600_000,
	d: 86_400_000,
};
const PART = /^(\d+(?:\.\d+)?)(ms|s|m|h|d)$/;

/**
 * A time span in milliseconds.
 *
 * @throws RangeError if it is negative or not a time span
 */
export function millisecondsOf(duration: Duration): number {
	const invalid = () =>
		new RangeError(
			`'${duration}' is not a time span. Use milliseconds, or a text such as '25h', '1h 30m' or '500ms'`,
		);
	if (typeof duration === 'number') {
		if (!Number.isFinite(duration) || duration < 0) throw invalid();
		return duration;
	}
	return duration
		.trim()
		.split(/\s+/)
		.map((part) => {
			const [, number, unit = ''] = PART.exec(part) ?? [];
			const factor = UNITS[unit];
			if (number === undefined || factor === undefined) throw invalid();
			return Number(number) * factor;
		})
		.reduce((total, part) => total + part, 0);
}

/** A time span for people: `5 s`, `300 ms`. */
export const shown = (milliseconds: number): string =>
	milliseconds >= 1000 ? `${milliseconds / 1000} s` : `${milliseconds} ms`;
