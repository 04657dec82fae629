/** What the service converts and sends of media. Source: an older published page. */
const KB = 1024;
const MB = 1024 * KB;

/** The largest file that it sends, in bytes, by kind of message. */
export const MEDIA_MAX = { IMAGE: 5 * MB, VIDEO: 16 * MB, AUDIO: 16 * MB, STICKER: 100 * KB };
export const ANIMATED_STICKER_MAX = 500 * KB;

export type MediaKind = keyof typeof MEDIA_MAX;

/** Types of files, on official channels. Others do not check a URL, so the nodes check no type. */
const PICTURES = [
	'image/jpeg',
	'image/png',
	'image/bmp',
	'image/tiff',
	'image/gif',
	'image/webp',
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
