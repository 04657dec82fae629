/** Names and types of files, as others give them. Every text is bounded before it is read. */

/** Most characters of a text that are looked at. */
const LOOKED_AT = 2048;
/** Most bytes of a name, its extension included: file systems take 255. */
const NAME_BYTES = 200;
const EXTENSION_BYTES = 16;

/** A text's first bytes, as whole characters. */
function firstBytes(text: string, bytes: number): string {
	return Buffer.from(text)
		.subarray(0, bytes)
		.toString()
		.replace(/\ufffd$/u, '');
}

/**
 * A name by which a file can be stored anywhere: without folders, without characters that systems refuse or do not show, and of 200 bytes at most.
 * Undefined when nothing is left of it.
 */
export function safeFileName(given: unknown): string | undefined {
	if (typeof given !== 'string') return undefined;
	const last = given.slice(-LOOKED_AT).split(/[/\\]/).at(-1) ?? '';
	const name = trimDots(
		last.replace(/[\p{Cc}\p{Cf}\p{Cs}\u2028\u2029]/gu, '').replace(/[<>:"|?*]/g, '_'),
	);
	const dot = name.lastIndexOf('.');
	const extension = dot > 0 ? firstBytes(name.slice(dot), EXTENSION_BYTES) : '';
	const stem = dot > 0 ? name.slice(0, dot) : name;
	return trimDots(firstBytes(stem, NAME_BYTES - EXTENSION_BYTES) + extension) || undefined;
}

/** Without the blanks and dots around it: `..` is a folder, and a name that begins with a dot is hidden. */
function trimDots(name: string): string {
	let start = 0;
	let end = name.length;
	const isDropped = (character: string | undefined) =>
		character === '.' || character?.trim() === '';
	while (start < end && isDropped(name[start])) start += 1;
	while (end > start && isDropped(name[end - 1])) end -= 1;
	return name.slice(start, end);
}

/** Percent-encoded text as what it stands for, or as it is where it is malformed. */
function decoded(text: string): string {
	try {
		return decodeURIComponent(text);
	} catch {
		return text;
	}
}

/** The name in a `Content-Disposition` header: the extended form before the plain one (RFC 6266). */
export function fileNameOfDisposition(header: unknown): string | undefined {
	if (typeof header !== 'string') return undefined;
	const text = header.slice(0, LOOKED_AT);
	const extended = /filename\*=utf-8'[^';]*'([^;]+)/i.exec(text)?.[1];
	if (extended !== undefined) return safeFileName(decoded(extended.trim()));
	const plain = /filename=(?:"([^"]*)"|([^;"]+))/i.exec(text);
	return safeFileName(plain?.[1] ?? plain?.[2]);
}

/** The name that a URL's path ends with. */
export function fileNameOfUrl({ pathname }: URL): string | undefined {
	return safeFileName(decoded(pathname.slice(pathname.lastIndexOf('/') + 1).slice(-LOOKED_AT)));
}

/** A media type such as `image/jpeg`, without parameters. Undefined for what is none. */
export function mimeTypeOf(given: unknown): string | undefined {
	if (typeof given !== 'string') return undefined;
	const [type = ''] = given.slice(0, LOOKED_AT).split(';');
	const trimmed = type.trim().toLowerCase();
	return trimmed.length <= 127 && /^[\w.+-]+\/[\w.+-]+$/.test(trimmed) ? trimmed : undefined;
}
