/** What the service converts and sends of media. Source: an older published page. */
const [KB, MB] = [1024, 1024 ** 2];

/** The largest file that it sends, in bytes, by kind of message. */
export const MEDIA_MAX = { IMAGE: 5 * MB, VIDEO: 16 * MB, AUDIO: 16 * MB, STICKER: 100 * KB };
export const ANIMATED_STICKER_MAX = 500 * KB;
export type MediaKind = keyof typeof MEDIA_MAX;

const typesOf = (kind: string, names: string) => names.split(' ').map((name) => `${kind}/${name}`);
const PICTURES = typesOf('image', 'jpeg png bmp tiff gif webp');
/** Types of files, on official channels. Others do not check a URL, so the nodes check no type. */
export const MEDIA_TYPES: Record<MediaKind, readonly string[]> = {
	IMAGE: PICTURES,
	VIDEO: typesOf('video', 'mp4 3gpp x-matroska x-msvideo quicktime'),
	AUDIO: typesOf('audio', 'aac amr mpeg mp4 x-m4a ogg opus wav x-wav flac x-flac'),
	STICKER: PICTURES,
};
