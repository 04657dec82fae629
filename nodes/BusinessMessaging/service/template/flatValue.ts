import { CHAT_LIMITS } from '../contract';

/** `\s` lacks U+0085, a line break. */
const BLANKS = /[\s\u0085]+/g;
const BREAKS = /[\n\r\t\v\f\u0085\u2028\u2029]/;

/**
 * A value without what no variable of a template can hold: blanks at its ends, line breaks, tabs
 * and long runs of blanks. Cells of a spreadsheet have them.
 */
export function flatValue(value: string): string {
	return value
		.replace(BLANKS, (run) =>
			run.length > CHAT_LIMITS.blanksInValue || BREAKS.test(run) ? ' ' : run,
		)
		.trim();
}
