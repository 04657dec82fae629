/** Sizes of media in bytes, and codes of errors about media. Source: an older published page. */
const KB = 1024;
const MB = 1024 * KB;

/** The largest file that the service converts. */
export const MEDIA_INPUT_MAX = 100 * MB;

/** The largest file that the service sends, by kind of message. */
export const MEDIA_MAX = {
	IMAGE: 5 * MB,
	VIDEO: 16 * MB,
	AUDIO: 16 * MB,
	STICKER: 100 * KB,
} as const;
export const ANIMATED_STICKER_MAX = 500 * KB;

export type MediaKind = keyof typeof MEDIA_MAX;

/** Codes of errors about media, with their status. After a 502 the message can be sent again. */
export const MEDIA_SUB_CODES = {
	MEDIA_URL_REQUIRED: 400,
	MEDIA_INVALID_URL: 400,
	MEDIA_INVALID_DATA_URL: 400,
	MEDIA_MIME_NOT_ALLOWED: 400,
	MEDIA_TOO_LARGE: 400,
	MEDIA_CAPTION_TOO_LONG: 400,
	MEDIA_UNSUPPORTED_ATTACHMENT: 400,
	MEDIA_DOWNLOAD_FAILED: 502,
	MEDIA_CONVERSION_FAILED: 502,
	MEDIA_UPLOAD_FAILED: 502,
	MEDIA_PROCESSING_FAILED: 502,
} as const;
export type MediaSubCode = keyof typeof MEDIA_SUB_CODES;

/**
 * Types of files that the service converts and sends on official channels. Other channels do not
 * check a URL, so the nodes check no type. Source: an older published page, which names the
 * formats.
 */
const PICTURES = [
	...['image/jpeg', 'image/png', 'image/bmp', 'image/tiff', 'image/gif', 'image/webp'],
] as const;
export const MEDIA_TYPES = {
	IMAGE: PICTURES,
	VIDEO: ['video/mp4', 'video/3gpp', 'video/x-matroska', 'video/x-msvideo', 'video/quicktime'],
	AUDIO: [
		...['audio/aac', 'audio/amr', 'audio/mpeg', 'audio/mp4', 'audio/x-m4a', 'audio/ogg'],
		...['audio/opus', 'audio/wav', 'audio/x-wav', 'audio/flac', 'audio/x-flac'],
	],
	STICKER: PICTURES,
} as const satisfies Record<MediaKind, readonly string[]>;
