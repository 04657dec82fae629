/** What crawlers, scanners and previews call themselves that claim to be a browser, too. */
const PROGRAMS = /bot\b|crawl|spider|slurp|preview|scan|fetch/i;

/**
 * Whether a request comes from a program that opens links. Every browser of a person says that it is one, and begins with `Mozilla/`; the previews of chat
 * applications, and scripts, give their own name.
 */
export function isProgram(userAgent: unknown): boolean {
	return typeof userAgent !== 'string' || !userAgent.startsWith('Mozilla/') || PROGRAMS.test(userAgent);
}
