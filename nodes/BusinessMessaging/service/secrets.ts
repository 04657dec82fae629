import { HIDDEN, secretRemover } from './hiding/remover';

export { HIDDEN, secretRemover };

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
