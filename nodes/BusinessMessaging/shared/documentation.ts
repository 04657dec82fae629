const PAGES =
	'https://github.com/n8n-nodes-business-messaging/n8n-nodes-business-messaging/blob/main/docs/';

/** The address of a page in docs/, or of a place in it: `nodes.md#trigger`. */
export const pageAt = (place: string): string => `${PAGES}${place}`;

/** A link to a page in docs/, for a field's description, which the editor shows as HTML. */
export const linkTo = (place: string, words: string): string =>
	`<a href="${pageAt(place)}">${words}</a>`;
