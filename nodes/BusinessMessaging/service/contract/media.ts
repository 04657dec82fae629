/** The largest file that the service converts. Source: an older published page. */
export const MEDIA_INPUT_MAX = 100 * 1024 ** 2;

/** Codes of errors about media, and their status. After a 502, nothing was sent. Same source. */
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
