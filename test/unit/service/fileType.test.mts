import { FILE_ENDINGS } from '#nodes/service/fileEndings.ts';
import { nameWithEnding, typeOfFile, usualType } from '#nodes/service/fileType.ts';
import { database, fileEndings } from '#scripts/fileEndings.mts';
import { MEDIA_TYPES } from '#sandbox/mediaLimits.mts';

const OFFICE = 'application/vnd.openxmlformats-officedocument';
const NOTHING = 'application/octet-stream';
const bytes = (text: string) => Buffer.from(text, 'latin1');
const ofBytes = (text: string, more: { isAudio?: boolean; fileName?: string } = {}) =>
	typeOfFile({ mimeType: NOTHING, fileName: undefined, data: bytes(text), ...more });

test.each([
	['audio/mp3', 'audio/mpeg'],
	['audio/x-mpeg', 'audio/mpeg'],
	['audio/m4a', 'audio/mp4'],
	['audio/x-m4a', 'audio/mp4'],
	['audio/vnd.wave', 'audio/wav'],
	['image/jpg', 'image/jpeg'],
	['Image/JPG; q=1', 'image/jpeg'],
	['application/ogg', 'audio/ogg'],
	['audio/ogg; codecs=opus', 'audio/ogg'],
	['text/made-up', 'text/made-up'],
	['image/apng', 'image/png'],
	['video/MP1S', 'video/mpeg'],
	['video/mp2p', 'video/mpeg'],
	['video/x-matroska', 'video/x-matroska'],
	['audio/matroska', 'audio/x-matroska'],
	['application/octet-stream', undefined],
	['video/3gpp2', undefined],
	['binary/octet-stream', undefined],
	['application/force-download', undefined],
	['', undefined],
	['constructor', undefined],
])('the type %j is called %j', (given, type) => {
	expect(usualType(given)).toBe(type);
});

test('every type that the service takes is called so, or by another name that it takes', () => {
	for (const taken of Object.values(MEDIA_TYPES))
		for (const type of taken) expect(taken).toContain(usualType(type));
});

test.each([
	['\xff\xd8\xff\xe0', 'image/jpeg'],
	['\x89PNG\r\n\x1a\n', 'image/png'],
	['GIF89a', 'image/gif'],
	['RIFF....WEBP', 'image/webp'],
	['RIFF....WAVE', 'audio/wav'],
	['RF64....WAVE', 'audio/wav'],
	['....????WAVE', undefined],
	['BM....\0\0\0\0', 'image/bmp'],
	['BMW is a car', undefined],
	['OggS\0', 'audio/ogg'],
	[`OggS${'.'.repeat(24)}\x80theora`, 'video/ogg'],
	[`OggS${'.'.repeat(24)}fishead${'.'.repeat(73)}OggS${'.'.repeat(24)}\x80theora`, 'video/ogg'],
	[`OggS${'.'.repeat(24)}\x01vorbis${'.'.repeat(23)}OggS${'.'.repeat(24)}OVP80`, 'video/ogg'],
	['\0\0\x01\xba!', 'video/mpeg'],
	['\0\0\x01\xb3\x14', 'video/mpeg'],
	['ID3\x04', 'audio/mpeg'],
	['ID3\x04\0\0\0\0\0\x04....\xff\xf1\x50', 'audio/aac'],
	['ID3\x04\0\x10\0\0\0\x04....3DI.......\xff\xf9\x50', 'audio/aac'],
	[`ID3\x04\0\0\0\0\x05\x00${'.'.repeat(640)}fLaC`, 'audio/flac'],
	['ID3\x04\0\0\0\0\0\x04....\xff\xfb\x90', 'audio/mpeg'],
	['ID3\x04\0\0\x7f\x7f\x7f\x7f....', 'audio/mpeg'],
	['\xff\xfd\x90', 'audio/mpeg'],
	['\xff\xfb\x90', 'audio/mpeg'],
	['\xff\xf1\x50', 'audio/aac'],
	['fLaC', 'audio/flac'],
	['#!AMR\n', 'audio/amr'],
	['....ftypM4A ', 'audio/mp4'],
	['....ftypF4A ', 'audio/mp4'],
	['....ftypF4B ', 'audio/mp4'],
	['....ftypheic', 'image/heic'],
	['....ftyphevc', 'image/heic'],
	['....ftyphevx', 'image/heic'],
	['....ftypmif1', 'image/heic'],
	['....ftypmsf1', 'image/heic'],
	['....ftypisom', 'video/mp4'],
	['....ftyp3gp4', 'video/3gpp'],
	['....ftypqt  ', 'video/quicktime'],
	['....ftypavif', 'image/avif'],
	['II*\0', 'image/tiff'],
	['\x1a\x45\xdf\xa3....matroska', 'video/x-matroska'],
	['\x1a\x45\xdf\xa3....webm', 'video/webm'],
	['%PDF-1.7', 'application/pdf'],
	['\xef\xbb\xbf%PDF-1.7', 'application/pdf'],
	['', undefined],
	['words', undefined],
])('the first bytes %j tell %j', (head, type) => {
	expect(ofBytes(head)).toBe(type);
});

test.each([
	['....ftypisom', 'audio/mp4'],
	['\x1a\x45\xdf\xa3....matroska', 'audio/x-matroska'],
	['\x1a\x45\xdf\xa3....webm', 'audio/webm'],
	[`OggS${'.'.repeat(24)}\x80theora`, 'audio/ogg'],
])('a file of %j that is sent as audio is %s', (head, type) => {
	expect(ofBytes(head, { isAudio: true })).toBe(type);
});

test.each([
	['video/3gpp2', '....ftyp3g2a', 'a.3g2', 'video/3gpp'],
	['video/3gpp2', '....ftypisom', 'a.3g2', 'video/mp4'],
	['video/3gpp2', '?', 'a.3g2', 'video/3gpp'],
	['video/matroska', '\x1a\x45\xdf\xa3....matroska', 'voice.mka', 'audio/x-matroska'],
	['video/matroska', '\x1a\x45\xdf\xa3....matroska', 'film.mkv', 'video/x-matroska'],
	[NOTHING, '\x1a\x45\xdf\xa3....webm', 'voice.weba', 'audio/webm'],
	['image/apng', '\x89PNG', 'a.png', 'image/png'],
])(
	'what is said to be %s, of the bytes %j and the name %s, is %s',
	(mimeType, head, fileName, type) => {
		expect(typeOfFile({ mimeType, fileName, data: bytes(head) })).toBe(type);
	},
);

test.each([
	['voice.MP3', 'audio/mpeg'],
	['voice.oga', 'audio/ogg'],
	['voice.opus', 'audio/ogg'],
	['a.b.jpeg', 'image/jpeg'],
	['table.csv', 'text/csv'],
	['letter.docx', 'application/vnd.openxmlformats-officedocument.wordprocessingml.document'],
	['letter.constructor', undefined],
	['letter', undefined],
])('without telling bytes, the name %j tells %j', (fileName, type) => {
	expect(ofBytes('?', { fileName })).toBe(type);
});

test.each([
	['photo.jpg', 'image/jpeg', 'photo.jpg'],
	['photo.JPEG', 'image/jpeg', 'photo.JPEG'],
	['5f', 'audio/ogg', '5f.ogg'],
	['voice.oga', 'audio/ogg', 'voice.ogg'],
	['voice.opus', 'audio/ogg', 'voice.ogg'],
	['voice.opus', 'audio/opus', 'voice.ogg'],
	['voice.enc', 'audio/ogg', 'voice.ogg'],
	['attachment_0', 'image/png', 'attachment_0.png'],
	['Mr. Smith', 'image/png', 'Mr. Smith.png'],
	['v1.2', 'application/pdf', 'v1.2.pdf'],
	['v1.2', 'text/plain', 'v1.2.txt'],
	['good', 'text/plain', 'good.txt'],
	['Dr.Ana', 'text/plain', 'Dr.Ana.txt'],
	['download.aspx', 'application/zip', 'download.zip'],
	['letter.docx', 'application/pdf', 'letter.pdf'],
	['letter.docx', 'application/zip', 'letter.docx'],
	['orcamento.xlsm', `${OFFICE}.spreadsheetml.sheet`, 'orcamento.xlsm'],
	['orcamento.xlsx', 'application/vnd.ms-excel', 'orcamento.xlsx'],
	['orcamento.docx', `${OFFICE}.spreadsheetml.sheet`, 'orcamento.xlsx'],
	['apresentacao.odp', 'application/zip', 'apresentacao.odp'],
	['extrato.ofx', 'text/plain', 'extrato.ofx'],
	['EXTRATO.OFX', 'text/xml', 'EXTRATO.OFX'],
	['page.html', 'text/plain', 'page.txt'],
	['foto.heif', 'image/heic', 'foto.heif'],
	['foto.jpg', 'image/heic', 'foto.heic'],
	['Check.in', 'image/png', 'Check.in.png'],
])('%s of the type %s is named %s', (name, type, named) => {
	expect(nameWithEnding(name, type)).toBe(named);
});

test('the table is the one that scripts/fileEndings.mts makes, and each ending tells one type', () => {
	expect(fileEndings()).toContain(`\`${FILE_ENDINGS}\``);
	const telling = FILE_ENDINGS.match(/(?<= )\.?[a-z][^ \n]*/g)!;
	expect(telling.length).toBeGreaterThan(100);
	expect([...new Set(telling)]).toEqual(telling);
});

/** What differs from mime-db, and why. */
const DIFFERENT = {
	// n8n and other tools name files so, by the first ending of their table. No person does.
	replaced: ['3gpp', 'jfif', 'jpe', 'mpga', 'oga', 'ogx', 'opus', 'qt', 'weba'],
	// Words that a name can end with behind a dot, and the endings of application/xml, which the
	// table has as another name of text/xml alone.
	tellNothing: ['def', 'dot', 'in', 'list', 'map', 'pot', 'rng', 'text', 'xsd', 'xsl'],
	// Of these two, a file that is no voice note is likelier a video.
	tellAnother: ['3gpp audio/3gpp video/3gpp'],
};

test('of every type, the endings of mime-db stay and tell it', () => {
	const types = [
		...FILE_ENDINGS.match(/^\S+/gm)!,
		...Object.values(MEDIA_TYPES).flat(),
		...FILE_ENDINGS.match(/(?<= )\S+\/\S+/g)!,
	];
	const found = { replaced: new Set(), tellNothing: new Set(), tellAnother: new Set() };
	for (const type of new Set(types))
		for (const ending of database[type]?.extensions ?? []) {
			const name = `a.${ending}`;
			const told = ofBytes('?', { fileName: name });
			const named = nameWithEnding(name, usualType(type));
			expect(named).toMatch(/^a\.\w+$/);
			if (named !== name) found.replaced.add(ending);
			if (told === undefined) found.tellNothing.add(ending);
			else if (told !== usualType(type)) found.tellAnother.add(`${ending} ${type} ${told}`);
		}
	const sorted = Object.entries(found).map(([name, set]) => [name, [...set].sort()]);
	expect(Object.fromEntries(sorted)).toEqual(DIFFERENT);
});
