import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

import { until } from '../sandbox/helpers.mts';
import { barriers } from './harness/accessibility.mts';
import { takePicture } from './harness/browser.mts';
import { PICTURE } from './harness/kinds.mts';
import { CUSTOMER, DESKTOP, PHONE, sandboxPage } from './harness/sandboxPage.mts';

const on = sandboxPage();

/** Pixels of the chat below the visible part, when nothing is left to be laid out. */
const belowView = () =>
	on.page.evaluate<number>(`new Promise((resolve) =>
		requestAnimationFrame(() => requestAnimationFrame(() => {
			const { scrollHeight, scrollTop, clientHeight } = document.querySelector('.messages');
			resolve(Math.round(scrollHeight - scrollTop - clientHeight));
		})),
	)`);
const top = () =>
	on.page.evaluate<number>(`Math.round(document.querySelector('.messages').scrollTop)`);

let asked: string[];
/** The host of pictures responds only then. Others than pictures are not found. */
let respond: () => void;
let server: ReturnType<typeof createServer>;
const address = (path: string) =>
	`http://127.0.0.1:${(server.address() as AddressInfo).port}/${path}`;

beforeEach(async () => {
	asked = [];
	const held = new Promise<void>((resolve) => (respond = resolve));
	server = createServer((request, response) => {
		asked.push(request.url ?? '');
		void held.then(() => {
			if (!request.url?.startsWith('/picture')) response.writeHead(404).end('<p>Gone</p>');
			else response.writeHead(200, { 'content-type': 'image/webp' }).end(PICTURE);
		});
	}).listen(0, '127.0.0.1');
	await until('the host of pictures listens', () => server.listening);
	await on.sandbox.control('/faults', { body: { on: 'webhook', kind: 'dropBefore' } });
	await on.sandbox.inbound(CUSTOMER, 'Hello', { name: 'Ana Example' });
});
afterEach(() => {
	server.closeAllConnections();
	server.close();
});

const send = async (type: string, path: string) => {
	const sent = { type, attachments: [{ url: address(path) }] };
	expect(await on.sandbox.sendContent(CUSTOMER, sent)).toMatchObject({ status: 200 });
};
const writeLines = async (from: number, count: number) => {
	for (let line = from; line < from + count; line += 1)
		await on.sandbox.send(CUSTOMER, `Line ${line}`);
};

describe.each([
	['a desktop', DESKTOP],
	['a phone', PHONE],
])('at the width of %s', (_width, viewport) => {
	beforeEach(() => on.reopen({ viewport }));

	it('stays at the newest message while pictures load', async () => {
		await writeLines(1, 20);
		for (let picture = 1; picture <= 4; picture += 1) await send('IMAGE', `picture-${picture}`);
		await on.sandbox.send(CUSTOMER, 'The newest');
		await on.view(`chats/${CUSTOMER}`);
		await on.bubble('The newest').waitFor();
		await until('all are asked for', () => asked.length === 4);
		expect(await belowView()).toBe(0);
		respond();
		await until('all are loaded', () =>
			on.page.evaluate<boolean>(
				`[...document.querySelectorAll('.messages img')].every(({ naturalWidth }) => naturalWidth === 480)`,
			),
		);
		expect(await belowView()).toBe(0);
	});

	it('stays there when something grows before the browser reports its own scrolling', async () => {
		await writeLines(1, 30);
		await on.view(`chats/${CUSTOMER}`);
		await on.bubble('Line 30').waitFor();
		expect(await belowView()).toBe(0);
		await on.page.evaluate(`(() => {
			const messages = document.querySelector('.messages');
			messages.scrollTop -= 1;
			messages.scrollTop += 1;
			messages.lastElementChild.style.minHeight = '300px';
		})()`);
		expect(await belowView()).toBe(0);
	});

	it('stays there when the input or the window takes room', async () => {
		await writeLines(1, 30);
		await on.view(`chats/${CUSTOMER}`);
		await on.bubble('Line 30').waitFor();
		const height = () =>
			on.page.evaluate<number>(`document.querySelector('.messages').clientHeight`);
		const before = await height();
		await on.page.getByLabel('Kind of message').selectOption('IMAGE');
		await until('the input is higher', async () => (await height()) < before);
		expect(await belowView()).toBe(0);
		await on.page.setViewportSize({ ...viewport, height: 600 });
		expect(await belowView()).toBe(0);
	});

	it('leaves a reader who scrolled up alone', async () => {
		await writeLines(1, 30);
		await send('IMAGE', 'picture');
		await on.view(`chats/${CUSTOMER}`);
		await until('it is asked for', () => asked.length === 1);
		await on.page.locator('.messages').hover();
		await on.page.mouse.wheel(0, -400);
		await until('the reader is further up', async () => (await belowView()) > 300);
		const before = await top();
		respond();
		await until('it is loaded', () =>
			on.page.evaluate<boolean>(`document.querySelector('.messages img').naturalWidth === 480`),
		);
		await on.sandbox.send(CUSTOMER, 'The newest');
		await on.bubble('The newest').waitFor({ state: 'attached' });
		expect(await belowView()).toBeGreaterThan(300);
		expect(await top()).toBe(before);
		await on.page.mouse.wheel(0, 5000);
		await until('the reader is at the end', async () => (await belowView()) === 0);
		await on.sandbox.send(CUSTOMER, 'Another one');
		await on.bubble('Another one').waitFor();
		expect(await belowView()).toBe(0);
	});
});

it('says of media that cannot be loaded that the service would refuse them', async () => {
	await send('IMAGE', 'gone.png');
	await send('VIDEO', 'gone.mp4');
	await send('AUDIO', 'gone.ogg');
	respond();
	await on.view(`chats/${CUSTOMER}`);
	await on.page
		.getByText('This image cannot be loaded. The real service would refuse it.')
		.waitFor();
	for (const kind of ['video', 'audio'])
		await on.page
			.getByText(
				`This ${kind} cannot be played here. If its address is wrong, the real service would refuse it.`,
			)
			.waitFor();
	expect(await on.page.locator('.messages :is(img, video, audio)').count()).toBe(0);
	const before = asked.length;
	await on.sandbox.send(CUSTOMER, 'Once more');
	await on.bubble('Once more').locator('.state', { hasText: 'read' }).waitFor();
	expect(asked).toHaveLength(before);
	expect(await barriers(on.page)).toEqual([]);
	await takePicture(on.page, 'sandbox-media-gone');
});
