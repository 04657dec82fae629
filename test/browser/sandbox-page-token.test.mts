import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

import type { Browser } from 'playwright-core';

import { startTestSandbox } from '../sandbox/helpers.mts';
import { OUTER } from '../sandbox/rawCall.mts';
import { launchBrowser } from './harness/browser.mts';
import { CUSTOMER } from './harness/sandboxPage.mts';

const TOKEN = 'token-of-this-test';

let browser: Browser;
let sandbox: Awaited<ReturnType<typeof startTestSandbox>>;
/** The sandbox's address for other machines. */
let url: string;
beforeAll(async () => {
	browser = await launchBrowser();
	sandbox = await startTestSandbox({ host: '0.0.0.0', token: TOKEN });
	url = `http://${OUTER}:${new URL(sandbox.url).port}`;
}, 300_000);
beforeEach(() => sandbox.control('/reset', { body: {} }));
afterAll(async () => {
	await browser.close();
	await sandbox.close();
});

// Declared where the machine has an address for others.
if (OUTER !== undefined) {
	it('opens for who brings the token once, and shows what happens', async () => {
		const page = await browser.newPage();
		expect((await page.goto(url))?.status()).toBe(401);
		await page.goto(`${url}/?token=${TOKEN}`);
		expect(page.url()).toBe(`${url}/`);
		await page.goto(`${url}/#chats/${CUSTOMER}`);
		await page.locator('.view.chats').waitFor();
		await sandbox.inbound(CUSTOMER, 'Hello from elsewhere');
		await page.locator('.messages > li', { hasText: 'Hello from elsewhere' }).waitFor();
		// What is read by script is not the token.
		expect(await page.evaluate('document.cookie')).toBe('');
		await page.close();
	});

	it('is closed to the pages of other sites in the browser that brought it', async () => {
		const server = createServer((_request, response) => {
			response.writeHead(200, { 'content-type': 'text/html' }).end('<title>Other</title>');
		});
		await new Promise<void>((resolve) => server.listen(0, OUTER, resolve));
		const page = await browser.newPage();
		try {
			await sandbox.inbound(CUSTOMER, 'Kept');
			await page.goto(`${url}/?token=${TOKEN}`);
			await page.locator('.view').first().waitFor();
			// The same host, another port: a cookie would go along.
			await page.goto(`http://${OUTER}:${(server.address() as AddressInfo).port}/`);
			const outcomes = await page.evaluate(`Promise.all([
				fetch('${url}/_sandbox/state', { credentials: 'include' }).then(() => 'read', () => 'refused'),
				fetch('${url}/_sandbox/reset', { method: 'POST', mode: 'no-cors', credentials: 'include' })
					.then(() => 'sent', () => 'refused'),
			])`);
			expect(outcomes).toEqual(['refused', 'sent']);
			const { messages } = await sandbox.control<{ messages: unknown[] }>('/messages');
			expect(messages).toHaveLength(1);
		} finally {
			await page.close();
			server.closeAllConnections();
			server.close();
		}
	});
}
