/**
 * Types of files, by their names, by file names and by first bytes. n8n's own helper cannot: it
 * stores each file that it looks at, and names a voice note `.oga`.
 */
import { mimeTypeOf } from './fileName';

const OFFICE = 'application/vnd.openxmlformats-officedocument';
/**
 * What files of each type end with, the usual ending first, and the type's other names, from hosts
 * and other nodes, with or without `x-`. An ending with a dot tells the type, but is replaced.
 */
const TYPES: Readonly<Record<string, string>> = {
	'image/jpeg': 'jpg jpeg .jpe .jfif image/jpg image/pjpeg',
	'image/png': 'png',
	'image/webp': 'webp',
	'image/gif': 'gif',
	'image/bmp': 'bmp image/ms-bmp',
	'image/tiff': 'tiff tif image/tif',
	'image/heic': 'heic',
	'image/avif': 'avif',
	'image/svg+xml': 'svg',
	'video/mp4': 'mp4 m4v video/m4v',
	'video/3gpp': '3gp .3gpp',
	'video/quicktime': 'mov .qt',
	'video/webm': 'webm',
	'video/x-matroska': 'mkv video/matroska',
	'video/x-msvideo': 'avi video/avi video/msvideo video/vnd.avi',
	'video/mpeg': 'mpg mpeg',
	'audio/mpeg': 'mp3 .mpga audio/mp3 audio/mpeg3 audio/mpeg-3 audio/mpg',
	'audio/mp4': 'm4a audio/m4a',
	// Transcription models know Opus in an Ogg file by the ending .ogg alone.
	'audio/ogg': 'ogg .oga .opus application/ogg',
	'audio/opus': 'ogg',
	'audio/wav': 'wav audio/vnd.wave audio/wave audio/pn-wav',
	'audio/webm': 'webm .weba',
	'audio/flac': 'flac',
	'audio/aac': 'aac audio/aacp audio/hx-aac-adts',
	'audio/amr': 'amr',
	'audio/3gpp': '3gp',
	'application/pdf': 'pdf',
	'application/rtf': 'rtf',
	'application/json': 'json',
	'application/msword': 'doc',
	[`${OFFICE}.wordprocessingml.document`]: 'docx',
	[`${OFFICE}.spreadsheetml.sheet`]: 'xlsx',
	'application/vnd.ms-powerpoint': 'ppt',
	[`${OFFICE}.presentationml.presentation`]: 'pptx',
	'application/vnd.oasis.opendocument.text': 'odt',
	'application/vnd.oasis.opendocument.spreadsheet': 'ods',
	'text/csv': 'csv application/csv',
	'text/html': 'html htm',
	'text/xml': 'xml application/xml',
	'text/markdown': 'md',
	'text/calendar': 'ics',
	'text/vcard': 'vcf vcard text/directory',
	// A document can be a ZIP file, or plain text, under its own ending.
	'application/zip': 'zip docx xlsx pptx odt ods epub application/zip-compressed',
	'text/plain': 'txt text log md csv tsv json xml yaml yml ics vcf',
	// Some systems call a CSV file so.
	'application/vnd.ms-excel': 'xls csv',
};
const LISTED = Object.entries(TYPES).map(([type, words]) => [type, words.split(' ')] as const);
const KEPT_ENDINGS = new Map(
	LISTED.map(([type, words]) => [type, words.filter((word) => !/[./]/.test(word))]),
);
/** The type of each ending and of each name. The first type that lists it has it. */
const TYPE_OF = new Map(
	LISTED.flatMap(([type, words]) =>
		[type, ...words].map((word) => [word.replace(/^\./, ''), type] as const),
	).reverse(),
);

/** Names that stand for any bytes. */
const SAYS_NOTHING =
	/^(?:application|binary)\/(?:x-)?(?:octet-stream|binary|download|force-download|unknown)$/;
/** Endings that say nothing of what is in a file. */
const EMPTY_ENDINGS = new Set(['enc', 'bin', 'dat', 'tmp', 'file', 'unknown', 'php']);

/** The name of a type that the service takes. Undefined if the text names no type of files. */
export function usualType(given: unknown): string | undefined {
	const type = mimeTypeOf(given);
	if (type === undefined || SAYS_NOTHING.test(type)) return undefined;
	return TYPE_OF.get(type) ?? TYPE_OF.get(type.replace('/x-', '/')) ?? type;
}

/**
 * The type of a file: as it is said, or else by its first bytes, or by its name.
 * @param file `isAudio`: it is sent as audio, so an MP4 file has no picture
 */
export function typeOfFile(file: {
	mimeType: unknown;
	fileName: string | undefined;
	data: Buffer;
	isAudio?: boolean;
}): string | undefined {
	const { mimeType, fileName, data, isAudio = false } = file;
	const type = usualType(mimeType) ?? typeOfBytes(data, isAudio) ?? typeOfName(fileName);
	if (!isAudio || !type?.startsWith('video/')) return type;
	// Recorders and hosts label sound so, too.
	return typeOfBytes(data, true) ?? type.replace(/^video\/(?=mp4|ogg|webm)/, 'audio/');
}

/** How a page, or the error of a program, begins. No picture, sound or video does. */
const WORDS = /^(?:\xef\xbb\xbf)?\s*(?:<!doctype html|<html|[{[]\s*["{[\]}])/i;
const TYPE_OF_WORDS = /^(?:text\/html|(?:text|application)\/(?:xml|json|[\w.-]+\+json))$/;

/**
 * What a host gave in place of a picture, a sound or a video, such as its page that a link has
 * expired. Undefined if it can be one.
 */
export function otherThanMedia(data: Buffer, mimeType: unknown): string | undefined {
	if (data.length === 0) return 'nothing';
	if (typeOfBytes(data) !== undefined) return undefined;
	const isWords =
		TYPE_OF_WORDS.test(mimeTypeOf(mimeType) ?? '') || WORDS.test(data.toString('latin1', 0, 64));
	return isWords ? 'a page or a text' : undefined;
}

const typeOfName = (fileName: string | undefined) => TYPE_OF.get(endingOf(fileName) ?? '');

/** Texts that a host can serve under any address, and pages that can show a picture. */
const NO_DOCUMENTS = ['application/json', 'text/html', 'text/xml'];

/** Whether this is a document, such as a PDF: by the type that is said, or else by the name. */
export function isDocument(given: unknown, fileName?: string): boolean {
	const type = usualType(given) ?? typeOfName(fileName) ?? '';
	return /^(?:application|text)\//.test(type) && type in TYPES && !NO_DOCUMENTS.includes(type);
}

/** What a file of each type begins with. */
const SIGNATURES: ReadonlyArray<readonly [type: string, head: RegExp]> = [
	['image/jpeg', /^\xff\xd8\xff/],
	['image/png', /^\x89PNG/],
	['image/gif', /^GIF8/],
	['image/tiff', /^(?:II\*|MM.\*)/s],
	['image/webp', /^RIFF....WEBP/s],
	['audio/wav', /^RIFF....WAVE/s],
	['video/x-msvideo', /^RIFF....AVI /s],
	['audio/ogg', /^OggS/],
	// MPEG audio has eleven bits set, then its version and layer: MP3, or AAC without a layer.
	['audio/mpeg', /^(?:ID3|\xff[\xe2\xe3\xf2\xf3\xfa\xfb])/],
	['audio/aac', /^\xff[\xf1\xf9]/],
	['audio/flac', /^fLaC/],
	['audio/amr', /^#!AMR/],
	['application/pdf', /^%PDF-/],
	['audio/mp4', /^....ftypM4[AB]/s],
	['image/heic', /^....ftyp(?:hei|mif1)/s],
	['image/avif', /^....ftypavi/s],
	['video/3gpp', /^....ftyp3g/s],
	['video/quicktime', /^....ftypqt {2}/s],
	['video/mp4', /^....ftyp/s],
	['video/webm', /^.E\xdf\xa3.*webm/s],
	['video/x-matroska', /^.E\xdf\xa3/s],
];

/** The type that a file's first bytes say. Undefined if they say none. */
export function typeOfBytes(data: Buffer, isAudio = false): string | undefined {
	const start = data.toString('latin1', 0, 64);
	const type = SIGNATURES.find(([, head]) => head.test(start))?.[0];
	if (!isAudio || !type?.startsWith('video/')) return type;
	return type === 'video/webm' ? 'audio/webm' : start.startsWith('ftyp', 4) ? 'audio/mp4' : type;
}

function endingOf(name: string | undefined): string | undefined {
	const dot = name?.lastIndexOf('.') ?? -1;
	return dot < 0 ? undefined : name!.slice(dot + 1).toLowerCase();
}

/** A file's name with the ending of its type. Of a type that is not known here, the name itself. */
export function nameWithEnding(name: string, type: string | undefined): string {
	const endings = KEPT_ENDINGS.get(type ?? '');
	const ending = endingOf(name);
	if (!endings || (ending !== undefined && endings.includes(ending))) return name;
	const isEnding = ending !== undefined && (TYPE_OF.has(ending) || EMPTY_ENDINGS.has(ending));
	const stem = isEnding ? name.slice(0, name.lastIndexOf('.')) : name;
	return `${stem || 'file'}.${endings[0]}`;
}
