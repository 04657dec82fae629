import { Readable } from 'node:stream';

import type { IDataObject, IExecuteFunctions, IHttpRequestOptions } from 'n8n-workflow';

import { downloadFile, readDataUrl } from '#nodes/service/download.ts';
import { type Failure, ServiceError } from '#nodes/service/errors/index.ts';

const FILE = new URL('https://files.example/photo%20one.jpg?signature=s');
const WANTED = { action: 'download attachment 0', maxBytes: 1024, timeout: 30_000 };
const TOO_LARGE = { reason: 'too_large', effect: 'none' };
const EXPIRED = 'Links to attachments can expire. Download them soon after the message arrived.';

type Asked = (options: IHttpRequestOptions) => Promise<unknown>;

const n8nThat = (httpRequest: Asked, cancelled?: AbortSignal) =>
	({
		helpers: { httpRequest },
		getExecutionCancelSignal: () => cancelled,
	}) as unknown as IExecuteFunctions;
const answering =
	(body: Readable, headers: IDataObject = {}, statusCode = 200): Asked =>
	async () => ({ statusCode, headers, body });
const bodyOf = (...chunks: string[]) => Readable.from(chunks.map((chunk) => Buffer.from(chunk)));

async function failureOf(download: Promise<unknown>): Promise<Failure> {
	await expect(download).rejects.toBeInstanceOf(ServiceError);
	const { message, failure } = (await download.catch((error: unknown) => error)) as ServiceError;
	expect(message).toBe(`Could not download attachment 0: ${failure.cause}`);
	return failure;
}

const get = (n8n: IExecuteFunctions, more: Partial<typeof WANTED> = {}) =>
	downloadFile(n8n, FILE, { ...WANTED, ...more });

describe('a file', () => {
	it.each([200, 206, 299])('comes with the status %i', async (status) => {
		const headers = { 'content-type': 'image/jpeg; x=y' };
		expect(await get(n8nThat(answering(bodyOf('pix', 'els'), headers, status)))).toEqual({
			...{ data: Buffer.from('pixels'), fileName: 'photo one.jpg', mimeType: 'image/jpeg' },
		});
	});

	it('has the name of the response before that of the address', async () => {
		const headers = { 'content-disposition': 'attachment; filename="b.png"' };
		const file = await get(n8nThat(answering(bodyOf('pixels'), headers)));
		expect(file).toMatchObject({ fileName: 'b.png', mimeType: undefined });
	});

	it.each<[number[], string, string, string]>([
		[
			[199, 300, 400, 499],
			'rejected',
			'the host of the file did not give it',
			'Check the address.',
		],
		[[401, 403], 'forbidden', 'the host of the file refuses it', EXPIRED],
		[[404, 410], 'not_found', 'the file is not there', EXPIRED],
		[[429], 'rate_limited', 'the host of the file asks to slow down', 'Try again later.'],
		[[500, 503], 'service_error', 'the host of the file failed', 'Try again later.'],
	])('does not come with the status %j: %s', async (statuses, reason, cause, hint) => {
		for (const status of statuses) {
			const body = bodyOf('pixels');
			const failure = await failureOf(get(n8nThat(answering(body, {}, status))));
			const words = { cause: `${cause} (status ${status})`, hint };
			expect(failure).toEqual({ reason, effect: 'none', status, ...words });
			expect([body.readableDidRead, body.destroyed]).toEqual([false, true]);
		}
	});
});

describe('a file that is too large', () => {
	it('is not read if the response has its size', async () => {
		const body = bodyOf('pixels');
		const n8n = n8nThat(answering(body, { 'content-length': String(2 * 1024 ** 2 + 1) }));
		expect(await failureOf(get(n8n, { maxBytes: 2 * 1024 ** 2 }))).toEqual({
			...TOO_LARGE,
			cause: 'the file is larger than 2 MB',
			hint: 'To accept larger files, raise the option "Max Size (MB)". n8n holds a file in memory while it downloads.',
		});
		expect([body.readableDidRead, body.destroyed]).toEqual([false, true]);
	});

	it('is read only up to the limit', async () => {
		const body = bodyOf('pix', 'els', 'more');
		const download = get(n8nThat(answering(body)), { maxBytes: 5 });
		expect(await failureOf(download)).toMatchObject(TOO_LARGE);
		expect(body.destroyed).toBe(true);
	});

	it.each<IDataObject>([{}, { 'content-length': '6' }])(
		'is not too large with exactly the allowed bytes: %j',
		async (headers) => {
			const n8n = n8nThat(answering(bodyOf('pix', 'els'), headers));
			const { data } = await get(n8n, { maxBytes: 6 });
			expect(data.toString()).toBe('pixels');
		},
	);
});

describe('a download that breaks off', () => {
	const withCode = (code: string) => Object.assign(new Error('no'), { code });

	it.each<[Error, string]>([
		[
			withCode('ENOTFOUND'),
			"unreachable: the host of the file cannot be reached. Check the address, and that n8n's network can reach it.",
		],
		[
			withCode('CERT_HAS_EXPIRED'),
			'tls: no secure connection to the host of the file. n8n does not trust its certificate, or it does not use TLS. For a private certificate authority, set NODE_EXTRA_CA_CERTS where n8n runs.',
		],
		[
			new Error('Domain not allowed: files.example'),
			'blocked: n8n does not allow requests to the host of the file. Check the SSRF protection of this n8n.',
		],
		[
			withCode('ERR_CANCELED'),
			'cancelled: the execution was cancelled during the download. Run it again to download the file.',
		],
		[
			withCode('ECONNRESET'),
			"connection_lost: the connection to the host of the file was lost. Check n8n's network, then try again.",
		],
		[
			withCode('ECONNABORTED'),
			'timeout: the download was not complete within 30 s. Try again later, or raise the option "Timeout (Milliseconds)".',
		],
	])('is told: %#', async (error, words) => {
		const failure = await failureOf(get(n8nThat(async () => await Promise.reject(error))));
		expect(`${failure.reason}: ${failure.cause}. ${failure.hint}`).toBe(words);
		expect(Object.keys(failure).sort()).toEqual(['cause', 'effect', 'hint', 'reason']);
		expect(failure.effect).toBe('none');
	});

	it('is a timeout after its time, whatever the error', async () => {
		const n8n = n8nThat(
			async ({ abortSignal }) =>
				await new Promise((_resolve, reject) => {
					abortSignal?.addEventListener?.('abort', () => reject(withCode('ERR_CANCELED')));
				}),
		);
		expect(await failureOf(get(n8n, { timeout: 20 }))).toMatchObject({
			...{ reason: 'timeout', effect: 'none' },
			cause: 'the download was not complete within 0.02 s',
		});
	});

	it('reads no more of a body once the execution is cancelled', async () => {
		const cancel = new AbortController();
		const reason = withCode('ERR_CANCELED');
		const body = new Readable({
			read() {
				setImmediate(() => {
					cancel.abort(reason);
					if (!this.destroyed) this.push(null);
				});
			},
		});
		const download = get(n8nThat(answering(body), cancel.signal));
		expect(await failureOf(download)).toMatchObject({ reason: 'cancelled', effect: 'none' });
		expect(body.errored).toBe(reason);
	});

	it('reads nothing of a body that arrives after the cancellation', async () => {
		const reason = withCode('ERR_CANCELED');
		const body = bodyOf('pixels');
		const n8n = n8nThat(answering(body), AbortSignal.abort(reason));
		expect(await failureOf(get(n8n))).toMatchObject({ reason: 'cancelled' });
		expect(body.errored).toBe(reason);
	});

	it('does not destroy a body that was read completely', async () => {
		const cancel = new AbortController();
		const body = bodyOf('pixels');
		const destroy = jest.spyOn(body, 'destroy');
		await get(n8nThat(answering(body), cancel.signal));
		destroy.mockClear();
		cancel.abort();
		expect(destroy).not.toHaveBeenCalled();
	});
});

describe('a data URL', () => {
	it.each([
		['YWJj', 'abc'],
		['YWI=', 'ab'],
		['YWI', 'ab'],
		['YQ==', 'a'],
		['YQ', 'a'],
		['', ''],
	])('holds the file: %s', (base64, text) => {
		const url = `data:Image/PNG;base64,${base64}`;
		expect(readDataUrl(url, { ...WANTED, maxBytes: text.length })).toEqual({
			data: Buffer.from(text),
			fileName: undefined,
			mimeType: 'image/png',
		});
	});

	it.each(['YWJj', 'YWI='])('of too many bytes is not read: %s', (base64) => {
		const read = () => readDataUrl(`data:;base64,${base64}`, { ...WANTED, maxBytes: 1 });
		expect(read).toThrow(ServiceError);
		expect(read).toThrow('Could not download attachment 0: the file is larger than');
	});

	it.each([
		['data:image/png;base64x', 1],
		['data:image/png;base64', 1024],
		['data:text/plain,abc', 1024],
		['data:image/png;base64,YW*j', 1024],
	])('is malformed: %s', (url, maxBytes) => {
		expect(() => readDataUrl(url, { ...WANTED, maxBytes })).toThrow(
			'Could not download attachment 0: its data URL is malformed. It must be data:<type>;base64, followed by the file in base64.',
		);
	});
});
