const ENTITIES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' };

/**
 * Escapes a text that n8n's editor shows as HTML: descriptions of errors, and hints. They quote
 * others, who could have written a link. The text never enters an attribute, so quotes can stay.
 */
export const asHtml = (text: string): string =>
	text.replace(/[&<>]/g, (character) => ENTITIES[character] ?? character);
