/**
 * Types of files, by their names, by file names and by first bytes. n8n's own helper cannot: it
 * stores each file that it looks at, and names a voice note `.oga`.
 */
import { FILE_ENDINGS } from './fileEndings';
import { mimeTypeOf } from './fileName';

const ROWS = FILE_ENDINGS.trim()
	.split('\n')
	.map((line) => line.split(' ') as [type: string, ...words: string[]]);
/** The endings that a file of each type keeps, the usual one first. */
const KEPT_ENDINGS = new Map(
	ROWS.map(([type, ...words]) => [
		type,
		words.filter((word) => !/[./]/.test(word)).map((word) => word.replace('+', '')),
	]),
);
/** The type of each ending and of each name. */
const TYPE_OF = new Map(
	ROWS.flatMap(([type, ...words]) =>
		[type, ...words.filter((word) => !word.startsWith('+'))].map(
			(word) => [word.replace(/^\./, ''), type] as const,
		),
	),
);
/** A document of an office program keeps an ending of this program, whichever type is said. */
const PROGRAMS = [/word/, /excel|spreadsheetml/, /powerpoint|presentationml/];
/** Types that are said of any file of this kind, and the endings that people give it. */
const ANY_FILE = new Set(['application/zip', 'text/plain', 'text/xml', 'application/json']);
const PERSONS_ENDING = /\.(?:[a-z]{2,4}|[A-Z]{2,4})$/;
const ZIPPED = /macroenabled|openxml|opendocument|\+zip/;

/** Names that stand for any bytes, and one that the service does not take: 3GP or MP4 may be so. */
const SAYS_NOTHING =
	/^(?:(?:application|binary)\/(?:x-)?(?:octet-stream|binary|download|force-download|unknown)|(?:audio|video)\/3gpp2)$/;
/** Endings that say nothing of what is in a file. */
const EMPTY_ENDINGS = new Set([
	...['enc', 'bin', 'dat', 'tmp', 'file', 'unknown'],
	...['php', 'asp', 'aspx', 'ashx', 'jsp', 'cgi', 'do'],
]);

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
	const named = typeOfName(fileName);
	const type = usualType(mimeType) ?? typeOfBytes(data, isAudio) ?? named;
	const isSound = isAudio || SOUND_BY_NAME.has(named);
	if (!isSound || !type?.startsWith('video/')) return type;
	// Recorders and hosts label sound so, too.
	return typeOfBytes(data, true) ?? type.replace(MAY_BE_SOUND, 'audio/');
}

/** Files that hold sound or a video, and begin with the same bytes. */
const MAY_BE_SOUND = /^video\/(?=mp4|ogg|webm|x-matroska)/;
/** Types that only a name or the use of a file tells. */
const SOUND_BY_NAME = new Set<string | undefined>(['audio/webm', 'audio/x-matroska']);

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
	return (
		/^(?:application|text)\//.test(type) && KEPT_ENDINGS.has(type) && !NO_DOCUMENTS.includes(type)
	);
}

/** What a file of each type begins with. */
const SIGNATURES: ReadonlyArray<readonly [type: string, head: RegExp]> = [
	['image/jpeg', /^\xff\xd8\xff/],
	['image/png', /^\x89PNG/],
	['image/gif', /^GIF8/],
	['image/bmp', /^BM.{4}\0{4}/s],
	['image/tiff', /^(?:II\*|MM.\*)/s],
	['image/webp', /^RIFF....WEBP/s],
	['audio/wav', /^R(?:IFF|F64)....WAVE/s],
	['video/x-msvideo', /^RIFF....AVI /s],
	// Each stream of an Ogg file says at the beginning what it is.
	['video/ogg', /^OggS(?:.*OggS)?.{24}(?:\x80theora|.video|OVP80|BBCD)/s],
	['audio/ogg', /^OggS/],
	// MPEG audio has eleven bits set, then its version and layer: MP2, MP3, or AAC without a layer.
	['audio/mpeg', /^(?:ID3|\xff[\xe2\xe3\xf2-\xf5\xfa-\xfd])/],
	['audio/aac', /^\xff[\xf1\xf9]/],
	['audio/flac', /^fLaC/],
	['audio/amr', /^#!AMR/],
	['application/pdf', /^(?:\xef\xbb\xbf)?\s*%PDF-/],
	['audio/mp4', /^....ftyp[MF]4[AB]/s],
	['image/heic', /^....ftyp(?:he[iv]|m[is]f1)/s],
	['image/avif', /^....ftypavi/s],
	['video/3gpp', /^....ftyp3g/s],
	['video/quicktime', /^....ftypqt {2}/s],
	['video/mp4', /^....ftyp/s],
	['video/mpeg', /^\0\0[^\0][\xb3\xba]/],
	['video/webm', /^.E\xdf\xa3.{0,56}webm/s],
	['video/x-matroska', /^.E\xdf\xa3/s],
];

/** Enough bytes to know the streams of an Ogg file. */
const startAt = (data: Buffer, at: number) => data.toString('latin1', at, at + 512);

/** Where a file begins behind a tag (ID3), whose four bytes of length have seven bits each. */
function endOfTag(start: string): number {
	const [, footer, length] = /^ID3..(.)([\0-\x7f]{4})/s.exec(start) ?? [];
	if (!footer || !length) return 0;
	const bytes = [...length].reduce((sum, byte) => sum * 128 + byte.charCodeAt(0), 0);
	return 10 + bytes + (footer.charCodeAt(0) & 16 ? 10 : 0);
}

/** The type that a file's first bytes say. Undefined if they say none. */
export function typeOfBytes(data: Buffer, isAudio = false): string | undefined {
	const start = startAt(data, 0);
	const typeOf = (bytes: string) => SIGNATURES.find(([, head]) => head.test(bytes))?.[0];
	const type = typeOf(startAt(data, endOfTag(start))) ?? typeOf(start);
	if (!isAudio || !type?.startsWith('video/')) return type;
	return start.startsWith('ftyp', 4) ? 'audio/mp4' : type.replace(MAY_BE_SOUND, 'audio/');
}

function endingOf(name: string | undefined): string | undefined {
	const dot = name?.lastIndexOf('.') ?? -1;
	return dot < 0 ? undefined : name!.slice(dot + 1).toLowerCase();
}

/** Whether a name ends as a person or a program can name a file of a type. */
function fits(name: string, type: string): boolean {
	const ending = endingOf(name) ?? '';
	if (KEPT_ENDINGS.get(type)!.includes(ending)) return true;
	const own = TYPE_OF.get(ending);
	if (own !== undefined)
		return (
			PROGRAMS.some((program) => program.test(own) && program.test(type)) ||
			(type === 'application/zip' && ZIPPED.test(own))
		);
	return ANY_FILE.has(type) && PERSONS_ENDING.test(name) && !EMPTY_ENDINGS.has(ending);
}

/**
 * A file's name with an ending of its type: its own, if it fits. Of a type that is not known here,
 * the name itself.
 */
export function nameWithEnding(name: string, type = ''): string {
	const endings = KEPT_ENDINGS.get(type);
	if (!endings || fits(name, type)) return name;
	const ending = endingOf(name) ?? '';
	const isEnding = TYPE_OF.has(ending) || EMPTY_ENDINGS.has(ending);
	const stem = isEnding ? name.slice(0, name.lastIndexOf('.')) : name;
	return `${stem || 'file'}.${endings[0]}`;
}
