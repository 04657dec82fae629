import { HIDDEN, secretRemover } from './secretRemover';

export { HIDDEN, secretRemover };

/** Also in malformed and nested URLs, and with an escaped `=`. */
const SIGNATURE = /(signature(?:=|%(?:25)*3d|\\u003d|&#(?:61|x3d);))([^&#\s"<>]*)/gi;

/** Characters of a signature. Fewer would only hide words of an error. */
const SIGNATURE_MIN = 12;

/**
 * Hides the signatures in a text, such as the URL of a webhook. n8n's resume URLs are signed, and
 * whoever has the signature can resume the execution.
 */
export function withoutSignatures(text: string): string {
	return text.replace(SIGNATURE, `$1${HIDDEN}`);
}

/** The signatures of the links in a body, without what a sentence has behind a link. */
export function signaturesIn(body: object): string[] {
	const text = Buffer.isBuffer(body) ? body.toString('latin1') : JSON.stringify(body);
	return Array.from(
		text.matchAll(SIGNATURE),
		([, , value = '']) => /^[\w%+/=~.-]*\w/.exec(value)?.[0] ?? '',
	).filter((value) => value.replace(/%[\da-f]{2}/gi, '').length >= SIGNATURE_MIN);
}

/** The texts and numbers in a value, such as a body that has secrets alone. */
export function secretsIn(value: unknown): string[] {
	if (typeof value === 'string' || typeof value === 'number') return [String(value)];
	if (typeof value !== 'object' || value === null) return [];
	return Object.values(value).flatMap(secretsIn);
}

/** Responses have three levels. What is deeper than this is left out. */
const DEPTH_MAX = 20;

/** `botToken`, `access_token` and the like. */
const SECRET_NAME =
	/token|secret|password|credential|authorization|(?:api|access|private)[-_]?key/i;

/**
 * A response without signatures and what is secret by its name. Of `auth`, its type and whether it
 * is configured are left.
 */
export function withoutSecrets<Value>(value: Value): Value {
	return cleaned(value, DEPTH_MAX) as Value;
}

function cleaned(value: unknown, depth: number): unknown {
	if (typeof value === 'string') return withoutSignatures(value);
	if (typeof value !== 'object' || value === null) return value;
	if (depth === 0) return undefined;
	if (Array.isArray(value)) return value.map((entry: unknown) => cleaned(entry, depth - 1));
	return Object.fromEntries(
		Object.entries(value)
			.filter(([name]) => !SECRET_NAME.test(name))
			.map(([name, entry]) => [
				name,
				name.toLowerCase() === 'auth' ? kindOf(entry) : cleaned(entry, depth - 1),
			]),
	);
}

function kindOf(auth: unknown): unknown {
	if (typeof auth !== 'object' || auth === null) return null;
	return Object.fromEntries(
		Object.entries(auth).filter(([name]) => name === 'type' || name === 'configured'),
	);
}
