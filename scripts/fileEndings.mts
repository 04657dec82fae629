/**
 * Writes the table of types of files and their endings, from mime-db:
 *
 *     node scripts/fileEndings.mts
 *
 * A line for each type: its usual ending first, then its other endings and names. `.jpe` tells the
 * type, but is replaced. `+csv` fits, but tells another type. Names count with or without `x-`.
 */
import { writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';

import { checkout } from './checkout.mts';
import { readManifest } from './n8n/package.mts';

const PACKAGE = 'mime-db';
const FILE = 'nodes/BusinessMessaging/service/fileEndings.ts';

type Database = Record<string, { extensions?: string[] }>;

const OFFICE = 'application/vnd.openxmlformats-officedocument';
/** What mime-db does not know: the usual ending, endings of tools, and other names of types. */
const KNOWN_HERE: Record<string, string> = {
	'image/jpeg': 'jpg .jpe .jfif image/jpg image/pjpeg',
	'image/png': 'png apng image/apng',
	'image/webp': 'webp',
	'image/gif': 'gif',
	'image/bmp': 'bmp image/ms-bmp',
	'image/tiff': 'tiff image/tif',
	// Programs save either under both endings.
	'image/heic': 'heic +heif',
	'image/heif': 'heif +heic',
	'image/avif': 'avif',
	'image/svg+xml': 'svg',
	'video/mp4': 'mp4 m4v video/m4v',
	'video/3gpp': '3gp .3gpp 3g2',
	'video/quicktime': 'mov .qt',
	'video/webm': 'webm',
	'video/x-matroska': 'mkv video/matroska',
	'video/x-msvideo': 'avi video/avi video/msvideo video/vnd.avi',
	'video/mpeg': 'mpg video/mp1s video/mp2p',
	'video/ogg': 'ogv',
	'audio/mpeg': 'mp3 .mpga audio/mp3 audio/mpeg3 audio/mpeg-3 audio/mpg',
	'audio/mp4': 'm4a audio/m4a',
	// Transcription models know Opus in an Ogg file by the ending .ogg alone.
	'audio/ogg': 'ogg .oga .ogx .opus application/ogg',
	'audio/opus': '+ogg',
	'audio/wav': 'wav audio/vnd.wave audio/wave audio/pn-wav',
	'audio/webm': '+webm .weba',
	'audio/x-matroska': 'mka audio/matroska',
	'audio/flac': 'flac',
	'audio/aac': 'aac audio/aacp audio/hx-aac-adts',
	'audio/amr': 'amr',
	'audio/3gpp': '+3gp',
	'application/pdf': 'pdf',
	'application/rtf': 'rtf',
	'application/json': 'json',
	'application/msword': 'doc',
	[`${OFFICE}.wordprocessingml.document`]: 'docx',
	[`${OFFICE}.spreadsheetml.sheet`]: 'xlsx',
	'application/vnd.ms-powerpoint': 'ppt',
	[`${OFFICE}.presentationml.presentation`]: 'pptx',
	'text/csv': 'csv application/csv',
	'text/html': 'html',
	'text/xml': 'xml application/xml',
	'text/markdown': 'md',
	'text/calendar': 'ics',
	'text/vcard': 'vcf text/directory',
	'text/tab-separated-values': 'tsv',
	'text/yaml': 'yaml',
	'application/zip': 'zip application/zip-compressed',
	'application/epub+zip': 'epub',
	'text/plain': 'txt +md +csv +tsv +json +xml +yaml +yml +ics +vcf',
	// Some systems call a CSV file so.
	'application/vnd.ms-excel': 'xls +csv',
};

/** Endings that tell no type: words that a name can end with behind a dot. */
const WORDS = ['in', 'def', 'list', 'map', 'dot', 'pot', 'text'];

/** Documents, templates and those with macros of office programs. */
const OF_OFFICE =
	/^application\/vnd\.(?:ms-(?:word|excel|powerpoint)\.|openxmlformats-officedocument\.|oasis\.opendocument\.(?:text|spreadsheet|presentation)(?:-template)?$)/;

export const database = createRequire(import.meta.url)(PACKAGE) as Database;

/** The text of the generated file. */
export function fileEndings(): string {
	const types = new Set([...Object.keys(KNOWN_HERE), ...Object.keys(database).filter(isOfOffice)]);
	// An ending tells one type: the one that is named here, or the first of mime-db.
	const told = new Set(Object.values(KNOWN_HERE).flatMap(endingsThatTell));
	const lines = [...types].map((type) => {
		const more = (database[type]?.extensions ?? []).filter((ending) => !told.has(ending));
		for (const ending of more) told.add(ending);
		const marked = more.map((ending) => (WORDS.includes(ending) ? `+${ending}` : ending));
		return [type, ...(KNOWN_HERE[type]?.split(' ') ?? []), ...marked].join(' ');
	});
	const { version } = readManifest(join(checkout, 'node_modules', PACKAGE));
	return `/**
 * Types of files, each with its endings and other names. It is made by scripts/fileEndings.mts,
 * which says how to read it, of ${PACKAGE} ${version} (MIT License, Jonathan Ong and Douglas
 * Christopher Wilson).
 */
export const FILE_ENDINGS = \`
${lines.filter((line) => line.includes(' ')).join('\n')}
\`;
`;
}

const isOfOffice = (type: string) => OF_OFFICE.test(type);
const endingsThatTell = (words: string) =>
	words
		.split(' ')
		.filter((word) => !word.startsWith('+'))
		.map((word) => word.replace('.', ''));

if (import.meta.main) writeFileSync(join(checkout, FILE), fileEndings());
