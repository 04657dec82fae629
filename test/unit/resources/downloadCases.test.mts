import { Readable } from 'node:stream';

import type { IBinaryData, IHttpRequestOptions } from 'n8n-workflow';

import { run } from './actionNode.mts';

/** Downloads from a host that gives every file. */
async function download(attachments: unknown) {
	const urls: string[] = [];
	const helpers = {
		httpRequest: async ({ url }: IHttpRequestOptions) => {
			urls.push(url);
			const headers = { 'content-type': 'image/png' };
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
