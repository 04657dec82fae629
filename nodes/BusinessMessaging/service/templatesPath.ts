import { DEFAULT_TEMPLATES_PATH } from './contract';

const SEGMENT = /^[\w~-][\w.~-]*$/;

/**
 * The segments of the credential's *Templates Path*. It is below the Base URL, never at another
 * host.
 * @throws Error that names the field and the remedy
 */
export function templatesPathOf(typed: unknown): string[] {
	const text = typeof typed === 'string' ? typed.trim() : '';
	const path = text || DEFAULT_TEMPLATES_PATH;
	const segments = path.replace(/^\//, '').replace(/\/$/, '').split('/');
	if (segments.every((segment) => SEGMENT.test(segment))) return segments;
	throw new Error(
		`The Templates Path in the credential is not a path below the Base URL. Enter the path of the business accounts without host and query, e.g. ${DEFAULT_TEMPLATES_PATH}.`,
	);
}
