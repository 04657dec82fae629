import type { ServerResponse } from 'node:http';

import type { IDataObject, INodeExecutionData } from 'n8n-workflow';

import { SECRET_KEY } from '../support/constants.mts';
import { type EngineSettings, runInEngine } from './harness/engine.mts';
import { type ReceivedRequest, startScriptedService } from './harness/scriptedService.mts';

type Respond = (request: ReceivedRequest, response: ServerResponse) => void;
type Server = Awaited<ReturnType<typeof startScriptedService>>;

const MB = 1024 ** 2;
const servers: Server[] = [];

/** The host of the files, which is not the service's host. */
async function fileHost(respond: Respond): Promise<Server> {
	const server = await startScriptedService(respond);
	servers.push(server);
	return server;
}
afterEach(async () => {
	for (const server of servers.splice(0)) await server.close();
});

const give =
	(body: string | Buffer, headers: Record<string, string> = {}): Respond =>
	(_request, response) =>
		void response.writeHead(200, headers).end(body);

async function download(
	items: IDataObject[],
	parameters: IDataObject = {},
	settings: Partial<EngineSettings> = {},
) {
	return await runInEngine({
		baseUrl: 'http://127.0.0.1:9',
		parameters: { resource: 'message', operation: 'downloadAttachments', ...parameters },
		items,
		...settings,
	});
}

const withAttachments = (...attachments: unknown[]): IDataObject => ({ attachments });
const filesOf = (item: INodeExecutionData | undefined) =>
	Object.fromEntries(
		Object.entries(item?.binary ?? {}).map(([field, { fileName, mimeType, data }]) => [
			field,
			[fileName, mimeType, Buffer.from(data, 'base64').toString()],
		]),
	);

test("makes each attachment a binary field of its item, beside the item's own fields", async () => {
	const host = await fileHost(({ url }, response) =>
		response
			.writeHead(200, { 'content-type': url.startsWith('/a') ? 'image/png; x=y' : 'audio/ogg' })
			.end(`file at ${url}`),
	);
	const json = {
		messageId: 'M',
		attachments: [
			{ type: 'IMAGE', url: `${host.url}/a/photo%20one.png?signature=s` },
			{ type: 'AUDIO', url: `${host.url}/b`, fileName: '../voice.ogg', mimeType: 'audio/mpeg' },
		],
	};
	const kept = { data: 'a2VwdA==', mimeType: 'text/plain', fileName: 'kept.txt' };
	const { items, error } = await download([], {}, { input: [{ json, binary: { kept } }] });
	expect(error).toBeUndefined();
	expect(items).toEqual([{ json, binary: expect.any(Object), pairedItem: { item: 0 } }]);
	expect(filesOf(items[0])).toEqual({
		kept: ['kept.txt', 'text/plain', 'kept'],
		attachment_0: ['photo one.png', 'image/png', 'file at /a/photo%20one.png?signature=s'],
		attachment_1: ['voice.mp3', 'audio/mpeg', 'file at /b'],
	});
});

test('sends the host of a file, and every host that it redirects to, neither key nor authorization', async () => {
	const second = await fileHost(
		give('there', { 'content-disposition': 'attachment; filename="b.txt"' }),
	);
	const first = await fileHost((_request, response) =>
		response.writeHead(302, { location: `${second.url}/moved` }).end(),
	);
	const { items, error } = await download([withAttachments({ url: `${first.url}/file` })]);
	expect(error).toBeUndefined();
	expect(filesOf(items[0])).toEqual({ attachment_0: ['b.txt', 'text/plain', 'there'] });
	const received = [...first.requests, ...second.requests];
	expect(received.map(({ method, url }) => [method, url])).toEqual([
		['GET', '/file'],
		['GET', '/moved'],
	]);
	for (const { headers } of received) expect(headers).not.toHaveProperty('authorization');
	const text = JSON.stringify(received);
	for (const encoding of ['utf8', 'base64', 'hex'] as const)
		expect(text).not.toContain(Buffer.from(SECRET_KEY).toString(encoding));
});

/** Sends without end, until the receiver has enough. */
function sendEndlessly(response: ServerResponse): Promise<number> {
	const chunk = Buffer.alloc(64 * 1024);
	let sent = 0;
	const send = () => {
		while (!response.destroyed) {
			sent += chunk.length;
			if (!response.write(chunk)) return void response.once('drain', send);
		}
	};
	response.writeHead(200);
	send();
	return new Promise((resolve) => response.once('close', () => resolve(sent)));
}

test('stops the download of a file that is too large', async () => {
	const ended: Array<Promise<number>> = [];
	const host = await fileHost((_request, response) => void ended.push(sendEndlessly(response)));
	const { error } = await download([withAttachments({ url: `${host.url}/endless?token=t0p` })], {
		options: { maxSize: 2 },
	});
	expect(error?.message).toBe(
		`Could not download attachment 0 (${new URL(host.url).host}): the file is larger than 2 MB`,
	);
	expect(error?.description).toContain('"Max Size (MB)"');
	// The buffers of both sides hold more than was read.
	expect(await ended[0]).toBeLessThan(64 * MB);
});

test.each<[string, Respond]>([
	['never answers', () => undefined],
	['stops in the middle', (_request, response) => void response.writeHead(200).write('begun')],
	[
		'keeps sending a little',
		(_request, response) => {
			response.writeHead(200);
			const drip = setInterval(() => response.write('.'), 50);
			response.once('close', () => clearInterval(drip));
		},
	],
])('stops waiting for a host that %s', async (_what, respond) => {
	const host = await fileHost(respond);
	const attachment = { url: host.url, fileName: 'slow.pdf' };
	const { error } = await download([withAttachments(attachment)], { options: { timeout: 300 } });
	expect(error?.message).toBe(
		'Could not download attachment 0 (slow.pdf): the download was not complete within 0.3 s',
	);
});

describe('what it cannot get', () => {
	const respond: Respond = ({ url }, response) =>
		url.startsWith('/gone')
			? void response.writeHead(404).end('nothing here')
			: url.startsWith('/cut')
				? void response
						.writeHead(200, { 'content-length': '100' })
						.write('half', () => response.destroy())
				: void response.writeHead(Number(url.slice(1, 4))).end();

	test.each([
		['/gone?signature=s3cret', /the file is not there \(status 404\)$/, /can expire/],
		['/503?signature=s3cret', /failed \(status 503\)$/, /later/],
		['/cut?signature=s3cret', /connection to the host of the file was lost$/, /network/],
	])('says for %s what happened, without the query', async (path, message, description) => {
		const host = await fileHost(respond);
		const { error, record } = await download([withAttachments({ url: `${host.url}${path}` })]);
		expect(error?.message).toMatch(message);
		expect(error?.message).toContain(`attachment 0 (${new URL(host.url).host})`);
		expect(error?.description).toMatch(description);
		const { message: said, description: hint, context } = error ?? { message: '' };
		expect(JSON.stringify([said, hint, context])).not.toContain('s3cret');
		expect(record).not.toContain(SECRET_KEY);
		expect(host.requests).toHaveLength(1);
	});

	test.each<[unknown, RegExp]>([
		[{ url: 'file:///etc/passwd' }, /attachment 0 \(no address\): its "url" does not begin with/],
		[{ url: 'photo.jpg', fileName: 'photo.jpg' }, /attachment 0 \(photo\.jpg\)/],
		[{ url: 'data:image/png,pixels' }, /data URL is malformed/],
		[{ url: 'data:image/png;base64,a b!' }, /data URL is malformed/],
		[{ URL: 'https://files.example' }, /Attachment 0 in "Attachments" has no "url"/],
		['https://files.example', /has no "url"/],
		[
			{ url: 'http://127.0.0.1:9/x' },
			/\(127\.0\.0\.1:9\): the host of the file cannot be reached$/,
		],
	])('%j', async (attachment, message) => {
		const { error } = await download([withAttachments(attachment)]);
		expect(error?.message).toMatch(message);
	});

	test.each<[string, IDataObject, RegExp]>([
		['text that is no JSON', { attachments: 'not json' }, /"Attachments" is not valid JSON/],
		[
			'too many attachments',
			{ attachments: Array(101).fill({}) },
			/holds 101 attachments.*up to 100/,
		],
		['no prefix', { attachments: [{}], outputFieldPrefix: ' ' }, /"Output Field Prefix" is empty/],
		['no size', { attachments: [{}], options: { maxSize: 0 } }, /"Max Size \(MB\)" must be/],
		['no timeout', { attachments: [{}], options: { timeout: 0.5 } }, /"Timeout \(Milliseconds\)"/],
	])('%s', async (_what, parameters, message) => {
		const { error } = await download([{}], parameters);
		expect(error?.message).toMatch(message);
	});

	test('keeps the good files, and says beside them what is wrong with the others', async () => {
		const text = give('good', { 'content-type': 'text/plain' });
		const host = await fileHost((request, response) =>
			(request.url === '/good' ? text : respond)(request, response),
		);
		const [gone, good] = ['/gone?a=s3cret', '/good'].map((path) => ({ url: host.url + path }));
		const both = [{ attachments: [gone, good] }, { attachments: [good, gone, null] }];
		const { items, hints } = await download(both);
		expect(items.map(({ json }) => json.attachmentProblems)).toEqual([
			[{ index: 0, what: expect.stringMatching(/attachment 0 .*: the file is not there/) }],
			[
				{ index: 1, what: expect.stringMatching(/^Could not download attachment 1 \([^?]*\): /) },
				{ index: 2, what: expect.stringContaining('Attachment 2 in "Attachments" has no "url"') },
			],
		]);
		const fields = items.flatMap((item) => Object.keys(filesOf(item)));
		expect(fields).toEqual(['attachment_1', 'attachment_0']);
		expect(items[0]?.json).toMatchObject(both[0]!);
		expect(hints).toMatchObject([{ message: expect.stringContaining('attachmentProblems') }]);
		const none = await download([withAttachments(gone, { url: null }, gone)]);
		expect(none.error?.message).toMatch(/attachment 0 .*: the file is not there/);
	});

	test('is said of a single item without attachments', async () => {
		const single = await download([{ attachments: [] }]);
		expect(single.hints).toMatchObject([{ message: 'The item has no attachments.' }]);
		expect((await download([{}, {}])).hints).toEqual([]);
	});

	test.each<[IDataObject, string, string | undefined]>([
		[{ type: 'IMAGE' }, '<!DOCTYPE html><p>Expired', 'text/html; charset=utf-8'],
		[{ type: 'STICKER' }, '\ufeff <html>', 'image/webp'],
		[{ mimeType: 'audio/ogg; codecs=opus' }, '{"error": "expired"}', undefined],
		[{ type: 'VIDEO' }, 'expired', 'application/problem+json'],
		[{ type: 'AUDIO' }, '', 'audio/ogg'],
	])('%j with %j of type %s has an expired link', async (about, body, type) => {
		const host = await fileHost(give(body, type === undefined ? {} : { 'content-type': type }));
		const { error } = await download([withAttachments({ ...about, url: `${host.url}/a?b=c` })]);
		expect(error?.message).toBe(
			`Could not download attachment 0 (${new URL(host.url).host}): the link has expired, because its host gave ${body === '' ? 'nothing' : 'a page or a text'} in place of the file`,
		);
		expect(error?.context).toMatchObject({ data: { reason: 'not_found' } });
	});

	test.each<[IDataObject, string, string, string]>([
		[{ type: 'IMAGE' }, '\x89PNG {', 'text/html', 'text/html'],
		[{ type: 'IMAGE' }, '<svg/>', 'image/svg+xml', 'image/svg+xml'],
		[{ type: 'DOCUMENT' }, '<html>', 'text/html', 'text/html'],
		[{ type: 'AUDIO' }, '....ftypisom', 'video/mp4', 'audio/mp4'],
		[{ type: 'audio' }, 'OggS', 'video/ogg', 'audio/ogg'],
	])('%j with %j of type %s is a file of type %s', async (about, body, said, type) => {
		const host = await fileHost(give(Buffer.from(body, 'latin1'), { 'content-type': said }));
		const { items } = await download([withAttachments({ ...about, url: host.url })]);
		expect(items[0]?.binary?.attachment_0?.mimeType).toBe(type);
	});

	test.each([null, '', 'earlier', { message: 'earlier' }])(
		'passes on an item that has the error %j, which is no failure of its own',
		async (earlier) => {
			const host = await fileHost(respond);
			const items = [
				{ text: 'hello', error: earlier, attachments: [] },
				{ text: 'hello', error: earlier, attachments: [{ url: `${host.url}/gone` }] },
			];
			const settings = { onError: 'continueErrorOutput' } as const;
			const output = await download(items, {}, { settings });
			expect(output.items.map(({ json }) => json)).toEqual([items[0]]);
			expect(output.errorItems).toHaveLength(1);
			expect(output.errorItems[0]?.json).toMatchObject({ details: { reason: 'not_found' } });
		},
	);
});
