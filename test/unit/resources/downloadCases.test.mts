import { Readable } from 'node:stream';

import type { IBinaryData, IHttpRequestOptions } from 'n8n-workflow';

import { run } from './actionNode.mts';

/** Downloads from a host that gives every file. */
async function download(attachments: unknown, type = 'image/png') {
	const urls: string[] = [];
	const helpers = {
		httpRequest: async ({ url }: IHttpRequestOptions) => {
			urls.push(url);
			const headers = { 'content-type': type };
			return { statusCode: 200, headers, body: Readable.from([Buffer.from('pixels')]) };
		},
		prepareBinaryData: async (
			data: Buffer,
			fileName: string,
			mimeType: string,
		): Promise<IBinaryData> => ({ data: data.toString(), fileName, mimeType }),
	};
	const { items } = await run(
		{
			resource: 'message',
			operation: 'downloadAttachments',
			attachments,
			outputFieldPrefix: 'file_',
		},
		{ helpers },
	);
	return { items, urls };
}

it.each(['http://files.example/a.png', 'https://files.example/a.png'])(
	'downloads %s',
	async (url) => {
		const { items, urls } = await download([{ url }]);
		expect(urls).toEqual([url]);
		expect(items).toMatchObject([
			{ binary: { file_0: { data: 'pixels', fileName: 'a.png', mimeType: 'image/png' } } },
		]);
	},
);

it.each<[string, unknown]>([
	['an empty text', ''],
	['a blank text', ' \n'],
	['null', 'null'],
	['an empty address', [{ url: '' }]],
	['as many as an item may hold', Array.from({ length: 100 }, () => ({ url: null }))],
])('downloads nothing for %s', async (_what, attachments) => {
	const { items, urls } = await download(attachments);
	expect(urls).toEqual([]);
	expect(items).toEqual([{ json: {}, pairedItem: { item: 0 } }]);
});

it.each<[unknown]>([
	[['https://files.example/a.png']],
	[['data:image/png;base64,eA==']],
	[7],
	['ftp://files.example/data:image/png;base64,eA=='],
	['no address'],
])('refuses the address %j', async (url) => {
	await expect(download([{ url }])).rejects.toThrow(
		'Could not download attachment 0 (no address): its "url" does not begin with http:// or https://, and is not a data URL.',
	);
});

const VOICE = 'audio/ogg; codecs=opus';

it.each([
	['media/5f0c', '5f0c.ogg'],
	['voice.oga', 'voice.ogg'],
	['voice.opus', 'voice.ogg'],
	['voice.enc?mac=1', 'voice.ogg'],
	['folder/', 'file_0.ogg'],
	['voice.ogg', 'voice.ogg'],
])('names a voice note at %s by its type: %s', async (path, fileName) => {
	const url = `https://files.example/${path}`;
	const { items } = await download([{ url }], VOICE);
	expect(items).toMatchObject([{ binary: { file_0: { fileName, mimeType: 'audio/ogg' } } }]);
	const told = await download([{ url, mimeType: VOICE }], 'application/octet-stream');
	expect(told.items).toEqual(items);
});

it.each([
	['data:audio/ogg;base64,eA==', 'file_0.ogg', 'audio/ogg'],
	['data:audio/x-m4a;base64,eA==', 'file_0.m4a', 'audio/mp4'],
	[`data:;base64,${Buffer.from('OggS').toString('base64')}`, 'file_0.ogg', 'audio/ogg'],
	['data:application/octet-stream;base64,eA==', 'file_0', 'application/octet-stream'],
])('names %s by its type, or by its first bytes', async (url, fileName, mimeType) => {
	const { items } = await download([{ url }]);
	expect(items).toMatchObject([{ binary: { file_0: { fileName, mimeType } } }]);
});
