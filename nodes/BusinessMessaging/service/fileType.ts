/** Types of files, by their names, by file names and by first bytes. */
import { mimeTypeOf } from './fileName';

/** Names that the service takes, and other names of the same types, from hosts and other nodes. */
const OTHER_NAMES: Readonly<Record<string, readonly string[]>> = {
	'audio/mpeg': [
		'audio/mp3',
		'audio/x-mp3',
		'audio/x-mpeg',
		'audio/mpeg3',
		'audio/x-mpeg-3',
		'audio/mpg',
	],
	'audio/mp4': ['audio/m4a', 'audio/x-m4a', 'audio/x-mp4'],
	'audio/wav': ['audio/vnd.wave', 'audio/wave', 'audio/x-wav', 'audio/x-pn-wav'],
	'audio/ogg': ['application/ogg', 'application/x-ogg', 'audio/x-ogg'],
	'audio/aac': ['audio/x-aac', 'audio/aacp', 'audio/x-hx-aac-adts'],
	'audio/amr': ['audio/x-amr'],
	'audio/flac': ['audio/x-flac'],
	'image/jpeg': ['image/jpg', 'image/pjpeg', 'image/x-jpeg'],
	'image/png': ['image/x-png'],
	'image/bmp': ['image/x-bmp', 'image/x-ms-bmp'],
	'image/tiff': ['image/tif', 'image/x-tiff'],
	'video/mp4': ['video/x-m4v', 'video/x-mp4'],
	'video/x-msvideo': ['video/avi', 'video/msvideo', 'video/vnd.avi'],
	'video/x-matroska': ['video/matroska'],
	'application/zip': ['application/x-zip-compressed', 'application/x-zip'],
	'application/pdf': ['application/x-pdf'],
	'text/xml': ['application/xml'],
	'text/vcard': ['text/x-vcard', 'text/directory'],
	'text/csv': ['application/csv', 'text/x-csv'],
};
const NAMES = new Map(
	Object.entries(OTHER_NAMES).flatMap(([type, others]) =>
		others.map((other) => [other, type] as const),
	),
);

/** Names that stand for any bytes. */
const SAYS_NOTHING =
	/^(?:application|binary)\/(?:x-)?(?:octet-stream|binary|download|force-download|unknown)$/;

const OFFICE = 'application/vnd.openxmlformats-officedocument';
/** The endings of each type. The first is the usual one. */
const ENDINGS = new Map<string, readonly string[]>(
	Object.entries({
		...{ 'image/jpeg': ['jpg', 'jpeg'], 'image/png': ['png'], 'image/webp': ['webp'] },
		...{ 'image/gif': ['gif'], 'image/bmp': ['bmp'], 'image/tiff': ['tiff', 'tif'] },
		...{ 'image/heic': ['heic'], 'image/avif': ['avif'], 'image/svg+xml': ['svg'] },
		...{ 'video/mp4': ['mp4', 'm4v'], 'video/3gpp': ['3gp'], 'video/quicktime': ['mov'] },
		...{ 'video/webm': ['webm'], 'video/x-matroska': ['mkv'], 'video/x-msvideo': ['avi'] },
		...{ 'video/mpeg': ['mpg', 'mpeg'], 'video/ogg': ['ogv'] },
		...{ 'audio/mpeg': ['mp3'], 'audio/mp4': ['m4a'], 'audio/ogg': ['ogg'], 'audio/wav': ['wav'] },
		// Opus comes in an Ogg file. Transcription models know that by the ending .ogg alone.
		...{ 'audio/opus': ['ogg'], 'audio/webm': ['webm'], 'audio/flac': ['flac'] },
		...{ 'audio/aac': ['aac'], 'audio/amr': ['amr'], 'audio/3gpp': ['3gp'] },
		...{ 'application/pdf': ['pdf'], 'application/rtf': ['rtf'], 'application/json': ['json'] },
		...{ 'application/msword': ['doc'], [`${OFFICE}.wordprocessingml.document`]: ['docx'] },
		[`${OFFICE}.spreadsheetml.sheet`]: ['xlsx'],
		'application/vnd.ms-powerpoint': ['ppt'],
		[`${OFFICE}.presentationml.presentation`]: ['pptx'],
		'application/vnd.oasis.opendocument.text': ['odt'],
		'application/vnd.oasis.opendocument.spreadsheet': ['ods'],
		...{ 'text/csv': ['csv'], 'text/html': ['html', 'htm'], 'text/xml': ['xml'] },
		...{ 'text/css': ['css'], 'text/markdown': ['md'], 'text/calendar': ['ics'] },
		'text/vcard': ['vcf', 'vcard'],
		// A document can be a ZIP file, or plain text, under its own ending.
		'application/zip': ['zip', 'docx', 'xlsx', 'pptx', 'odt', 'ods', 'epub'],
		'text/plain': [
			'txt',
			'text',
			'log',
			'md',
			'csv',
			'tsv',
			'json',
			'xml',
			'yaml',
			'yml',
			'ics',
			'vcf',
		],
		// Some systems call a CSV file so.
		'application/vnd.ms-excel': ['xls', 'csv'],
	}),
);

/** Types by the endings of file names. */
const TYPES = new Map<string, string>(
	[
		...[...ENDINGS].flatMap(([type, endings]) => endings.map((ending) => [ending, type] as const)),
		...([
			['jpe', 'image/jpeg'],
			['jfif', 'image/jpeg'],
			['oga', 'audio/ogg'],
			['opus', 'audio/ogg'],
			['mpga', 'audio/mpeg'],
			['weba', 'audio/webm'],
			['qt', 'video/quicktime'],
			['3gpp', 'video/3gpp'],
		] as const),
		// The first type that lists an ending has it.
	].reverse(),
);
/** Endings that say nothing of what is in a file. */
const EMPTY_ENDINGS = new Set(['enc', 'bin', 'dat', 'tmp', 'file', 'unknown', 'php']);

/** The name of a type that the service takes. Undefined if the text names no type of files. */
export function usualType(given: unknown): string | undefined {
	const type = mimeTypeOf(given);
	return type === undefined || SAYS_NOTHING.test(type) ? undefined : (NAMES.get(type) ?? type);
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
	return usualType(mimeType) ?? typeOfBytes(data, isAudio) ?? TYPES.get(endingOf(fileName) ?? '');
}

/** Texts that a host can serve under any address, and pages that can show a picture. */
const NO_DOCUMENTS = ['application/json', 'text/html', 'text/css', 'text/xml'];
const DOCUMENTS = new Set(
	[...ENDINGS.keys()].filter(
		(type) => /^(?:application|text)\//.test(type) && !NO_DOCUMENTS.includes(type),
	),
);

/** Whether this is a document, such as a PDF: by the type that is said, or else by the name. */
export const isDocument = (type: unknown, fileName?: string): boolean =>
	DOCUMENTS.has(usualType(type) ?? TYPES.get(endingOf(fileName) ?? '') ?? '');

/** Signatures of formats: what is at which place. */
const SIGNATURES: ReadonlyArray<readonly [type: string, at: number, bytes: string]> = [
	['image/jpeg', 0, '\xff\xd8\xff'],
	['image/png', 0, '\x89PNG\r\n'],
	['image/gif', 0, 'GIF8'],
	['image/tiff', 0, 'II*\0'],
	['image/tiff', 0, 'MM\0*'],
	['image/webp', 8, 'WEBP'],
	['audio/wav', 8, 'WAVE'],
	['video/x-msvideo', 8, 'AVI '],
	['audio/ogg', 0, 'OggS'],
	['audio/mpeg', 0, 'ID3'],
	['audio/flac', 0, 'fLaC'],
	['audio/amr', 0, '#!AMR'],
	['application/pdf', 0, '%PDF-'],
];
/** MPEG audio has eleven bits set, then its version and layer: MP3, or AAC without a layer. */
const MP3_HEADS = ['\xff\xfb', '\xff\xfa', '\xff\xf3', '\xff\xf2', '\xff\xe3', '\xff\xe2'];
const AAC_HEADS = ['\xff\xf1', '\xff\xf9'];

/** The type that a file's first bytes say. Undefined if they say none. */
export function typeOfBytes(data: Buffer, isAudio = false): string | undefined {
	const head = data.toString('latin1', 0, 64);
	const signed = SIGNATURES.find(([, at, bytes]) => head.startsWith(bytes, at));
	if (signed && (signed[1] === 0 || head.startsWith('RIFF'))) return signed[0];
	if (head.startsWith('ftyp', 4)) return typeOfBrand(head.slice(8, 12), isAudio);
	if (head.startsWith('\x1a\x45\xdf\xa3'))
		return head.includes('webm') ? (isAudio ? 'audio/webm' : 'video/webm') : 'video/x-matroska';
	const start = head.slice(0, 2);
	return MP3_HEADS.includes(start)
		? 'audio/mpeg'
		: AAC_HEADS.includes(start)
			? 'audio/aac'
			: undefined;
}

/** What an MP4 file is, by its brand. */
function typeOfBrand(brand: string, isAudio: boolean): string {
	if (brand.startsWith('M4A') || brand.startsWith('M4B') || isAudio) return 'audio/mp4';
	if (brand.startsWith('3g')) return 'video/3gpp';
	if (brand === 'qt  ') return 'video/quicktime';
	if (brand.startsWith('hei') || brand === 'mif1') return 'image/heic';
	return brand.startsWith('avi') ? 'image/avif' : 'video/mp4';
}

function endingOf(name: string | undefined): string | undefined {
	const dot = name?.lastIndexOf('.') ?? -1;
	return dot < 0 ? undefined : name!.slice(dot + 1).toLowerCase();
}

/** A file's name with the ending of its type. Of a type that is not known here, the name itself. */
export function nameWithEnding(name: string, type: string | undefined): string {
	const endings = type === undefined ? undefined : ENDINGS.get(type);
	const ending = endingOf(name);
	if (!endings || (ending !== undefined && endings.includes(ending))) return name;
	const isEnding = ending !== undefined && (TYPES.has(ending) || EMPTY_ENDINGS.has(ending));
	const stem = isEnding ? name.slice(0, name.lastIndexOf('.')) : name;
	return `${stem || 'file'}.${endings[0]}`;
}
