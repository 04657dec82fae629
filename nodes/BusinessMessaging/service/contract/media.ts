/** Sizes of media in bytes, and what the service says of media that it does not send. Source: an older published page. */
const KB = 1024;
const MB = 1024 * KB;

/** Largest file that the service takes in, before it converts it. */
export const MEDIA_INPUT_MAX = 100 * MB;

/** Largest file that leaves the service, by kind of message. An animated sticker may be larger than a static one. */
export const MEDIA_MAX = {
	IMAGE: 5 * MB,
	VIDEO: 16 * MB,
	AUDIO: 16 * MB,
	STICKER: 100 * KB,
} as const;
export const ANIMATED_STICKER_MAX = 500 * KB;

export type MediaKind = keyof typeof MEDIA_MAX;

/** Stable codes of errors about media, each with its status: 400 is the caller's to mend; with 502 nothing was sent and it can be tried again. */
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
