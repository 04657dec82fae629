import {
	ANIMATED_STICKER_MAX,
	CAPTION_MAX,
	MEDIA_INPUT_MAX,
	MEDIA_MAX,
	MEDIA_TYPES,
} from '../../sandbox/contract.mts';
import { DEMO_CHANNEL_ID } from '../../sandbox/seed.mts';
import { startReceiver, startTestSandbox, until } from './helpers.mts';

const CUSTOMER = '5500000000101';
const PNG = Buffer.from('89504e470d0a1a0a', 'hex');
const WEBP = Buffer.concat([Buffer.from('RIFF\0\0\0\0WEBPVP8X\n\0\0\0', 'latin1')]);
const GIF = Buffer.from('GIF89a\n\0\n\0\0\0\0!\xff\x0bNETSCAPE2.0', 'latin1');
const ANIMATED = Buffer.concat([WEBP, Buffer.from([0x02])]);

let sandbox: Awaited<ReturnType<typeof startTestSandbox>>;
beforeAll(async () => {
	sandbox = await startTestSandbox();
});
beforeEach(async () => {
	await sandbox.control('/reset', { body: {} });
	await sandbox.inbound(CUSTOMER, 'Hello');
});
afterAll(() => sandbox.close());

const dataUrl = (type: string, bytes: Buffer) => `data:${type};base64,${bytes.toString('base64')}`;
const grown = (bytes: Buffer, size: number) =>
	Buffer.concat([bytes, Buffer.alloc(size - bytes.length)]);
const send = (type: string, attachment: object) =>
	sandbox.sendContent<Record<string, unknown>>(CUSTOMER, { type, attachments: [attachment] });
const upload = (type: string, bytes: Buffer) =>
	fetch(`${sandbox.url}/_sandbox/media?channelId=${DEMO_CHANNEL_ID}`, {
		method: 'POST',
		headers: { 'content-type': type },
		body: new Uint8Array(bytes),
	});

describe('media in a send', () => {
	const image = dataUrl('image/png', PNG);
	const mb = (kind: keyof typeof MEDIA_MAX) => MEDIA_MAX[kind];

	it.each<[string, string, object, string]>([
		['no url', 'IMAGE', { caption: 'x' }, 'MEDIA_URL_REQUIRED'],
		['an empty url', 'VIDEO', { url: '' }, 'MEDIA_URL_REQUIRED'],
		['a path', 'IMAGE', { url: '/image.png' }, 'MEDIA_INVALID_URL'],
		['another scheme', 'AUDIO', { url: 'ftp://media.example.com/a' }, 'MEDIA_INVALID_URL'],
		['no base64', 'IMAGE', { url: 'data:image/png,abc' }, 'MEDIA_INVALID_DATA_URL'],
		['no type', 'IMAGE', { url: 'data:;base64,iVBORw==' }, 'MEDIA_INVALID_DATA_URL'],
		['broken base64', 'IMAGE', { url: 'data:image/png;base64,iV!BORw' }, 'MEDIA_INVALID_DATA_URL'],
		['nothing', 'IMAGE', { url: 'data:image/png;base64,' }, 'MEDIA_INVALID_DATA_URL'],
		['svg', 'IMAGE', { url: dataUrl('image/svg+xml', PNG) }, 'MEDIA_MIME_NOT_ALLOWED'],
		['an image', 'AUDIO', { url: image }, 'MEDIA_MIME_NOT_ALLOWED'],
		['svg', 'STICKER', { url: dataUrl('image/svg+xml', PNG) }, 'MEDIA_MIME_NOT_ALLOWED'],
		['an audio', 'VIDEO', { url: dataUrl('audio/ogg', PNG) }, 'MEDIA_MIME_NOT_ALLOWED'],
		[
			'a long caption',
			'IMAGE',
			{ url: image, caption: 'x'.repeat(CAPTION_MAX + 1) },
			'MEDIA_CAPTION_TOO_LONG',
		],
		[
			'a byte too much',
			'IMAGE',
			{ url: dataUrl('image/png', grown(PNG, mb('IMAGE') + 1)) },
			'MEDIA_TOO_LARGE',
		],
		[
			'a byte too much',
			'VIDEO',
			{ url: dataUrl('video/mp4', grown(PNG, mb('VIDEO') + 1)) },
			'MEDIA_TOO_LARGE',
		],
		[
			'a byte too much',
			'STICKER',
			{ url: dataUrl('image/webp', grown(WEBP, mb('STICKER') + 1)) },
			'MEDIA_TOO_LARGE',
		],
		[
			'a byte too much, animated',
			'STICKER',
			{ url: dataUrl('image/webp', grown(ANIMATED, ANIMATED_STICKER_MAX + 1)) },
			'MEDIA_TOO_LARGE',
		],
		[
			'more than the service accepts',
			'VIDEO',
			{ url: dataUrl('video/mp4', Buffer.alloc(MEDIA_INPUT_MAX + 1)) },
			'MEDIA_TOO_LARGE',
		],
	])('refuses %s as %s in shape C', async (_what, type, attachment, subCode) => {
		const { status, body } = await send(type, attachment);
		expect([status, body]).toEqual([
			400,
			{
				timestamp: expect.any(String),
				code: 'VALIDATION_ERROR',
				message: expect.any(String),
				subCode,
			},
		]);
	});

	it.each<[string, string, Buffer]>([
		['IMAGE', 'image/png', grown(PNG, mb('IMAGE'))],
		['VIDEO', 'video/mp4', grown(PNG, mb('VIDEO'))],
		['AUDIO', 'audio/ogg; codecs=opus', grown(PNG, 100)],
		['STICKER', 'image/webp', grown(WEBP, mb('STICKER'))],
		['STICKER', 'image/webp', grown(ANIMATED, ANIMATED_STICKER_MAX)],
		['STICKER', 'image/gif', grown(GIF, ANIMATED_STICKER_MAX)],
	])('accepts %s of %s up to its limit', async (type, mime, bytes) => {
		expect((await send(type, { url: dataUrl(mime, bytes) })).status).toBe(200);
	});

	it.each(Object.entries(MEDIA_TYPES))('accepts every type of %s', async (kind, types) => {
		for (const type of types) {
			const sent = await send(kind, { url: dataUrl(type, PNG) });
			expect({ type, status: sent.status }).toEqual({ type, status: 200 });
			const { url, kinds } = (await (await upload(type, PNG)).json()) as {
				url: string;
				kinds: string[];
			};
			expect(kinds).toContain(kind);
			// Some receivers use the ending.
			expect({ type, url }).toEqual({ type, url: expect.stringMatching(/\.[a-z0-9]{2,5}$/) });
		}
	});

	it('accepts one file in a message, and no other large text', async () => {
		const url = 'https://media.example.com/a.png';
		const two = { type: 'IMAGE', attachments: [{ url }, { url }] };
		expect((await sandbox.sendContent(CUSTOMER, two)).body).toMatchObject({
			subCode: 'MEDIA_UNSUPPORTED_ATTACHMENT',
		});
		const text = { type: 'TEXT', body: { message: 'x'.repeat(300_000) } };
		expect((await sandbox.sendContent(CUSTOMER, text)).status).toBe(413);
	});

	it('lets receivers load a file without a key, unchanged', async () => {
		const sink = await startReceiver();
		try {
			await sandbox.call(`/v1/channels/${DEMO_CHANNEL_ID}/webhooks`, {
				body: { url: sink.url, events: ['MESSAGE_DELIVERY'] },
			});
			await send('IMAGE', { url: image, caption: 'The terrace' });
			const { json } = await until('it arrived', () => sink.received[0]);
			const { attachments } = (json as { message: { attachments: Array<{ url: string }> } })
				.message;
			const { url } = attachments[0]!;
			expect(url).toMatch(new RegExp(`^${sandbox.url}/media/[0-9a-f]{32}\\.png$`));
			const loaded = await fetch(url);
			expect(Buffer.from(await loaded.arrayBuffer())).toEqual(PNG);
			expect(loaded.headers.get('content-type')).toBe('image/png');
			expect(loaded.headers.get('x-content-type-options')).toBe('nosniff');
			const foreign = await fetch(url, { headers: { origin: 'http://evil.example' } });
			expect(foreign.status).toBe(403);
			await sandbox.control('/reset', { body: {} });
			expect((await fetch(url)).status).toBe(404);
		} finally {
			await sink.close();
		}
	});

	it.each([
		['MEDIA_DOWNLOAD_FAILED', 502],
		['MEDIA_TOO_LARGE', 400],
	])('fails with %s by a fault, and sends nothing', async (subCode, status) => {
		await sandbox.control('/faults', {
			body: { on: 'route', kind: 'media', subCode, times: 1 },
		});
		expect((await sandbox.send(CUSTOMER, 'Not media')).status).toBe(200);
		const url = 'https://media.example.com/a.png';
		expect(await send('IMAGE', { url })).toMatchObject({ status, body: { subCode } });
		expect((await send('IMAGE', { url })).status).toBe(200);
		const { messages } = await sandbox.control<{ messages: unknown[] }>('/messages');
		expect(messages).toHaveLength(3);
	});
});

describe('a file from the customer’s disk', () => {
	it('becomes a message of a possible kind', async () => {
		const { url, kinds } = (await (await upload('image/webp', WEBP)).json()) as {
			url: string;
			kinds: string[];
		};
		expect(kinds).toEqual(['IMAGE', 'STICKER']);
		await sandbox.inbound(CUSTOMER, '', { type: 'STICKER', url });
		const refused = await sandbox.call('/_sandbox/inbound', {
			key: null,
			body: { channelId: DEMO_CHANNEL_ID, from: CUSTOMER, type: 'AUDIO', url },
		});
		expect(refused).toMatchObject({ status: 400, body: { error: expect.stringMatching(/^url/) } });
	});

	it.each([
		['text/html', PNG, 415],
		['image/svg+xml', PNG, 415],
		['application/json', Buffer.from('{}'), 415],
		['image/png', Buffer.alloc(0), 400],
		['video/mp4', Buffer.alloc(MEDIA_MAX.VIDEO + 1), 413],
	])('of type %s is refused', async (type, bytes, status) => {
		expect((await upload(type, bytes)).status).toBe(status);
	});

	it('belongs to its channel, and must have been uploaded', async () => {
		const { url } = (await (await upload('image/png', PNG)).json()) as { url: string };
		const { body } = await sandbox.call<{ id: string }>('/v1/channels', {
			body: { name: 'Other', type: 'OFFICIAL_CHATAPP' },
		});
		await sandbox.control(`/channels/${body.id}/connect`, { method: 'POST' });
		for (const [channelId, path] of [
			[body.id, url],
			[DEMO_CHANNEL_ID, '/media/0123456789abcdef0123456789abcdef.png'],
		]) {
			const refused = await sandbox.call('/_sandbox/inbound', {
				key: null,
				body: { channelId, from: CUSTOMER, type: 'IMAGE', url: path },
			});
			expect(refused.status).toBe(400);
		}
	});
});
