import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

import { until } from '../sandbox/helpers.mts';
import { PICTURE } from './harness/kinds.mts';
import { CUSTOMER, sandboxPage, WIDTHS } from './harness/sandboxPage.mts';

const on = sandboxPage();

/** Pixels of the chat below the visible part, when nothing is left to be laid out. */
const belowView = () =>
	on.run<number>(`new Promise((resolve) =>
		requestAnimationFrame(() => requestAnimationFrame(() => {
			const { scrollHeight, scrollTop, clientHeight } = document.querySelector('.messages');
			resolve(Math.round(scrollHeight - scrollTop - clientHeight));
		})),
	)`);
const top = () => on.run<number>(`Math.round(document.querySelector('.messages').scrollTop)`);
const areLoaded = () =>
	until('all pictures are loaded', () =>
		on.run<boolean>(
			`[...document.querySelectorAll('.messages img')].every(({ naturalWidth }) => naturalWidth === 480)`,
		),
	);

let asked: string[];
/** The host of pictures responds only then. Others than pictures are not found. */
let respond: () => void;
let server: ReturnType<typeof createServer>;

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
	await on.fault({ on: 'webhook', kind: 'dropBefore' });
	await on.writes();
});
afterEach(() => {
	server.closeAllConnections();
	server.close();
});

const send = async (type: string, path: string) => {
	const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/${path}`;
	expect(await on.sandbox.sendContent(CUSTOMER, { type, attachments: [{ url }] })).toMatchObject({
		status: 200,
	});
};
const writeLines = async (last: number) => {
	for (let line = 1; line <= last; line += 1) await on.sandbox.send(CUSTOMER, `Line ${line}`);
};
/** Opens the chat at its newest message. */
const openAt = async (text: string) => {
	await on.openChat();
	await on.bubble(text).waitFor();
};

describe.each(WIDTHS)('at the width of %s', (_width, viewport) => {
	beforeEach(() => on.reopen({ viewport }));

	it('stays at the newest message while pictures load', async () => {
		await writeLines(20);
		for (let picture = 1; picture <= 4; picture += 1) await send('IMAGE', `picture-${picture}`);
		await on.sandbox.send(CUSTOMER, 'The newest');
		await openAt('The newest');
		await until('all are asked for', () => asked.length === 4);
		expect(await belowView()).toBe(0);
		respond();
		await areLoaded();
		expect(await belowView()).toBe(0);
	});

	it('stays there when something grows before the browser reports its own scrolling', async () => {
		await writeLines(30);
		await openAt('Line 30');
		expect(await belowView()).toBe(0);
		await on.run(`(() => {
			const messages = document.querySelector('.messages');
			messages.scrollTop -= 1;
			messages.scrollTop += 1;
			messages.lastElementChild.style.minHeight = '300px';
		})()`);
		expect(await belowView()).toBe(0);
	});

	it('stays there when the input or the window takes room', async () => {
		await writeLines(30);
		await openAt('Line 30');
		const height = () => on.run<number>(`document.querySelector('.messages').clientHeight`);
		const before = await height();
		await on.page.getByLabel('Kind of message').selectOption('IMAGE');
		await until('the input is higher', async () => (await height()) < before);
		expect(await belowView()).toBe(0);
		await on.page.setViewportSize({ ...viewport, height: 600 });
		expect(await belowView()).toBe(0);
	});

	it('leaves a reader who scrolled up alone', async () => {
		await writeLines(30);
		await send('IMAGE', 'picture');
		await on.openChat();
		await until('it is asked for', () => asked.length === 1);
		await on.page.locator('.messages').hover();
		await on.page.mouse.wheel(0, -400);
		await until('the reader is further up', async () => (await belowView()) > 300);
		const before = await top();
		respond();
		await areLoaded();
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
	await on.openChat();
	await on.shows('This image cannot be loaded. The real service would refuse it.');
	for (const kind of ['video', 'audio'])
		await on.shows(
			`This ${kind} cannot be played here. If its address is wrong, the real service would refuse it.`,
		);
	expect(await on.page.locator('.messages :is(img, video, audio)').count()).toBe(0);
	const before = asked.length;
	await on.sandbox.send(CUSTOMER, 'Once more');
	await on.bubble('Once more').locator('.state', { hasText: 'read' }).waitFor();
	expect(asked).toHaveLength(before);
	await on.isAccessible();
});
