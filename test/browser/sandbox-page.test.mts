import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import type { Browser, Page } from 'playwright-core';

import { DEMO_CHANNEL_ID } from '../../sandbox/seed.mts';
import { startSandbox } from '../../sandbox/server.mts';
import { type Client, startReceiver, startTestSandbox, until } from '../sandbox/helpers.mts';
import { launchBrowser, takePicture } from './harness/browser.mts';
import { legibilityProblems, namelessControls, tabThrough } from './harness/accessibility.mts';

const CHANNEL = `/v1/channels/${DEMO_CHANNEL_ID}`;
const CUSTOMER = '5500000000101';
const DESKTOP = { width: 1280, height: 800 };
const PHONE = { width: 390, height: 800 };
const VIEWS = ['chats', 'webhooks', 'deliveries', 'connect', 'controls'];
/** What a view shows once it has everything. */
const READY: Record<string, string> = { chats: '.theirs', webhooks: 'article', deliveries: '.attempt', connect: 'article', controls: '.fault' };

let browser: Browser;
let sandbox: Awaited<ReturnType<typeof startTestSandbox>>;
let business: Awaited<ReturnType<typeof startReceiver>>;
let page: Page;
let complaints: string[];

beforeAll(async () => {
	browser = await launchBrowser();
	sandbox = await startTestSandbox();
}, 300_000);
beforeEach(async () => {
	await sandbox.control('/reset', { body: {} });
	business = await startReceiver(({ json }) => {
		const { sender, contents } = (json as { message: { sender: { identifier: string; name: string }; contents: Array<{ message?: string }> } }).message;
		void sandbox.send(sender.identifier, `Thanks, ${sender.name}! You wrote: ${contents[0]?.message ?? 'no text'}`);
		return {};
	});
	await registerWebhook(sandbox);
	page = await openPage();
});
afterEach(async () => {
	await page.close();
	await business.close();
	expect(complaints).toEqual([]);
});
afterAll(async () => {
	await browser.close();
	await sandbox.close();
});

const registerWebhook = (client: Client) =>
	client.call(`${CHANNEL}/webhooks`, { body: { url: business.url, events: ['MESSAGE_RECEIVED'], signing: true, description: 'Auto-reply' } });

async function openPage(options: Parameters<Browser['newPage']>[0] = { viewport: DESKTOP }): Promise<Page> {
	const opened = await browser.newPage(options);
	complaints = [];
	opened.on('pageerror', (error) => complaints.push(error.message));
	// A request that the sandbox refuses is reported by the browser, too: those are what a test may be about.
	opened.on('console', (message) => message.type() === 'error' && !/Failed to load resource/.test(message.text()) && complaints.push(message.text()));
	return opened;
}

const view = async (name: string) => {
	await page.goto(`${sandbox.url}/#${name}`);
	await page.locator(`.view.${name.split('/')[0]}`).waitFor();
};
const bubble = (text: string) => page.locator('.messages > li', { hasText: text }).last();

it('plays the customer: what is written starts the business’s answer, which arrives and is read', async () => {
	await view('chats');
	await page.getByText('window not opened yet').waitFor();
	await page.getByLabel('Message', { exact: true }).fill('Hello, is my order on its way?');
	await page.keyboard.press('Enter');
	const answer = bubble('You wrote: Hello, is my order on its way?');
	await answer.locator('.state', { hasText: 'read' }).waitFor();
	expect(await answer.getAttribute('class')).toBe('theirs');
	expect(await page.locator('.messages > li.mine').count()).toBe(1);
	await page.getByText(/window open, 23 h 59 min left/).waitFor();
	await takePicture(page, 'sandbox-chats');
});

it('takes every kind of content, and shows what was written as text', async () => {
	await view('chats');
	const kinds = await page.getByLabel('Kind of message').locator('option').evaluateAll((options) => options.map((option) => (option as unknown as { value: string }).value));
	for (const kind of kinds) {
		await page.getByLabel('Kind of message').selectOption(kind);
		for (const input of await page.locator('.composer input[required]').all()) {
			if ((await input.inputValue()) === '') await input.fill(kind === 'TEXT' ? '<img src=x onerror="document.title=1"> & ☂' : `${sandbox.url}/page/sample.svg`);
		}
		await page.getByRole('button', { name: 'Send' }).click();
		await until(`a message of kind ${kind} was sent`, async () => {
			const { messages } = await sandbox.control<{ messages: Array<{ content: { type: string }; direction: string }> }>('/messages');
			return messages.filter(({ direction }) => direction === 'in').at(-1)?.content.type === kind;
		});
	}
	expect(kinds).toHaveLength(8);
	await bubble('<img src=x onerror="document.title=1"> & ☂').waitFor();
	await until('every kind is shown', async () => (await page.locator('.messages > li.mine').count()) === kinds.length);
	expect(await page.locator('.messages .mine img').count()).toBe(2);
	expect(await page.title()).toBe('Chats · Sandbox');
});

it('shows exactly what a delivery carried, and sends it again', async () => {
	await sandbox.inbound(CUSTOMER, 'Hello', { name: 'Ana Example' });
	await until('it arrived', () => business.received.length === 1);
	await view('deliveries');
	await page.getByText('Ana Example: Hello').waitFor();
	await page.locator('.attempt').first().waitFor();
	const { headers, body } = business.received[0]!;
	const request = await page.getByLabel('Request').innerText();
	for (const name of ['x-webhook-signature', 'x-idempotency-key', 'content-type']) expect(request).toContain(`${name}: ${String(headers[name])}`);
	expect(JSON.parse(await page.getByLabel('Body', { exact: true }).innerText())).toEqual(JSON.parse(body.toString()));
	await page.getByText('Signed text').click();
	expect(await page.getByLabel('Signed text').textContent()).toContain(body.toString());
	await takePicture(page, 'sandbox-deliveries');
	await page.getByRole('button', { name: 'Send again' }).click();
	await until('it arrived again', () => business.received.length === 2);
	await page.getByText('Attempt 2').waitFor();
	expect(business.received[1]!.headers['x-idempotency-key']).toBe(headers['x-idempotency-key']);
});

it('switches faults on and off, and moves the clock', async () => {
	await sandbox.inbound(CUSTOMER, 'Hello');
	await view('controls');
	await page.getByLabel('At', { exact: true }).selectOption('sendMessage');
	await page.getByRole('switch', { name: 'Answer with a status' }).check();
	await page.getByText('route: status, operation sendMessage, status 429, retryAfter 5').waitFor();
	expect((await sandbox.send(CUSTOMER, 'Refused')).status).toBe(429);
	await takePicture(page, 'sandbox-controls');
	await page.getByRole('switch', { name: 'Answer with a status' }).uncheck();
	await page.getByText('No fault is switched on.').waitFor();
	expect((await sandbox.send(CUSTOMER, 'Taken')).status).toBe(200);
	await page.getByRole('button', { name: '+ 24 hours' }).click();
	await until('the clock was moved', async () => (await sandbox.send(CUSTOMER, 'Too late')).status === 422);
	await page.getByRole('switch', { name: 'ENTERPRISE role of Demo Company' }).uncheck();
	await until('the role is gone', async () => (await sandbox.call('/v1/webhooks')).status === 422);
	await view('chats');
	await page.getByText('window closed').waitFor();
});

it('resets only when asked twice', async () => {
	await sandbox.inbound(CUSTOMER, 'Kept');
	await view('controls');
	const messages = async () => (await sandbox.control<{ messages: number }>('/state')).messages;
	await page.getByRole('button', { name: 'Reset the sandbox' }).click();
	await page.keyboard.press('Escape');
	await page.getByRole('dialog').waitFor({ state: 'detached' });
	expect(await messages()).toBeGreaterThan(0);
	await page.getByRole('button', { name: 'Reset the sandbox' }).click();
	await page.getByRole('dialog').getByRole('button', { name: 'Reset' }).click();
	await until('it was reset', async () => (await messages()) === 0);
});

it('connects a channel: the dialog’s answer reaches the backend, whose code is good once', async () => {
	const backend = await startReceiver(() => ({ body: 'taken' }));
	try {
		await view('connect');
		await page.getByLabel('Name', { exact: true }).fill('Shop');
		await page.getByRole('button', { name: 'Create channel' }).click();
		await page.locator('article', { hasText: 'Shop' }).getByText('not connected').waitFor();
		await page.getByLabel('Channel', { exact: true }).selectOption({ label: 'Shop' });
		await page.getByLabel('Post the answer to').fill(backend.url);
		await page.getByRole('button', { name: 'Connect', exact: true }).click();
		await page.getByRole('dialog').getByRole('button', { name: 'Not now' }).click();
		await page.getByText('"success": false').waitFor();
		expect(backend.received).toHaveLength(0);

		await page.getByRole('button', { name: 'Connect', exact: true }).click();
		await page.getByRole('switch', { name: /coexistence/ }).check();
		await takePicture(page, 'sandbox-connect');
		await page.getByRole('button', { name: 'Allow' }).click();
		await page.getByLabel('Answer of the backend').getByText('taken').waitFor();
		const { success, channelId, ...connect } = backend.received[0]!.json as Record<string, unknown> & { channelId: string };
		expect({ success, ...connect }).toMatchObject({ success: true, coexistence: true, code: expect.any(String) });
		expect((await sandbox.call(`/v1/channels/${channelId}/connect`, { body: connect })).body).toEqual({ success: true });
		await page.locator('article', { hasText: 'Shop' }).getByText('connected', { exact: true }).waitFor();
	} finally {
		await backend.close();
	}
});

it('shows the webhooks, pauses one, and sends template events', async () => {
	const templates = await startReceiver();
	try {
		await sandbox.call('/v1/webhooks', { body: { url: templates.url, events: ['UPDATE_TEMPLATE_STATUS'] } });
		await view('webhooks');
		const card = page.locator('article', { hasText: business.url });
		await card.getByRole('button', { name: 'Disable' }).click();
		await card.getByText('DISABLED').waitFor();
		expect((await sandbox.call(`${CHANNEL}/webhooks`)).body).toMatchObject([{ status: 'DISABLED' }]);
		await card.getByRole('button', { name: 'Enable' }).click();
		await card.getByText('ENABLED').waitFor();
		await page.getByLabel('To', { exact: true }).selectOption('REJECTED');
		await page.getByRole('button', { name: 'Send event' }).click();
		await page.getByText('Sent to 1 of 1 template webhooks').waitFor();
		await until('the event arrived', () => templates.received.length === 1);
		expect(templates.received[0]!.json).toMatchObject([{ value: { event: 'REJECTED', message_template_name: 'order_update' } }]);
		await takePicture(page, 'sandbox-webhooks');
	} finally {
		await templates.close();
	}
});

it('says what went wrong, and comes back by itself when the sandbox does', async () => {
	const folder = mkdtempSync(join(tmpdir(), 'sandbox-page-'));
	const data = { dataFile: join(folder, 'data.sqlite') };
	let other = await startSandbox(data);
	try {
		const port = Number(new URL(other.url).port);
		await page.goto(`${other.url}/#chats`);
		await page.getByText('live', { exact: true }).waitFor();
		await other.close();
		await page.getByText('reconnecting').waitFor();
		await page.getByLabel('Message', { exact: true }).fill('Lost?');
		await page.keyboard.press('Enter');
		await page.getByText('The sandbox does not answer. Is it still running?').first().waitFor();
		expect(await page.getByLabel('Message', { exact: true }).inputValue()).toBe('Lost?');
		other = await startSandbox({ ...data, port });
		await page.getByText('live', { exact: true }).waitFor();
		await page.getByRole('button', { name: 'Send' }).click();
		await bubble('Lost?').waitFor();
		// The answers to calls that failed are the browser's complaints, not the page's.
		complaints = complaints.filter((text) => !/ERR_|EventSource|Failed to fetch/.test(text));
	} finally {
		await other.close();
		rmSync(folder, { recursive: true, force: true });
	}
});

describe.each([
	['a desktop', DESKTOP],
	['a phone', PHONE],
])('at the width of %s', (width, viewport) => {
	it.each(['light', 'dark'] as const)('is legible in %s, in every view', async (colorScheme) => {
		await page.close();
		page = await openPage({ viewport, colorScheme });
		await sandbox.inbound(CUSTOMER, 'Hello', { name: 'Ana Example' });
		await sandbox.inbound(CUSTOMER, `A word that is long: ${'x'.repeat(200)}`);
		await until('the answers came', async () => (await sandbox.control<{ messages: number }>('/state')).messages === 4);
		for (const name of VIEWS) {
			await view(name === 'chats' ? `chats/${CUSTOMER}` : name);
			await page.locator(READY[name]!).first().waitFor();
			expect({ name, problems: await legibilityProblems(page) }).toEqual({ name, problems: [] });
			expect({ name, nameless: await namelessControls(page) }).toEqual({ name, nameless: [] });
		}
		await view(`chats/${CUSTOMER}`);
		await bubble('Thanks, Ana Example').waitFor();
		await takePicture(page, `sandbox-chats-${width.split(' ')[1]}-${colorScheme}`);
	});
});

it('is looked at with eyes that see what is faint, too wide or nameless', async () => {
	await view('connect');
	await page.evaluate(`document.body.insertAdjacentHTML('beforeend', '<p style="color: #999; background: #fff">faint</p><button></button>')`);
	await page.evaluate(`document.querySelector('main').style.width = '3000px'`);
	const problems = await legibilityProblems(page);
	// The page's own policy refuses the style attribute, so it is set from a script.
	await page.evaluate(`Object.assign(document.body.lastElementChild.previousElementSibling.style, { color: '#999', background: '#fff' })`);
	expect([...problems, ...(await legibilityProblems(page))].join('\n')).toMatch(/wider than the window[^]*: P  "faint"/);
	expect(await namelessControls(page)).toEqual(['<button></button>']);
	complaints = [];
});

it('can be used with the keyboard alone', async () => {
	await sandbox.inbound(CUSTOMER, 'Hello', { name: 'Ana Example' });
	for (const name of VIEWS) {
		await view(name);
		await page.locator(READY[name]!).first().waitFor();
		const stops = await tabThrough(page);
		expect({ name, unseen: stops.filter(({ visible }) => !visible) }).toEqual({ name, unseen: [] });
		expect(stops.length).toBeGreaterThan(6);
		expect(stops[0]!.what).toContain('Skip to the content');
	}
	await view('chats');
	await page.getByRole('button', { name: /Ana Example/ }).focus();
	await page.keyboard.press('Enter');
	await page.keyboard.type('Typed right away');
	await page.keyboard.press('Enter');
	await bubble('You wrote: Typed right away').waitFor();
});
