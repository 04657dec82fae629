import {
	ANIMATED_STICKER_MAX,
	cutText,
	MEDIA_INPUT_MAX,
	MEDIA_MAX,
	MEDIA_SUB_CODES,
	MEDIA_TYPES,
	type MediaKind,
	type MediaSubCode,
} from '../contract.mts';
import { Refusal } from '../core/errors.mts';

/** A media file; its type is in lower case and without parameters. */
export interface MediaFile {
	type: string;
	bytes: Buffer;
}

/** A problem with media, as the service reports it: shape C with a code. */
export const mediaRefusal = (subCode: MediaSubCode, message: string) =>
	new Refusal(MEDIA_SUB_CODES[subCode], message, { shape: 'C', subCode });

export const MEDIA_KINDS = Object.keys(MEDIA_MAX) as MediaKind[];

/** Longest part of a data URL before its comma. */
const MAX_HEADER = 256;

export const isDataUrl = (url: string): boolean => /^data:/i.test(url);

/** The type in a Content-Type header or a data URL, without its parameters. */
export const mediaTypeOf = (text: string): string => text.split(';')[0]!.trim().toLowerCase();

/** Reads `data:<type>;base64,…`. Refuses empty or wrong base64, and files above the limit. */
export function readDataUrl(url: string, field: string): MediaFile {
	const comma = url.slice(0, MAX_HEADER).indexOf(',');
	const header = url.slice('data:'.length, Math.max(comma, 0));
	const type = mediaTypeOf(header);
	const invalid = () =>
		mediaRefusal(
			'MEDIA_INVALID_DATA_URL',
			`${field}: must be data:<media type>;base64,<the file in base64>`,
		);
	if (comma < 0 || !type.includes('/') || !header.toLowerCase().endsWith(';base64'))
		throw invalid();
	let end = url.length;
	while (end > comma + 1 && end > url.length - 2 && url[end - 1] === '=') end -= 1;
	const size = Math.floor(((end - comma - 1) * 3) / 4);
	if (size > MEDIA_INPUT_MAX) throw tooLarge(field, size, MEDIA_INPUT_MAX);
	const bytes = Buffer.from(url.slice(comma + 1, end), 'base64');
	// The decoder drops what is not base64, which makes the result shorter.
	if (size === 0 || bytes.length !== size) throw invalid();
	return { type, bytes };
}

const tooLarge = (field: string, size: number, limit: number) =>
	mediaRefusal('MEDIA_TOO_LARGE', `${field}: ${size} bytes are more than the ${limit} allowed`);

/**
 * Whether a picture moves: the extended header of a WebP file says so, and a GIF repeats itself.
 */
const isAnimated = (bytes: Buffer): boolean =>
	bytes.toString('latin1', 0, 4) === 'GIF8'
		? bytes.includes('NETSCAPE2.0', 0, 'latin1')
		: bytes.toString('latin1', 8, 16) === 'WEBPVP8X' && ((bytes[20] ?? 0) & 0x02) !== 0;

export const isTypeOf = (kind: MediaKind, type: string): boolean =>
	MEDIA_TYPES[kind].includes(type);

/**
 * Refuses a file that is no image, video or audio, whatever the channel takes: the page shows what
 * the sandbox stores.
 */
export function requireMediaType({ type }: MediaFile, field: string): void {
	if (MEDIA_KINDS.some((kind) => isTypeOf(kind, type))) return;
	throw mediaRefusal(
		'MEDIA_MIME_NOT_ALLOWED',
		`${field}: the sandbox does not store files of the type ${cutText(type, 64)}`,
	);
}

/**
 * Refuses a file of another kind, or above the kind's size limit. The sandbox does not convert
 * files.
 */
export function checkMedia(kind: MediaKind, { type, bytes }: MediaFile, field: string): void {
	if (!isTypeOf(kind, type))
		throw mediaRefusal(
			'MEDIA_MIME_NOT_ALLOWED',
			`Media type not allowed for ${kind}: ${cutText(type, 64)}`,
		);
	const limit = kind === 'STICKER' && isAnimated(bytes) ? ANIMATED_STICKER_MAX : MEDIA_MAX[kind];
	if (bytes.length > limit) throw tooLarge(field, bytes.length, limit);
}
