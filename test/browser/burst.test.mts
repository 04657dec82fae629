import type { Browser } from 'playwright-core';

import { byId, ACTION, TRIGGER } from '../host/harness/host.mts';
import { ownAccount } from '../host/harness/examples.mts';
import { illustrate, launchBrowser } from './harness/browser.mts';
import { CUSTOMER, DESKTOP } from './harness/sandboxPage.mts';

const BURST = ['Hi', 'are you there?', 'I need help with my order 1024'];
const LIMIT_MS = 60_000;

let browser: Browser;
beforeAll(async () => {
	browser = await launchBrowser();
});
afterAll(async () => await browser?.close());

test('three messages in a row have one answer, and the chat shows it', async () => {
	const { host, channels } = await ownAccount(['Example Shop']);
	const [channelId = ''] = channels;
	try {
		const trigger = host.node('Trigger', TRIGGER, {
			channelId: byId(channelId),
			grouping: 'customer',
			options: { quietTime: 2 },
		});
		const answer = host.node('Answer', ACTION, {
			resource: 'message',
			operation: 'sendText',
			channelId: '={{ $json.channelId }}',
			recipient: '={{ $json.sender.identifier }}',
			text: '=Hello {{ $json.sender.name }}, yes, I am here. Order {{ $json.text.match(/\\d+/)[0] }} left our house this morning.',
		});
		const { id } = await host.createWorkflow('One answer', [trigger, answer]);
		await host.client.publish(id);
		for (const text of BURST)
			await host.sandbox.customerWrites({ channelId, from: CUSTOMER, name: 'Ana Example', text });
		const page = await browser.newPage({ viewport: { ...DESKTOP, height: 620 } });
		await page.goto(`${host.underTest.sandboxUrl}/#chats`);
		await page.getByLabel('Channel').selectOption(channelId);
		await page.locator(`button[data-customer="${CUSTOMER}"]`).click();
		const theirs = page.locator('.messages > li.theirs');
		await theirs.getByText('Order 1024 left our house').waitFor({ timeout: LIMIT_MS });
		expect(await theirs.count()).toBe(1);
		expect(await page.locator('.messages > li.mine').count()).toBe(BURST.length);
		await illustrate(page, 'burst-one-answer');
	} finally {
		await host.cleanUp();
	}
});
