import type { IBinaryData, IExecuteFunctions } from 'n8n-workflow';

import {
	filesUnderWay,
	findFile,
	readFile,
	whenRoom,
} from '#nodes/resources/message/content/mediaSource.ts';
import { withUploadedFile } from '#nodes/resources/template/readDefinition.ts';
import type { ServiceClient } from '#nodes/service/client.ts';

const MEGABYTE = 1024 * 1024;

/** n8n's context of an item with a file: in memory, or, by its ID, as large as said. */
function contextWith(binary: IBinaryData, fileSize = 0): IExecuteFunctions {
	return {
		getInputData: () => [{ json: {}, binary: { data: binary } }],
		helpers: {
			getBinaryMetadata: async () => ({ fileSize }),
			getBinaryDataBuffer: async () => Buffer.from(binary.data, 'base64'),
		},
	} as unknown as IExecuteFunctions;
}
const inMemory = (text: string, more: Partial<IBinaryData> = {}): IBinaryData => ({
	data: Buffer.from(text).toString('base64'),
	mimeType: 'image/png',
	...more,
});
const elsewhere = (more: Partial<IBinaryData> = {}) =>
	inMemory('', { id: 'filesystem:1', ...more });

test('a file in memory has its own size, and is read when its turn comes', async () => {
	const media = await findFile(contextWith(inMemory('four')), 'data', 0);
	expect(media).toMatchObject({ bytes: 4, mimeType: 'image/png' });
	expect((await media.read()).toString()).toBe('four');
});

test.each([
	['audio/ogg; codecs=opus', 'audio/ogg'],
	['', 'application/octet-stream'],
	[';', 'application/octet-stream'],
])('gives the type %j as %s', async (mimeType, told) => {
	const file = contextWith(inMemory('a', { mimeType }));
	expect((await findFile(file, 'data', 0)).mimeType).toBe(told);
});

test.each<[Partial<IBinaryData>, string, string]>([
	[{ mimeType: 'audio/mp3' }, 'a', 'audio/mpeg'],
	[{ mimeType: 'application/octet-stream', fileName: 'a.mp3' }, 'a', 'audio/mpeg'],
	[{ mimeType: 'binary/octet-stream' }, 'OggS', 'audio/ogg'],
	[{ mimeType: 'video/mp4' }, '....ftypisom', 'audio/mp4'],
	[{ mimeType: 'video/mp4' }, 'a', 'audio/mp4'],
	[{ mimeType: 'video/ogg' }, 'OggS', 'audio/ogg'],
	[{ mimeType: 'video/quicktime' }, '....ftypqt  ', 'audio/mp4'],
	[{ mimeType: 'video/x-msvideo' }, 'a', 'video/x-msvideo'],
	[{ mimeType: '', fileName: 'voice.mp4' }, 'a', 'audio/mp4'],
	[{ mimeType: '' }, '....ftypisom', 'audio/mp4'],
	[{ mimeType: 'application/octet-stream' }, 'a', 'application/octet-stream'],
])('a file of %j with %j leaves as %s', async (about, data, told) => {
	const media = await findFile(contextWith(inMemory(data, about)), 'data', 0, { isAudio: true });
	expect((await readFile(media)).mimeType).toBe(told);
});

test.each<[Partial<IBinaryData>, string]>([
	[{ mimeType: 'application/pdf' }, 'a'],
	[{ mimeType: 'application/octet-stream', fileName: 'Order 7.PDF' }, 'a'],
	[{ mimeType: 'text/csv' }, 'a'],
	[{ mimeType: '', fileName: 'a.docx' }, 'a'],
	[{ mimeType: 'application/octet-stream' }, '%PDF-1.7'],
])('a document is sent as no media: %j with %j', async (about, data) => {
	const send = async () => {
		const media = await findFile(contextWith(inMemory(data, about)), 'data', 0);
		return (await readFile(media)).mimeType;
	};
	const error: unknown = await send().catch((reason: unknown) => reason);
	const { message, hint = '' } = error as { message: string; hint?: string };
	expect(message).toMatch(/is a document/);
	expect(`${message} ${hint}`).toMatch(/Documents cannot be sent: send a link with Send Text/);
});

test("takes the item's only file if the field has its initial value, and no other", async () => {
	const contextOf = (...names: string[]) =>
		({
			getInputData: () => [
				{ binary: Object.fromEntries(names.map((name) => [name, inMemory(name)])) },
			],
			helpers: { getBinaryDataBuffer: async (_item: number, name: string) => Buffer.from(name) },
		}) as unknown as IExecuteFunctions;
	const found = async (entered: string, ...names: string[]) =>
		(await (await findFile(contextOf(...names), entered, 0)).read()).toString();
	expect(await found('data', 'photo')).toBe('photo');
	expect(await found('data', 'photo', 'data')).toBe('data');
	await expect(found('data', 'a', 'b')).rejects.toThrow(/no file in the field "data".*"a", "b"/);
	await expect(found('data')).rejects.toThrow(/no file in the field "data"/);
	await expect(found('other', 'photo')).rejects.toThrow(/no file in the field "other"/);
});

test('refuses a file that is too large, empty or missing by its field', async () => {
	const find = async (binary: IBinaryData, size: number, field = 'data') =>
		await findFile(contextWith(binary, size), field, 0);
	await expect(find(elsewhere(), 100.5 * MEGABYTE)).rejects.toThrow(
		'The file in the field "data" has 100.5 MB, and the service accepts at most 100 MB. Send a smaller file, or a link to it as a text.',
	);
	await expect(find(elsewhere({ fileName: 'a.png' }), 0)).rejects.toThrow(
		'The file "a.png" in the field "data" is empty, or n8n does not know its size.',
	);
	await expect(find(elsewhere({ fileName: 'x'.repeat(200) }), NaN)).rejects.toThrow(
		`The file "${'x'.repeat(128)}" in the field "data" is empty`,
	);
	await expect(find(elsewhere(), 1, 'photo')).rejects.toThrow(
		'The item has no file in the field "photo". Its files are in "data": enter one of them in "Input Binary Field".',
	);
});

test("says why n8n does not find a file, and leaves other errors of n8n's as they are", async () => {
	const failing = async (message: string) => {
		const context = contextWith(elsewhere());
		context.helpers.getBinaryMetadata = async () => await Promise.reject(new Error(message));
		return await findFile(context, 'data', 0);
	};
	for (const said of ['File not found', 'Binary data file not found'])
		await expect(failing(said)).rejects.toThrow(
			`${said}. It was deleted, or is on the disk of another worker: in queue mode, set N8N_DEFAULT_BINARY_DATA_MODE to database.`,
		);
	await expect(failing('The disk is gone')).rejects.toThrow(/^The disk is gone$/);
});

test('reads no file once the execution was cancelled', async () => {
	const read = jest.fn(async () => Buffer.from('a'));
	await expect(whenRoom(1, AbortSignal.abort(), read)).rejects.toMatchObject({
		message: 'Could not send the file: the execution was cancelled before',
		failure: { reason: 'cancelled', effect: 'none', hint: 'Nothing was sent.' },
	});
	expect(read).not.toHaveBeenCalled();
	expect(await whenRoom(1, new AbortController().signal, read)).toEqual(Buffer.from('a'));
	expect(await whenRoom(1, undefined, read)).toEqual(Buffer.from('a'));
});

test('a file of a template that waits for room ends with its execution', async () => {
	let release = () => {};
	const hold = () => new Promise<void>((done) => (release = done));
	const held = filesUnderWay.spend(200 * MEGABYTE, hold);
	const cancel = new AbortController();
	const read = jest.fn(async () => Buffer.from('a'));
	const file = { bytes: 1, mimeType: 'image/png', fileName: 'a.png', read };
	const none = {} as ServiceClient;
	const context = { getExecutionCancelSignal: () => cancel.signal } as IExecuteFunctions;
	const uploaded = withUploadedFile(context, none, 'b', { definition: {}, file });
	cancel.abort();
	await expect(
		Promise.race([uploaded, new Promise((resolve) => setTimeout(resolve, 1000))]),
	).rejects.toMatchObject({ failure: { reason: 'cancelled', effect: 'none' } });
	expect(read).not.toHaveBeenCalled();
	release();
	await held;
	expect(filesUnderWay.waits).toBe(0);
});
