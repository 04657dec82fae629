/** Replaces a secret. */
export const HIDDEN = '[hidden]';

/** Secrets of fewer bytes occur in ordinary words, so they are hidden only if they are words. */
const SHORT = 6;

const HTML_NAMES: Record<string, string> = { '&': 'amp', '<': 'lt', '>': 'gt', '"': 'quot' };

const literal = (text: string) => text.replace(/[^\w\s]/g, '\\$&');
const hex = (value: number, digits: number) => value.toString(16).padStart(digits, '0');

/**
 * The pattern of a character: as it is, percent-encoded, or escaped by JSON or HTML.
 * @param inQuotes whether JSON's backslashes are expected before the signs that need one
 */
function patternOfCharacter(character: string, inQuotes: boolean): string {
	const percent = Array.from(Buffer.from(character), (byte) => `%${hex(byte, 2)}`);
	const units = character.split('').map((unit) => `\\\\u${hex(unit.charCodeAt(0), 4)}`);
	const code = character.codePointAt(0) ?? 0;
	const name = HTML_NAMES[character];
	const signs = [
		...(character === ' ' ? ['\\+'] : []),
		`&#0?${code};`,
		`&#x0?${hex(code, 2)};`,
		...(name ? [`&${name};`] : []),
	];
	const before = inQuotes ? { '\\': '\\\\', '"': '\\\\', '/': '\\\\?' }[character] : undefined;
	return `(?:${[
		`${before ?? ''}${literal(character)}`,
		percent.join(''),
		units.join(''),
		...(/\w/.test(character) ? [] : signs),
	].join('|')})`;
}

/** Each pattern has one way to match a text, so that matching takes linear time. */
const patternOfText = (text: string): string =>
	[false, true]
		.map((inQuotes) =>
			Array.from(text, (character) => patternOfCharacter(character, inQuotes)).join(''),
		)
		.join('|');

/** The pattern of base64 in both alphabets, percent-encoded or not. */
const patternOfBase64 = (encoded: string): string =>
	encoded.replaceAll('+', '(?:[+-]|%2b)').replaceAll('/', '(?:[/_]|%2f)');

/**
 * Base64 turns three bytes into four characters. So a secret inside a longer text, such as
 * `user:secret`, has three forms, and the characters at its ends hold bits of its neighbours.
 */
function patternWithinBase64(secret: Buffer): string {
	const forms = [0, 1, 2].map((before) =>
		Buffer.concat([Buffer.alloc(before), secret])
			.toString('base64')
			.slice(Math.ceil((before * 4) / 3), Math.floor(((before + secret.length) * 4) / 3)),
	);
	return `[\\w+/-]?(?:${forms.map(patternOfBase64).join('|')})[\\w+/-]?(?:=|%3d){0,2}`;
}

function patternOf(secret: string): string {
	const bytes = Buffer.from(secret);
	if (bytes.length >= SHORT)
		return [patternOfText(secret), patternWithinBase64(bytes), bytes.toString('hex')].join('|');
	const base64 = patternOfBase64(bytes.toString('base64').replaceAll('=', ''));
	return `(?<!\\w)(?:${patternOfText(secret)}|${base64}(?:=|%3d){0,2})(?!\\w)`;
}

/**
 * Makes the function that hides secrets in a text of others: as they are, percent-encoded, in
 * base64, in hexadecimal digits, or as JSON and HTML escape them, in any case of letters. It takes
 * linear time.
 */
export function secretRemover(secrets: readonly unknown[]): (text: string) => string {
	const texts = secrets
		.filter((secret) => typeof secret === 'string')
		.filter((secret) => secret.trim() !== '')
		.sort((one, other) => other.length - one.length);
	let pattern: RegExp | undefined;
	return (text) => {
		if (texts.length === 0) return text;
		pattern ??= new RegExp(texts.map(patternOf).join('|'), 'gi');
		return text.replace(pattern, HIDDEN);
	};
}

/**
 * Hides the signatures in a text, such as the URL of a webhook. n8n's resume URLs are signed, and
 * whoever has the signature can resume the execution. Malformed and nested URLs count as well.
 */
export function withoutSignatures(text: string): string {
	return text.replace(/(signature(?:=|%3d))[^&#\s"<>]*/gi, `$1${HIDDEN}`);
}

/** The texts and numbers in a value, such as a body that has secrets alone. */
export function secretsIn(value: unknown): string[] {
	if (typeof value === 'string' || typeof value === 'number') return [String(value)];
	if (typeof value !== 'object' || value === null) return [];
	return Object.values(value).flatMap(secretsIn);
}

/** Responses have three levels. What is deeper than this is left out. */
const DEPTH_MAX = 20;

/** A response without its `token` fields, which are secrets, and without signatures. */
export function withoutTokens<Value>(value: Value): Value {
	return cleaned(value, DEPTH_MAX) as Value;
}

function cleaned(value: unknown, depth: number): unknown {
	if (typeof value === 'string') return withoutSignatures(value);
	if (typeof value !== 'object' || value === null) return value;
	if (depth === 0) return undefined;
	if (Array.isArray(value)) return value.map((entry: unknown) => cleaned(entry, depth - 1));
	return Object.fromEntries(
		Object.entries(value)
			.filter(([name]) => name.toLowerCase() !== 'token')
			.map(([name, entry]) => [name, cleaned(entry, depth - 1)]),
	);
}
