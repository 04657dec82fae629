import { HIDDEN, secretRemover } from './secretRemover';

export { HIDDEN, secretRemover };

/** Also in malformed and nested URLs, and with an escaped `=`. */
const SIGNATURE = /(signature(?:=|%(?:25)*3d|\\u003d|&#(?:61|x3d);))([^&#\s"<>]*)/gi;

/** Characters of a signature. Fewer would only hide words of an error. */
const SIGNATURE_MIN = 12;

/** Hides the signatures in a text: whoever has that of a resume URL can resume the execution. */
export const withoutSignatures = (text: string): string => text.replace(SIGNATURE, `$1${HIDDEN}`);

/** The signatures of the links in a body, without what a sentence has behind a link. */
export function signaturesIn(body: object): string[] {
	const found = Array.from(
		JSON.stringify(body).matchAll(SIGNATURE),
		([, , value = '']) => /^[\w%+/=~.-]*\w/.exec(value)?.[0] ?? '',
	).filter((value) => value.replace(/%[\da-f]{2}/gi, '').length >= SIGNATURE_MIN);
	return [...new Set(found)];
}

/** The texts and numbers in a value, such as a body that has secrets alone. */
export function secretsIn(value: unknown): string[] {
	if (typeof value === 'string' || typeof value === 'number') return [String(value)];
	if (typeof value !== 'object' || value === null) return [];
	return Object.values(value).flatMap(secretsIn);
}

/** n8n cannot read the record of an execution that is nested much deeper. */
export const ITEM_DEPTH_MAX = 100;

/** `botToken`, `access_token` and the like. */
const SECRET_NAME =
	/token|secret|password|credential|authorization|(?:api|access|private)[-_]?key/i;

/**
 * An object of the service without signatures and what is secret by its name, as an item shows it.
 * Of `auth`, its type and whether it is configured are left.
 * @param asGiven names of fields that stay, with all texts in them. Values under secret names are
 * hidden there, so that a copy shows that they are missing
 * @param onCut is told of what was left out because it is nested too deep
 */
export function withoutSecrets<Value extends object>(
	value: Value,
	asGiven: readonly string[] = [],
	onCut?: () => void,
): Value {
	const isCut = (inner: unknown, depth: number) => {
		if (depth > 0 || typeof inner !== 'object' || inner === null) return false;
		onCut?.();
		return true;
	};
	const cleaned = (inner: unknown, depth: number, isOfUser: boolean): unknown => {
		if (typeof inner === 'string') return isOfUser ? inner : withoutSignatures(inner);
		if (typeof inner !== 'object' || inner === null) return inner;
		if (Array.isArray(inner))
			return inner.map((entry: unknown) =>
				isCut(entry, depth) ? null : cleaned(entry, depth - 1, isOfUser),
			);
		const shown = Object.entries(inner).flatMap(([name, entry]): Array<[string, unknown]> => {
			const isWhole = inner === value && asGiven.includes(name);
			if (SECRET_NAME.test(name) && !isWhole) return isOfUser ? [[name, HIDDEN]] : [];
			if (name.toLowerCase() === 'auth') return [[name, kindOf(entry)]];
			return isCut(entry, depth) ? [] : [[name, cleaned(entry, depth - 1, isOfUser || isWhole)]];
		});
		return Object.fromEntries(shown);
	};
	return cleaned(value, ITEM_DEPTH_MAX - 1, false) as Value;
}

function kindOf(auth: unknown): unknown {
	if (typeof auth !== 'object' || auth === null) return null;
	return Object.fromEntries(
		Object.entries(auth).filter(([name]) => name === 'type' || name === 'configured'),
	);
}
