/** Names and types of files from others. Each text is cut before it is read. */

/** Characters of a text that are read. */
const HEADER_READ_MAX = 2048;
/** Bytes of a name with its extension. File systems allow 255. */
const NAME_BYTES = 200;
const EXTENSION_BYTES = 16;

/** The first bytes of a text, without a cut character. */
const firstBytes = (text: string, bytes: number): string =>
	Buffer.from(text)
		.subarray(0, bytes)
		.toString()
		.replace(/\ufffd$/u, '');

/** A name for every file system: no folder, no odd sign, 200 bytes at most. Or undefined. */
export function safeFileName(given: unknown): string | undefined {
	if (typeof given !== 'string') return undefined;
	const last = given.slice(-HEADER_READ_MAX).split(/[/\\]/).at(-1) ?? '';
	const name = trimDots(
		last.replace(/[\p{Cc}\p{Cf}\p{Cs}\u2028\u2029]/gu, '').replace(/[<>:"|?*]/g, '_'),
	);
	const dot = name.lastIndexOf('.');
	const extension = dot > 0 ? firstBytes(name.slice(dot), EXTENSION_BYTES) : '';
	const stem = dot > 0 ? name.slice(0, dot) : name;
	return trimDots(firstBytes(stem, NAME_BYTES - EXTENSION_BYTES) + extension) || undefined;
}

/** Removes blanks and dots around a name: `..` is a folder, and a leading dot hides a file. */
function trimDots(name: string): string {
	let start = 0;
	let end = name.length;
	const isDropped = (character: string | undefined) =>
		character === '.' || character?.trim() === '';
	while (start < end && isDropped(name[start])) start += 1;
	while (end > start && isDropped(name[end - 1])) end -= 1;
	return name.slice(start, end);
}

/** Decodes percent-encoding. Undefined if it is malformed. */
function decoded(text: string): string | undefined {
	try {
		return decodeURIComponent(text);
	} catch {
		return undefined;
	}
}

/** A parameter of a header: its name, its value in quotes and the last of them, or a bare value. */
const PARAMETER = /;([^;=]*)(?:=[ \t]*(?:"((?:[^"\\]|\\.)*)\\?("?)[^;]*|([^;]*)))?/gs;
const EXTENDED = /^(?:(utf-?8)|iso-8859-1)'[^']*'(.*)$/is;

/** A value in the extended form. Nothing if it is malformed, or in another charset (RFC 8187). */
function extendedValue(value: string): string | undefined {
	const [, isUtf8, encoded = ''] = EXTENDED.exec(value) ?? [];
	if (isUtf8) return decoded(encoded);
	return encoded.replace(/%([\da-f]{2})/gi, (_, hex: string) =>
		String.fromCharCode(parseInt(hex, 16)),
	);
}

/** The name in a `Content-Disposition` header. The extended form comes first (RFC 6266). */
export function fileNameOfDisposition(header: unknown): string | undefined {
	if (typeof header !== 'string') return undefined;
	const given: { extended?: string; plain?: string | undefined } = {};
	for (const [, key, quoted, end, bare] of header.slice(0, HEADER_READ_MAX).matchAll(PARAMETER)) {
		const name = key!.trim().toLowerCase();
		// The extended form has no quotes. Of two values, the first counts.
		if (name === 'filename*') given.extended ??= bare?.trim() ?? '';
		else if (name === 'filename')
			given.plain ??= end ? quoted!.replace(/\\(.)/gs, '$1') : bare?.trim();
	}
	return safeFileName(extendedValue(given.extended ?? '')) ?? safeFileName(given.plain);
}

/** The last segment of a URL's path. */
export function fileNameOfUrl({ pathname }: URL): string | undefined {
	const segment = pathname.slice(pathname.lastIndexOf('/') + 1).slice(-HEADER_READ_MAX);
	return safeFileName(decoded(segment) ?? segment);
}

/** A media type such as `image/jpeg`, without parameters. Undefined for other texts. */
export function mimeTypeOf(given: unknown): string | undefined {
	if (typeof given !== 'string') return undefined;
	const [type = ''] = given.slice(0, HEADER_READ_MAX).split(';');
	const trimmed = type.trim().toLowerCase();
	return trimmed.length <= 127 && /^[\w.+-]+\/[\w.+-]+$/.test(trimmed) ? trimmed : undefined;
}
