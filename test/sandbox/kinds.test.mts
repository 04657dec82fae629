import { DEMO_CHANNEL_ID } from '#sandbox/seed.mts';
import { events as published, type PublishedEvent } from '../fixtures/events.mts';
import { off, valid } from '../fixtures/messages.mts';
import { CHANNEL, CUSTOMER, testSandbox } from './deliveryHarness.mts';
import { type Receiver, shapeOf, templateContent, until } from './helpers.mts';

const sandbox = testSandbox();
let sink: Receiver;
beforeEach(async () => {
	sink = await sandbox.receiver();
	await sandbox.control('/message-templates', {
		body: { name: 'table_ready', body: '{{1}}: {{2}}, {{3}}', status: 'APPROVED' },
	});
});

const post = (body: unknown) =>
	sandbox.call<{ messageId: string }>(`${CHANNEL}/messages`, { body });
const subscribe = (event: string) =>
	sandbox.call(`${CHANNEL}/webhooks`, { body: { url: sink.url, events: [event] } });
const arrived = async (count = 1) =>
	(await until('it arrived', () => sink.received[count - 1])).json as PublishedEvent;

describe('a message of the business', () => {
	const texts = (length: number) => ({ type: 'TEXT', body: { message: 'x'.repeat(length) } });
	const replies = (length: number, title: number) => ({
		type: 'INTERACTIVE_BUTTON',
		body: { message: 'x'.repeat(length) },
		attachments: [{ id: '1', title: 'x'.repeat(title) }],
	});
	const links = (length: number, title: number) => ({
		type: 'INTERACTIVE_ACTION',
		body: { message: 'x'.repeat(length) },
		attachments: [{ id: '1', name: 'URL', title: 'x'.repeat(title), url: 'https://shop.example' }],
	});

	const around = (header: number, footer: number) => ({
		...links(1, 1),
		...{ header: { message: 'x'.repeat(header) }, footer: { message: 'x'.repeat(footer) } },
	});
	const twice = ({
		attachments: [first],
		...content
	}: ReturnType<typeof replies | typeof links>) => ({
		...{ ...content, attachments: [first, { ...first, id: '2' }] },
	});

	it.each([texts(4096), replies(1024, 20), links(1024, 28), around(60, 60)])(
		'is accepted at the limits of the chat application: %#',
		async (content) => {
			await sandbox.inbound(CUSTOMER, 'Hello');
			expect((await sandbox.sendContent(CUSTOMER, content)).status).toBe(200);
		},
	);

	it.each([
		[texts(4097), /^content\.body\.message: .*4096/],
		[replies(1025, 20), /^content\.body\.message: .*1024/],
		[links(1025, 20), /^content\.body\.message: .*1024/],
		[replies(1024, 21), /^content\.attachments\.0\.title: .*20/],
		[around(61, 60), /^content\.header\.message: .*60/],
		[around(60, 61), /^content\.footer\.message: .*60/],
		[twice(replies(1, 1)), /^content\.attachments\.1\.title: /],
		[twice(links(1, 1)), /^content\.attachments\.1\.title: /],
	])('is refused beyond the limits of the chat application: %#', async (content, message) => {
		await sandbox.inbound(CUSTOMER, 'Hello');
		expect(await sandbox.sendContent(CUSTOMER, content)).toMatchObject({
			status: 400,
			body: { message: expect.stringMatching(message) },
		});
	});

	it.each(Object.entries(off))('is refused: %s', async (_name, body) => {
		await sandbox.inbound(CUSTOMER, 'Hello');
		const refused = await post(body);
		expect(refused).toMatchObject({
			status: 400,
			body: { message: expect.stringMatching(/^(?:recipient|content)/) },
		});
		expect(await sandbox.messages()).toHaveLength(1);
	});

	const link = { id: '1', title: 'a', name: 'URL', url: 'javascript:alert(1)' };
	it.each<[string, object, RegExp]>([
		['an unknown kind', { type: 'LOCATION', attachments: [] }, /content\.type/],
		[
			'a link that runs something',
			{ type: 'INTERACTIVE_ACTION', body: { message: 'x' }, attachments: [link] },
			/content\.attachments\.0\.url/,
		],
		[
			'a template with variables, without its body',
			templateContent('order_update', []),
			/components must hold the body/,
		],
	])('is refused: %s', async (_what, content, message) => {
		await sandbox.inbound(CUSTOMER, 'Hello');
		expect(await sandbox.sendContent(CUSTOMER, content)).toMatchObject({
			status: 400,
			body: { error: 400, message: expect.stringMatching(message) },
		});
	});

	it.each(Object.entries(published))(
		'is delivered in the published form: %s',
		async (name, event) => {
			const sent = valid[name === 'CONTACT_ARRAY' ? 'CONTACT' : name]!;
			await sandbox.inbound(CUSTOMER, 'Hello');
			await subscribe('MESSAGE_DELIVERY');
			const { body } = await post(sent);
			const told = await arrived();
			expect(shapeOf(told)).toEqual(shapeOf(event));
			const named = (value: PublishedEvent) => [
				value.message.metadata['@class'],
				...[...value.message.contents, ...value.message.attachments].map((part) => [
					part['@class'],
					part.type,
				]),
			];
			expect(named(told)).toEqual(named(event));
			expect(told.message).toMatchObject({
				_id: body.messageId,
				metadata: { from_api: true, from_me: true, forwarded: false },
				sender: event.message.sender,
			});
		},
	);

	it('delivers only the first contact, and what is around its buttons and behind them', async () => {
		await sandbox.inbound(CUSTOMER, 'Hello');
		await subscribe('MESSAGE_DELIVERY');
		await sandbox.sendContent(CUSTOMER, {
			type: 'CONTACT',
			attachments: ['Bea Example', 'Cy'].map((name) => ({ name, phones: ['55', '56'] })),
		});
		expect((await arrived()).message.contents[0]!.contacts).toEqual([
			expect.objectContaining({
				...{ name: 'Bea Example', first_name: 'Bea', last_name: 'Example', phones: ['55', '56'] },
			}),
		]);
		await post(valid.INTERACTIVE_ACTION);
		expect((await arrived(2)).message.contents[0]).toMatchObject({
			...{ header: { message: 'Restaurant' }, footer: { message: 'Tap one' } },
			buttons: [
				{ type: 'URL', url: expect.stringMatching(/^https:/) },
				{ type: 'CALL', phone: '5500000000102' },
			],
		});
	});

	it('is refused while the window is closed, except a template, which does not open it', async () => {
		const kinds = Object.values(valid).map((body) => body.content);
		const free = kinds.filter(({ type }) => type !== 'TEMPLATE');
		for (const content of free)
			expect(await sandbox.sendContent(CUSTOMER, content)).toMatchObject({
				status: 422,
				body: { error: 422, message: 'Conversation window is closed' },
			});
		expect((await post(valid.TEMPLATE)).status).toBe(200);
		expect((await post(valid.TEXT)).status).toBe(422);
		const { conversations } = await sandbox.control<{ conversations: unknown[] }>(
			`/conversations?channelId=${DEMO_CHANNEL_ID}`,
		);
		expect(conversations).toEqual([
			expect.objectContaining({
				...{ customer: CUSTOMER, windowOpen: false, lastInboundAt: null, windowClosesAt: null },
			}),
		]);
	});

	it('is accepted at any time on a channel without a window', async () => {
		const path = `/channels/${DEMO_CHANNEL_ID}`;
		for (const hasWindow of [false, true]) {
			await sandbox.control(path, { method: 'PATCH', body: { hasWindow } });
			expect((await post(valid.TEXT)).status).toBe(hasWindow ? 422 : 200);
		}
	});
});

describe('errors by the settings', () => {
	it('refuses every call of the service from a blocked address, in shape B', async () => {
		const block = (blockedAddress: string | null) => sandbox.set({ blockedAddress });
		await block('203.0.113.10');
		for (const path of [`${CHANNEL}/webhooks`, '/v1/webhooks', '/v1/channels', CHANNEL]) {
			const { status, body } = await sandbox.call(path);
			expect([status, body]).toEqual([400, { error: '203.0.113.10 not allowed' }]);
		}
		expect((await post(valid.TEXT)).body).toEqual({ error: '203.0.113.10 not allowed' });
		await block(null);
		expect((await sandbox.call(CHANNEL)).status).toBe(200);
	});
});
