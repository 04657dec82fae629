/** A tool's result, phrased in Markdown. */

/** Entries that are shown of a list. */
const MOST_ENTRIES = 10;

/** @param result JSON, or any text */
export function asMarkdown(result: string): string {
	const value = single(parsed(result));
	if (Array.isArray(value)) {
		if (value.length === 0) return 'Nothing.';
		const more = value.length - MOST_ENTRIES;
		return list([
			...value.slice(0, MOST_ENTRIES).map((entry) => fieldsOf(entry).join(', ')),
			...(more > 0 ? [`and ${more} more`] : []),
		]);
	}
	const fields = fieldsOf(value);
	return fields.length > 1 ? list(fields) : fields.join('') || 'Nothing.';
}

const list = (lines: string[]): string => lines.map((line) => `- ${line}`).join('\n');

function parsed(text: string): unknown {
	try {
		return JSON.parse(text);
	} catch {
		return text;
	}
}

/** n8n gives a list of one item where a node gave one. */
const single = (value: unknown): unknown =>
	Array.isArray(value) && value.length === 1 ? value[0] : value;

/** The fields of an object, or the value itself. */
function fieldsOf(value: unknown): string[] {
	if (typeof value !== 'object' || value === null || Array.isArray(value)) return [inWords(value)];
	return Object.entries(value).map(([name, field]) => `**${name}**: ${inWords(field)}`);
}

const inWords = (value: unknown): string =>
	typeof value === 'object' && value !== null ? `\`${JSON.stringify(value)}\`` : String(value);
