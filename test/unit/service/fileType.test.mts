import {
	nameWithEnding,
	typeOfFile,
	usualType,
} from '../../../nodes/BusinessMessaging/service/fileType.ts';
import { MEDIA_TYPES } from '../../../sandbox/media/limits.mts';

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
	['application/octet-stream', undefined],
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
	['....????WAVE', undefined],
	['OggS\0', 'audio/ogg'],
	['ID3\x04', 'audio/mpeg'],
	['\xff\xfb\x90', 'audio/mpeg'],
	['\xff\xf1\x50', 'audio/aac'],
	['fLaC', 'audio/flac'],
	['#!AMR\n', 'audio/amr'],
	['....ftypM4A ', 'audio/mp4'],
	['....ftypisom', 'video/mp4'],
	['....ftyp3gp4', 'video/3gpp'],
	['....ftypqt  ', 'video/quicktime'],
	['....ftypavif', 'image/avif'],
	['II*\0', 'image/tiff'],
	['\x1a\x45\xdf\xa3....matroska', 'video/x-matroska'],
	['', undefined],
	['words', undefined],
])('the first bytes %j tell %j', (head, type) => {
	expect(ofBytes(head)).toBe(type);
});

test('an MP4 file that is sent as audio is audio', () => {
	expect(ofBytes('....ftypisom', { isAudio: true })).toBe('audio/mp4');
});

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
])('%s of the type %s is named %s', (name, type, named) => {
	expect(nameWithEnding(name, type)).toBe(named);
});
