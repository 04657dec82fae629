/** How programs that open links call themselves: previews of chat applications, scanners of mail and chat, crawlers, scripts. */
const PROGRAMS =
	/bot\b|crawl|spider|slurp|preview|scan|fetch|facebookexternalhit|facebookcatalog|^whatsapp|^telegram|skypeuripreview|^curl|^wget|^python|^java|^okhttp|^axios|^node|^go-http|^libwww|^apache/i;

/** Whether a request comes from a program that opens links. A person's browser always says what it is. */
export function isProgram(userAgent: unknown): boolean {
	return typeof userAgent !== 'string' || userAgent.trim() === '' || PROGRAMS.test(userAgent);
}
