/** What crawlers, scanners and previews call themselves that claim to be a browser, too. */
const PROGRAMS = /bot\b|crawl|spider|slurp|preview|scan|fetch/i;

/** How browsers of persons begin. The last two run on simple phones. */
const BROWSERS = /^(Mozilla|Opera|UCWEB)\//;

/** Whether a request comes from a program that opens links. Every browser says that it is one; the previews of chat applications, and scripts, give their own name. */
export function isProgram(userAgent: unknown): boolean {
	return typeof userAgent !== 'string' || !BROWSERS.test(userAgent) || PROGRAMS.test(userAgent);
}
