import type { Clean } from './excerpt';

/** Characters of a message in which codes are looked for. */
const READ_MAX = 2000;
const CODES_MAX = 5;

/**
 * The codes in a message: words of capitals and underscores, such as INVALID_CODE. Without those
 * that a secret contains, or that contain one.
 * @param clean hides other secrets
 */
export function codesIn(message: string, secrets: readonly string[], clean: Clean): string[] {
	const start = message.slice(0, READ_MAX);
	const words = start.split(/\W+/).filter((word) => word.length <= 64 && isCode(word, start));
	const capitals = secrets.map((secret) => secret.trim().toUpperCase()).filter(Boolean);
	return [...new Set(words)]
		.slice(0, CODES_MAX)
		.filter((word) => !capitals.some((secret) => secret.includes(word) || word.includes(secret)))
		.filter((word) => clean(word) === word);
}

/** A word of capitals alone is a code only if nothing else is there: others emphasise so. */
const isCode = (word: string, message: string) =>
	/^[A-Z]+(?:_[A-Z]+)+$/.test(word) || (word === message.trim() && /^[A-Z]{2,}$/.test(word));
