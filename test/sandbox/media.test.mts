import {
	ANIMATED_STICKER_MAX,
	CAPTION_MAX,
	MEDIA_INPUT_MAX,
	MEDIA_MAX,
	MEDIA_TYPES,
} from '#sandbox/contract.mts';
import { DEMO_CHANNEL_ID } from '#sandbox/seed.mts';
import { CHANNEL, CUSTOMER, testSandbox } from './deliveryHarness.mts';
import { until } from './helpers.mts';

const PNG = Buffer.from('89504e470d0a1a0a', 'hex');
const WEBP = Buffer.from('RIFF\0\0\0\0WEBPVP8X\n\0\0\0', 'latin1');
const GIF = Buffer.from('GIF89a\n\0\n\0\0\0\0!\xff\x0bNETSCAPE2.0', 'latin1');
const ANIMATED = Buffer.concat([WEBP, Buffer.from([0x02])]);

const OTHER = '5500000000102';
const sandbox = testSandbox();
beforeEach(() => sandbox.inbound(CUSTOMER, 'Hello'));

const dataUrl = (type: string, bytes: Buffer) => `data:${type};base64,${bytes.toString('base64')}`;
const grown = (bytes: Buffer, size: number) =>
	Buffer.concat([bytes, Buffer.alloc(size - bytes.length)]);
const send = (type: string, attachment: object) =>
	sandbox.sendContent<Record<string, unknown>>(CUSTOMER, { type, attachments: [attachment] });
interface Uploaded {
	url: string;
	kinds: string[];
}
const upload = async (type: string, bytes: Buffer) => {
	const response = await fetch(`${sandbox.url}/_sandbox/media?channelId=${DEMO_CHANNEL_ID}`, {
		method: 'POST',
		headers: { 'content-type': type },
		body: new Uint8Array(bytes),
	});
	return { status: response.status, ...((await response.json()) as Uploaded) };
};

describe('media in a send', () => {
	const image = dataUrl('image/png', PNG);
	const mb = (kind: keyof typeof MEDIA_MAX) => MEDIA_MAX[kind];

	const of = (type: string, bytes: Buffer) => ({ url: dataUrl(type, bytes) });
	const svg = of('image/svg+xml', PNG);
	const base64 = (end: string) => ({ url: `data:image/png;base64,${end}` });
	const REFUSED: Array<[string, Array<[what: string, kind: string, attachment: object]>]> = [
		[
			'MEDIA_URL_REQUIRED',
			[
				['no url', 'IMAGE', { caption: 'x' }],
				['an empty url', 'VIDEO', { url: '' }],
			],
		],
		[
			'MEDIA_INVALID_URL',
			[
				['a path', 'IMAGE', { url: '/image.png' }],
				['another scheme', 'AUDIO', { url: 'ftp://media.example.com/a' }],
			],
		],
		[
			'MEDIA_INVALID_DATA_URL',
			[
				['no base64', 'IMAGE', { url: 'data:image/png,abc' }],
				['no type', 'IMAGE', { url: 'data:;base64,iVBORw==' }],
				['broken base64', 'IMAGE', base64('iV!BORw')],
				['nothing', 'IMAGE', base64('')],
			],
		],
		[
			'MEDIA_MIME_NOT_ALLOWED',
			[
				['svg', 'IMAGE', svg],
				['an image', 'AUDIO', { url: image }],
				['svg', 'STICKER', svg],
				['an audio', 'VIDEO', of('audio/ogg', PNG)],
			],
		],
		[
			'MEDIA_CAPTION_TOO_LONG',
			[['a long caption', 'IMAGE', { url: image, caption: 'x'.repeat(CAPTION_MAX + 1) }]],
		],
		[
			'MEDIA_TOO_LARGE',
			[
				['a byte too much', 'IMAGE', of('image/png', grown(PNG, mb('IMAGE') + 1))],
				['a byte too much', 'VIDEO', of('video/mp4', grown(PNG, mb('VIDEO') + 1))],
				['a byte too much', 'STICKER', of('image/webp', grown(WEBP, mb('STICKER') + 1))],
				['animated', 'STICKER', of('image/webp', grown(ANIMATED, ANIMATED_STICKER_MAX + 1))],
				['far too much', 'VIDEO', of('video/mp4', Buffer.alloc(MEDIA_INPUT_MAX + 1))],
			],
		],
	];
	it.each(REFUSED.flatMap(([subCode, cases]) => cases.map((one) => [subCode, ...one] as const)))(
		'refuses with %s in shape C: %s as %s',
		async (subCode, _what, type, attachment) => {
			const { status, body } = await send(type, attachment);
			const words = { timestamp: expect.any(String), message: expect.any(String) };
			expect([status, body]).toEqual([400, { code: 'VALIDATION_ERROR', ...words, subCode }]);
		},
	);

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
			const { url, kinds } = await upload(type, PNG);
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
		const sink = await sandbox.listener(['MESSAGE_DELIVERY']);
		await send('IMAGE', { url: image, caption: 'The terrace' });
		const { json } = await until('it arrived', () => sink.received[0]);
		const { attachments } = (json as { message: { attachments: Array<{ url: string }> } }).message;
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
		expect(await sandbox.messages()).toHaveLength(3);
	});
});

describe('a file from the customer’s disk', () => {
	const sends = (type: string, url: string, channelId = DEMO_CHANNEL_ID) =>
		sandbox.attempt('/inbound', { channelId, from: CUSTOMER, type, url });

	it('becomes a message of a possible kind', async () => {
		const { url, kinds } = await upload('image/webp', WEBP);
		expect(kinds).toEqual(['IMAGE', 'STICKER']);
		expect((await sends('STICKER', url)).status).toBeLessThan(300);
		const body = { error: expect.stringMatching(/^url/) };
		expect(await sends('AUDIO', url)).toMatchObject({ status: 400, body });
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

	it('is removed with its customer, the chat and what was to be delivered, and nothing else is', async () => {
		// Deliveries are in flight, and wait.
		const sink = await sandbox.receiver(() => ({ held: new Promise(() => undefined) }));
		const body = { url: sink.url, events: ['MESSAGE_RECEIVED'] };
		await sandbox.call(`${CHANNEL}/webhooks`, { body });
		const { url } = await upload('image/png', PNG);
		await sends('IMAGE', url);
		for (let count = 0; count < 40; count += 1) await sandbox.inbound(CUSTOMER, `${count}`);
		await sandbox.inbound(OTHER, 'Kept');
		await until('some are under way', () => sink.received.length > 1);
		const query = new URLSearchParams({ channelId: DEMO_CHANNEL_ID, customer: CUSTOMER });
		const removed = await sandbox.attempt(
			`/conversations?${query.toString()}`,
			undefined,
			'DELETE',
		);
		expect(removed.status).toBe(204);
		const chats = `/conversations?channelId=${DEMO_CHANNEL_ID}`;
		for (const path of ['/messages', '/deliveries', '/requests', chats])
			expect(JSON.stringify(await sandbox.control(path))).not.toContain(CUSTOMER);
		expect((await fetch(`${sandbox.url}${url}`)).status).toBe(404);
		expect(await sandbox.messages()).toMatchObject([
			{ customer: OTHER, content: { text: 'Kept' } },
		]);
		const came = () => sink.received.filter(({ json }) => JSON.stringify(json).includes('Kept'));
		await until('the other one is delivered', () => came().length > 0);
	});

	it('belongs to its channel, and must have been uploaded', async () => {
		const { url } = await upload('image/png', PNG);
		const other = { name: 'Other', type: 'OFFICIAL_CHATAPP' };
		const { body } = await sandbox.call<{ id: string }>('/v1/channels', { body: other });
		await sandbox.control(`/channels/${body.id}/connect`, { method: 'POST' });
		expect((await sends('IMAGE', url, body.id)).status).toBe(400);
		expect((await sends('IMAGE', `/media/${'0123456789abcdef'.repeat(2)}.png`)).status).toBe(400);
	});
});
