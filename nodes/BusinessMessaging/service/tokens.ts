import { withoutSignatures } from './signedUrl';

/** How deep objects are looked into. Real ones have three levels. */
const DEPTH_MAX = 20;

/**
 * What the service answered, without any field `token` at whatever place, which is a secret, and without signatures in texts. What stands deeper than 20
 * levels is left out.
 */
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
