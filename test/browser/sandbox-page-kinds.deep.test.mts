import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';

import { DEMO_CHANNEL_ID } from '#sandbox/seed.mts';
import { until } from '../sandbox/helpers.mts';
import { tabThrough } from './harness/accessibility.mts';
import { illustrate } from './harness/browser.mts';
import { PICTURE, replyButtons, sendEveryKind, silence, template } from './harness/kinds.mts';
import { CUSTOMER, sandboxPage, WIDTHS } from './harness/sandboxPage.mts';

const on = sandboxPage();

const latest = async (direction: 'in' | 'out') =>
	(await on.messages()).filter((message) => message.direction === direction).at(-1);

/** The last message of a customer or a colleague, once it has the type. */
const sent = (type: string, direction: 'in' | 'out' = 'in') =>
	until(`a message of type ${type} was sent`, async () => {
		const message = await latest(direction);
		return message?.content.type === type && message;
	});

it.each(WIDTHS)('shows every kind as a phone does, on %s', async (_width, viewport) => {
	await on.reopen({ viewport });
	await sendEveryKind(on.sandbox);
	await on.openChat();
	await on.bubble('I look after it. Cy').getByText('Written on the business’s phone').waitFor();
	const card = on.page.locator('.theirs .contact');
	expect(await card.innerText()).toMatch(/Bo Example\s+5500000000102\s+5500000000103/);
	expect(await on.page.locator('.bare img').count()).toBe(2);
	expect(await on.page.locator('.mine audio, .mine video').count()).toBe(2);
	const order = on.bubble('Your order left our house.');
	expect(await order.innerText()).toMatch(/On its way[^]*Your order left[^]*Demo Company/);
	const link = order.getByRole('link', { name: /See the order/ });
	expect(await link.getAttribute('href')).toBe('https://shop.example.com/orders/1');
	expect(await link.getAttribute('rel')).toBe('noopener noreferrer');
	expect(await link.getAttribute('target')).toBe('_blank');
	expect(await order.getByRole('link', { name: /Call us/ }).getAttribute('href')).toBe(
		'tel:5500000000001',
	);
	const update = on.bubble('Hello Ana, your order 1024 is on its way.');
	expect(await update.innerText()).toMatch(/Template order_update · en_US/);
	const images = on.page.locator('.messages img');
	for (const image of await images.all()) {
		expect(await image.getAttribute('alt')).not.toBe('');
		expect(await image.getAttribute('referrerpolicy')).toBe('no-referrer');
	}
	await on.isAccessible();
	await on.page.getByLabel('Kind of message').selectOption('IMAGE');
	await on.isAccessible();
});

it('taps a button, keeps its focus, and tells the business', async () => {
	await on.writes();
	await on.openChat();
	await on.sandbox.sendContent(CUSTOMER, replyButtons());
	await on.button('Tuesday').focus();
	await on.page.keyboard.press('Enter');
	expect(await sent('BUTTON_REPLY')).toMatchObject({ content: { text: 'Tuesday', id: 'tue' } });
	await on.bubble('You wrote: Tuesday').waitFor();
	expect(await on.focused()).toBe('Tuesday');
	await on.sandbox.sendContent(CUSTOMER, template('welcome'));
	await on.button('My orders').click();
	await until('the tap was told', async () => {
		const message = await latest('in');
		return message?.content.type === 'BUTTON_REPLY' && message.content.id === 'orders';
	});
	await on.bubble('You wrote: My orders').locator('.state', { hasText: 'read' }).waitFor();
	await illustrate(on.page, 'sandbox-kinds');
});

it('sends files from the disk, and says what is wrong with one', async () => {
	await on.openChat();
	const kind = on.page.getByLabel('Kind of message');
	await kind.selectOption('IMAGE');
	const file = on.page.getByLabel('Image file');
	await on.shows(/or a file of up to 5 MB: jpeg, png/);
	const choose = (name: string, mimeType: string, buffer: Buffer) =>
		file.setInputFiles({ name, mimeType, buffer });
	await choose('huge.png', 'image/png', Buffer.alloc(5 * 1024 * 1024 + 1));
	await on.page.getByRole('alert').getByText('Choose a file of up to 5 MB').waitFor();
	await choose('drawing.svg', 'image/svg+xml', Buffer.from('<svg/>'));
	await on.page.getByRole('alert').getByText('has the type image/svg+xml').waitFor();
	expect(await on.messages()).toEqual([]);
	await choose('house.webp', 'image/webp', PICTURE);
	await on.page.getByLabel('Caption').fill('My house');
	await on.button('Send').click();
	const image = await sent('IMAGE');
	expect(image.content).toMatchObject({
		url: expect.stringMatching(/^\/media\//),
		caption: 'My house',
	});
	await until('it is shown', () =>
		on.run<boolean>(`document.querySelector('.mine img')?.naturalWidth === 480`),
	);
	await kind.selectOption('AUDIO');
	await on.page
		.getByLabel('Audio file')
		.setInputFiles({ name: 'a.wav', mimeType: 'audio/wav', buffer: silence() });
	await on.button('Send').click();
	await sent('AUDIO');
	await until('it can be played', () =>
		on.run<boolean>(
			`(audio => (audio?.play(), audio?.duration === 1))(document.querySelector('.mine audio'))`,
		),
	);
});

it('lets a colleague write on the business’s phone', async () => {
	await on.openChat();
	await on.switch('Write on the business’s phone').check();
	const kinds = on.page.getByLabel('Kind of message').locator('option');
	expect(await kinds.allInnerTexts()).not.toContain('Button');
	await on.says('Anything I can do for you?');
	expect(await sent('TEXT', 'out')).toMatchObject({ fromApi: false });
	await on.page.locator('.theirs').getByText('Written on the business’s phone').waitFor();
	await on.switch('Write on the business’s phone').uncheck();
	await on.page.getByLabel('Kind of message').selectOption('CONTACT_ARRAY');
	await on.page.getByLabel(/Contact numbers/).fill('5500000000102, 5500000000103');
	await on.button('Send').click();
	expect((await sent('CONTACT_ARRAY')).content).toMatchObject({
		contacts: [{ name: 'Bo Example', phones: ['5500000000102', '5500000000103'] }],
	});
});

it('loads and links only http, https and the sandbox’s own files', async () => {
	const asked: string[] = [];
	on.page.on('request', (request) => asked.push(request.url()));
	const strangerSaw: IncomingHttpHeaders[] = [];
	const stranger = createServer(({ headers }, response) => {
		strangerSaw.push(headers);
		response.writeHead(200, { 'content-type': 'image/webp' }).end(PICTURE);
	}).listen(0, '127.0.0.1');
	await until('the stranger listens', () => stranger.listening);
	const strange = `http://127.0.0.1:${(stranger.address() as AddressInfo).port}/picture`;
	try {
		const said = { channelId: DEMO_CHANNEL_ID, from: CUSTOMER, name: '<b>Ana</b>' };
		const refused = [
			'data:text/html,x',
			'javascript:alert(1)',
			`${on.sandbox.url}/_sandbox/state?no`,
		];
		for (const url of [...refused, strange])
			await on.sandbox.control('/inbound', {
				body: { ...said, type: 'IMAGE', url, caption: '<script>document.title=1</script>' },
			});
		await on.openChat();
		await until('the stranger was asked', () => strangerSaw.length > 0);
		expect(strangerSaw[0]).not.toHaveProperty('referer');
		expect(await on.page.locator('.messages img').count()).toBe(1);
		expect(await on.page.getByText('Image not loaded:').count()).toBe(3);
		expect(asked.filter((url) => refused.includes(url))).toEqual([]);
		expect(await on.page.title()).toBe('Chats · Sandbox');
		expect(await on.page.locator('.messages script').count()).toBe(0);
	} finally {
		stranger.closeAllConnections();
		stranger.close();
	}
});

it('switches off a channel’s window and blocks an address', async () => {
	const refusal = async () => (await on.sandbox.send(CUSTOMER, 'Hello')).body;
	await on.view('controls');
	await on.page.locator('#controls\\/service summary').click();
	await on.page.getByRole('textbox', { name: 'Address that is not allowed' }).fill('203.0.113.7');
	// A change does not interrupt typing.
	await on.sandbox.control('/settings', { method: 'PATCH', body: { templateRoutingLag: 5 } });
	await until(
		'the change is shown',
		async () =>
			(await on.page.getByLabel('Seconds until a new template webhook works').inputValue()) === '5',
	);
	expect(await on.run('document.activeElement.value')).toBe('203.0.113.7');
	await on.switch(/Refuse every call/).check();
	await until('a call is refused', async () =>
		JSON.stringify(await refusal()).includes('203.0.113.7 not allowed'),
	);
	await on.switch(/Refuse every call/).uncheck();
	await on.switch('Accept a message while the window is closed, and let it fail later').check();
	await until('it is sent', async () => 'messageId' in (await refusal()));
	await on.switch('Accept a message while the window is closed, and let it fail later').uncheck();
	await until('it is refused', async () => !('messageId' in (await refusal())));
	await on.switch('No conversation window on Demo Channel').check();
	await until('it is sent', async () => 'messageId' in (await refusal()));
	await on.switch('Paid subscription of Demo Channel').check();
	await until('it is paid', async () =>
		JSON.stringify(await on.sandbox.control('/state')).includes('"PAID"'),
	);
	await on.shows('This sandbox has no token');
	expect((await tabThrough(on.page)).filter(({ visible }) => !visible)).toEqual([]);
	await on.openChat();
	await on.shows('no conversation window');
	await on.view('controls');
	await on.page.getByLabel('Refuse media: code').selectOption('MEDIA_DOWNLOAD_FAILED');
	await on.switch('Refuse media').check();
	await on.shows('Refuse media, code MEDIA_DOWNLOAD_FAILED');
});
