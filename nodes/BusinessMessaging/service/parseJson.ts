import type { IDataObject } from 'n8n-workflow';

/** Before such a number JSON has nothing, a bracket, a colon, a comma or a blank. */
const LONG_NUMBER = /(?:^|[[:,\s])-?\d{16}/;

/** Whether JSON may hold a whole number that JavaScript rounds. A string can look like one. */
export const mayBeRounded = (json: string): boolean => LONG_NUMBER.test(json);

/** What JSON holds, with numbers that JavaScript would round as texts. @throws SyntaxError */
export function parseJson(json: string): unknown {
	const value: unknown = JSON.parse(json);
	return mayBeRounded(json) ? JSON.parse(withTexts(json)) : value;
}

/** The same, or the text itself if it is no JSON, without a byte order mark. */
export function jsonOrText(given: string): unknown {
	const text = given.replace(/^\uFEFF/, '');
	try {
		return parseJson(text);
	} catch {
		return text;
	}
}

/** @param json well-formed, so every string ends */
function withTexts(json: string): string {
	const numbersAndQuotes = /"|-?\d[\d.eE+-]*/g;
	const parts: string[] = [];
	let done = 0;
	let found = numbersAndQuotes.exec(json);
	for (; found; found = numbersAndQuotes.exec(json)) {
		const [token] = found;
		if (token === '"') numbersAndQuotes.lastIndex = endOfString(json, found.index + 1);
		else if (/^-?\d+$/.test(token) && !Number.isSafeInteger(Number(token))) {
			parts.push(json.slice(done, found.index), `"${token}"`);
			done = numbersAndQuotes.lastIndex;
		}
	}
	return parts.join('') + json.slice(done);
}

/** @returns the place behind its closing quote */
function endOfString(json: string, start: number): number {
	let at = start;
	// A character behind a backslash ends nothing.
	while (json[at] !== '"') at += json[at] === '\\' ? 2 : 1;
	return at + 1;
}

/** An object that is neither a list nor null. */
export const isPlainObject = (value: unknown): value is IDataObject =>
	typeof value === 'object' && value !== null && !Array.isArray(value);

/** The value if it is a plain object, or else an empty one. */
export const asPlainObject = (value: unknown): IDataObject => (isPlainObject(value) ? value : {});
