import type { Browser, Page } from 'playwright-core';

import { DEMO_CHANNEL_ID } from '../../../sandbox/seed.mts';
import { startReceiver, startTestSandbox } from '../../sandbox/helpers.mts';
import { launchBrowser } from './browser.mts';

export const CHANNEL = `/v1/channels/${DEMO_CHANNEL_ID}`;
export const CUSTOMER = '5500000000101';
export const DESKTOP = { width: 1280, height: 800 };
export const PHONE = { width: 390, height: 800 };

/** The views of the page, each with what it shows once it is complete. */
export const VIEWS: Record<string, string> = {
	chats: '.theirs',
	templates: 'article',
	webhooks: 'article',
	deliveries: '.attempt',
	connect: 'article',
	controls: '.fault',
};

/**
 * For the tests of a file: a sandbox, reset before each test, whose business replies to every
 * customer, and a page of it.
 */
export function sandboxPage() {
	let browser: Browser;
	let sandbox: Awaited<ReturnType<typeof startTestSandbox>>;
	let business: Awaited<ReturnType<typeof startReceiver>>;
	let page: Page;
	let complaints: string[] = [];

	async function open(
		options: Parameters<Browser['newPage']>[0] = { viewport: DESKTOP },
	): Promise<void> {
		page = await browser.newPage(options);
		page.on('pageerror', (error) => complaints.push(error.message));
		page.on('console', (message) => {
			// The browser also reports refused requests, which a test may want.
			if (message.type() === 'error' && !/Failed to load resource/.test(message.text()))
				complaints.push(message.text());
		});
	}

	beforeAll(async () => {
		browser = await launchBrowser();
		sandbox = await startTestSandbox();
	}, 300_000);
	beforeEach(async () => {
		await sandbox.control('/reset', { body: {} });
		business = await startReceiver(({ json }) => {
			const { sender, contents } = (json as NewMessage).message;
			void sandbox.send(
				sender.identifier,
				`Thanks, ${sender.name}! You wrote: ${contents[0]?.message ?? 'no text'}`,
			);
			return {};
		});
		const webhook = {
			url: business.url,
			events: ['MESSAGE_RECEIVED'],
			signing: true,
			description: 'Auto-reply',
		};
		await sandbox.call(`${CHANNEL}/webhooks`, { body: webhook });
		complaints = [];
		await open();
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

	return {
		get sandbox() {
			return sandbox;
		},
		/** What received the customers' messages and replied to them. */
		get business() {
			return business;
		},
		get page() {
			return page;
		},
		/** Opens the page in another window. */
		async reopen(options: Parameters<Browser['newPage']>[0]) {
			await page.close();
			await open(options);
		},
		async view(name: string) {
			await page.goto(`${sandbox.url}/#${name}`);
			await page.locator(`.view.${name.split('/')[0]}`).waitFor();
		},
		bubble: (text: string) => page.locator('.messages > li', { hasText: text }).last(),
		/** Takes the browser's complaints so far as intended by the test. */
		excuse(expected: RegExp) {
			complaints = complaints.filter((text) => !expected.test(text));
		},
	};
}

interface NewMessage {
	message: { sender: { identifier: string; name: string }; contents: Array<{ message?: string }> };
}
