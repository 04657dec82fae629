import { DEFAULT_TEMPLATES_PATH } from './contract';

/** The root of the service, without trailing slashes. @throws Error that names the field */
export function normalizeBaseUrl(typed: unknown): string {
	const text = typeof typed === 'string' ? typed.trim() : '';
	const fail = (problem: string) =>
		new Error(
			`The Base URL in the credential ${problem}. Enter the root address of the service, e.g. https://api.example.com.`,
		);
	if (!text) throw fail('is empty');
	if (!URL.canParse(text)) throw fail('is not a URL');
	const url = new URL(text);
	if (url.protocol !== 'https:' && url.protocol !== 'http:')
		throw fail('must start with https:// or http://');
	if (url.username || url.password) throw fail('must not hold a user name or password');
	// URL does not show an empty query or fragment, so this looks at the typed text.
	if (/[?#]/.test(text)) throw fail('must not hold a query or a fragment');
	// URL resolves dot segments, also encoded ones, so this looks at the typed text.
	if (
		/(^|\/|\\)(\.|%2e){1,2}(\/|\\|$)/i.test(text.replace(/^https?:\/\//i, '')) ||
		text.includes('\\')
	)
		throw fail('must not hold "." or ".." path segments');
	// A regular expression would take quadratic time for a row of slashes.
	let { length } = url.pathname;
	while (url.pathname[length - 1] === '/') length -= 1;
	return `${url.origin}${url.pathname.slice(0, length)}`;
}

/** A text as an address of http or https. Undefined for anything else. */
export function webUrl(text: unknown): URL | undefined {
	const url = typeof text === 'string' && URL.canParse(text) ? new URL(text) : undefined;
	return url && /^https?:$/.test(url.protocol) ? url : undefined;
}

const SEGMENT = /^[\w~-][\w.~-]*$/;

/** The segments of the *Templates Path*, at no other host. @throws Error that names the field */
export function templatesPathOf(typed: unknown): string[] {
	const text = typeof typed === 'string' ? typed.trim() : '';
	const path = text || DEFAULT_TEMPLATES_PATH;
	const segments = path.replace(/^\//, '').replace(/\/$/, '').split('/');
	if (segments.every((segment) => SEGMENT.test(segment))) return segments;
	throw new Error(
		`The Templates Path in the credential is not a path below the Base URL. Enter the path of the business accounts without host and query, e.g. ${DEFAULT_TEMPLATES_PATH}.`,
	);
}
