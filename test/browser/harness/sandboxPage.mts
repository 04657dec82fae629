import type { Browser, Page } from 'playwright-core';

import type { State } from '#sandbox/http/control/administration.mts';
import type { MessageView } from '#sandbox/http/control/chats.mts';
import { DEMO_CHANNEL_ID } from '#sandbox/seed.mts';
import type { Customers } from '../../host/harness/questions.mts';
import { startReceiver, startTestSandbox } from '../../sandbox/helpers.mts';
import { barriers } from './accessibility.mts';
import { launchBrowser } from './browser.mts';

export const CHANNEL = `/v1/channels/${DEMO_CHANNEL_ID}`;
export const CUSTOMER = '5500000000101';
export const DESKTOP = { width: 1280, height: 800 };
export const PHONE = { width: 390, height: 800 };

export const WIDTHS = [
	['a desktop', DESKTOP],
	['a phone', PHONE],
] as const;

/** The views of the page, each with what it shows once it is complete. */
const VIEWS: Record<string, string> = {
	chats: '.theirs',
	templates: 'article',
	webhooks: 'article',
	deliveries: '.attempt',
	connect: 'article',
	controls: '.fault',
};

/** Opens a customer's chat in the sandbox of the n8n under test. */
export async function openChat(
	page: Page,
	{ host, channelId }: Customers,
	customer: string,
): Promise<void> {
	await page.goto(`${host.underTest.sandboxUrl}/#chats`);
	await page.getByLabel('Channel').selectOption(channelId);
	await page.locator(`.conversations button[data-id="${customer}"]`).click();
}

/**
 * For the tests of a file: a sandbox, reset before each test, whose business replies to every
 * customer, and a page of it.
 */
export function sandboxPage() {
	let browser: Browser;
	let sandbox: Awaited<ReturnType<typeof startTestSandbox>>;
	let business: Awaited<ReturnType<typeof startReceiver>>;
	/** The n8n that the page may post to. */
	let backend: Awaited<ReturnType<typeof startReceiver>>;
	let page: Page;
	let complaints: string[] = [];
	const receivers: Array<Awaited<ReturnType<typeof startReceiver>>> = [];

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

	async function listen(...reaction: Parameters<typeof startReceiver>) {
		const receiver = await startReceiver(...reaction);
		receivers.push(receiver);
		return receiver;
	}

	beforeAll(async () => {
		browser = await launchBrowser();
		backend = await startReceiver(() => ({ body: 'taken' }));
		sandbox = await startTestSandbox({ n8n: backend.url });
	}, 300_000);
	beforeEach(async () => {
		await sandbox.control('/reset', { body: {} });
		business = await listen(({ json }) => {
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
			customAttributes: { shop: ['a', 'b'], n8n: { workflowId: 'W1' } },
		};
		await sandbox.call(`${CHANNEL}/webhooks`, { body: webhook });
		complaints = [];
		await open();
	});
	afterEach(async () => {
		await page.close();
		for (const { close } of receivers.splice(0)) await close();
		expect(complaints).toEqual([]);
	});
	afterAll(async () => {
		await browser.close();
		await sandbox.close();
		await backend.close();
	});

	async function view(name: string): Promise<void> {
		await page.goto(`${sandbox.url}/#${name}`);
		await page.locator(`.view.${name.split('/')[0]}`).waitFor();
	}
	/** The element with exactly this label. */
	const label = (text: string) => page.getByLabel(text, { exact: true });

	return {
		get sandbox() {
			return sandbox;
		},
		/** What received the customers' messages and replied to them. */
		get business() {
			return business;
		},
		/** What takes the results of the connection SDK. */
		get backend() {
			return backend;
		},
		get page() {
			return page;
		},
		/** Starts what takes webhooks until the test ends. */
		listen,
		/** Opens the page in another window. */
		async reopen(options: Parameters<Browser['newPage']>[0]) {
			await page.close();
			await open(options);
		},
		view,
		/** Opens every view, with the customer's chat, and looks at it once it is complete. */
		async eachView(look: (name: string) => Promise<void>, names = Object.keys(VIEWS)) {
			for (const name of names) {
				await view(name === 'chats' ? `chats/${CUSTOMER}` : name);
				await page.locator(VIEWS[name]!).first().waitFor();
				await look(name);
			}
		},
		openChat: async () => await view(`chats/${CUSTOMER}`),
		label,
		button: (name: string | RegExp) => page.getByRole('button', { name }),
		switch: (name: string | RegExp) => page.getByRole('switch', { name }),
		card: (text: string) => page.locator('article', { hasText: text }),
		/** Waits until the page shows a text. */
		shows: async (text: string | RegExp) => await page.getByText(text).waitFor(),
		bubble: (text: string) => page.locator('.messages > li', { hasText: text }).last(),
		/** What a script in the page results in. */
		run: async <T,>(script: string) => await page.evaluate<T>(script),
		/** What has the focus. */
		focused: async () => await page.evaluate<string>('document.activeElement.textContent'),
		copied: async () => String(await page.evaluate('navigator.clipboard.readText()')),
		/** Fails if a person with an impairment is held up. @param where for the failure */
		isAccessible: async (where = '') =>
			expect({ where, barriers: await barriers(page) }).toEqual({ where, barriers: [] }),
		/** Adds a customer in the chats. */
		async adds(number: string, name: string) {
			await label('Number of a new customer').fill(number);
			await label('Name of a new customer').fill(name);
			await page.keyboard.press('Enter');
			await page.locator('[aria-pressed=true]', { hasText: name }).waitFor();
		},
		/** The customer writes on the page. */
		async says(text: string) {
			await label('Message').fill(text);
			await page.keyboard.press('Enter');
		},
		/** The customer writes, without the page. */
		writes: async (text = 'Hello') =>
			await sandbox.inbound(CUSTOMER, text, { name: 'Ana Example' }),
		fault: async (body: object) => await sandbox.control('/faults', { body }),
		clock: async (body: object) => await sandbox.control('/clock', { body }),
		set: async (body: object) => await sandbox.control('/settings', { method: 'PATCH', body }),
		state: async () => await sandbox.control<State>('/state'),
		messages: async () =>
			(await sandbox.control<{ messages: MessageView[] }>('/messages')).messages,
		/**
		 * How many times as long a module of the page reads a text as its first 32nd, each at its
		 * best: about 32 if it reads each character a few times, and 1024 if it reads all for each.
		 */
		growthOf: async (module: 'links' | 'said', read: string, text: string) =>
			await page.evaluate<number>(
				`import('/page/${module}.js').then(({ ${read} }) => {
					const best = (text) => Math.min(...[1, 2, 3].map(() => {
						const start = performance.now();
						${read}(text);
						return performance.now() - start;
					}));
					const text = ${JSON.stringify(text)};
					return best(text) / Math.max(1, best(text.slice(0, text.length / 32)));
				})`,
			),
		/** Takes the browser's complaints so far as intended by the test. */
		excuse(expected: RegExp) {
			complaints = complaints.filter((text) => !expected.test(text));
		},
	};
}

interface NewMessage {
	message: { sender: { identifier: string; name: string }; contents: Array<{ message?: string }> };
}
