import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

import type { Browser, Page } from 'playwright-core';

import { startTestSandbox } from '../sandbox/helpers.mts';
import { OUTER } from '../sandbox/rawCall.mts';
import { launchBrowser } from './harness/browser.mts';
import { CUSTOMER } from './harness/sandboxPage.mts';

const TOKEN = 'token-of-this-test';

let browser: Browser;
let page: Page;
let sandbox: Awaited<ReturnType<typeof startTestSandbox>>;
/** The sandbox's address for other machines. */
let url: string;
beforeAll(async () => {
	browser = await launchBrowser();
	sandbox = await startTestSandbox({ host: '0.0.0.0', token: TOKEN });
	url = `http://${OUTER}:${new URL(sandbox.url).port}`;
}, 300_000);
beforeEach(async () => {
	await sandbox.control('/reset', { body: {} });
	page = await browser.newPage();
});
afterEach(async () => await page.close());
afterAll(async () => {
	await browser.close();
	await sandbox.close();
});

// Only on a machine with an address for others.
if (OUTER !== undefined) {
	it('opens with the token once, and shows events', async () => {
		expect((await page.goto(url))?.status()).toBe(401);
		await page.goto(`${url}/?token=${TOKEN}`);
		expect(page.url()).toBe(`${url}/`);
		await page.goto(`${url}/#chats/${CUSTOMER}`);
		await page.locator('.view.chats').waitFor();
		await sandbox.inbound(CUSTOMER, 'Hello from elsewhere');
		await page.locator('.messages > li', { hasText: 'Hello from elsewhere' }).waitFor();
		await page.goto(`${url}/#controls`);
		await page.getByRole('button', { name: 'Reset the sandbox' }).waitFor();
		expect(await page.getByText('This sandbox has no token').count()).toBe(0);
		// A script cannot read the token.
		expect(await page.evaluate('document.cookie')).toBe('');
	});

	it('shows the secret key only with the token, and selects what it cannot copy', async () => {
		const { secretKey } = sandbox;
		expect(secretKey).toMatch(/^sandbox_sk_.{20}/);
		for (const path of ['', '_sandbox/state', 'page/credential.js']) {
			expect((await page.goto(`${url}/${path}`))?.status()).toBe(401);
			expect(await page.content()).not.toContain(secretKey);
		}
		await page.goto(`${url}/?token=${TOKEN}`);
		await page.goto(`${url}/#connect`);
		await page.getByRole('button', { name: 'Copy Secret Key' }).click();
		await page.getByText('It is selected: copy it yourself.').waitFor();
		expect(await page.evaluate('getSelection().toString()')).toBe(secretKey);
	});

	it('refuses other sites’ pages in the browser that has the token', async () => {
		const server = createServer((_request, response) => {
			response.writeHead(200, { 'content-type': 'text/html' }).end('<title>Other</title>');
		});
		await new Promise<void>((resolve) => server.listen(0, OUTER, resolve));
		try {
			await sandbox.inbound(CUSTOMER, 'Kept');
			await page.goto(`${url}/?token=${TOKEN}`);
			await page.locator('.view').first().waitFor();
			// The same host with another port, because the browser would send a cookie along.
			await page.goto(`http://${OUTER}:${(server.address() as AddressInfo).port}/`);
			const outcomes = await page.evaluate(`Promise.all([
				fetch('${url}/_sandbox/state', { credentials: 'include' }).then(() => 'read', () => 'refused'),
				fetch('${url}/_sandbox/reset', { method: 'POST', mode: 'no-cors', credentials: 'include' })
					.then(() => 'sent', () => 'refused'),
			])`);
			expect(outcomes).toEqual(['refused', 'sent']);
			expect(await sandbox.control('/messages')).toMatchObject({ messages: [{}] });
		} finally {
			server.closeAllConnections();
			server.close();
		}
	});
}
