/**
 * A text, such as a URL, without the signatures in it. A webhook's URL can be n8n's own resume URL, whose signature lets the execution go on: an item
 * would keep it for all who may read executions. Any case, and also where the URL is malformed, or part of another.
 */
export function withoutSignatures(text: string): string {
	return text.replace(/(signature(?:=|%3d))[^&#\s"<>]*/gi, '$1[hidden]');
}
