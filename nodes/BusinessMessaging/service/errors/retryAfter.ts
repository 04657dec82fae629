/** Longer than every number and date. */
const LENGTH_MAX = 400;

/**
 * Milliseconds to wait by a `Retry-After` header: seconds or an HTTP date (RFC 9110, 10.2.3).
 * Undefined if it cannot be read.
 * @param now Milliseconds since the epoch.
 */
export function parseRetryAfter(header: unknown, now: number): number | undefined {
	const value: unknown = Array.isArray(header) ? header[0] : header;
	if (typeof value !== 'string' && typeof value !== 'number') return undefined;
	const text = String(value).trim();
	if (text.length > LENGTH_MAX) return undefined;
	if (/^\d+(\.\d+)?$/.test(text)) {
		const wait = Math.ceil(Number(text) * 1000);
		return Number.isFinite(wait) ? wait : undefined;
	}
	// An HTTP date starts with the day's name. `Date.parse` reads numbers such as -5 as a year.
	const date = /^[A-Za-z]{3}/.test(text) ? Date.parse(text) : Number.NaN;
	return Number.isNaN(date) ? undefined : Math.max(0, date - now);
}
