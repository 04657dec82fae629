import type { IDataObject } from 'n8n-workflow';
import type { Browser, Page } from 'playwright-core';

import { DEMO_CHANNEL_ID, DEMO_CHANNEL_NAME } from '../../sandbox/seed.mts';
import type { StoredWorkflow } from '../../scripts/n8n/types.mts';
import { ACTION, Host, startNode } from '../host/harness/host.mts';
import { launchBrowser, signIn, takePicture } from './harness/browser.mts';

const host = new Host();
const { n8nUrl } = host.underTest;

let browser: Browser;
let page: Page;
let workflow: StoredWorkflow;

/** What each operation asks for, in this order, when it is opened for the first time. */
const PANELS: Record<string, { entered?: IDataObject; labels: string[] }> = {
	sendMedia: { labels: ['Channel', 'Recipient', 'Media Type', 'Source', 'Media URL', 'Caption'] },
	sendButtons: {
		labels: ['Channel', 'Recipient', 'Button Type', 'Text', 'Reply Buttons', 'Header Media URL'],
	},
	sendTemplate: {
		labels: ['Channel', 'Recipient', 'Template Name', 'Language Code', 'Body Parameters'],
	},
	sendContact: { labels: ['Channel', 'Recipient', 'Contact Name', 'Contact Phones'] },
	sendOther: { labels: ['Channel', 'Recipient', 'Content'] },
	downloadAttachments: { labels: ['Attachments', 'Output Field Prefix'] },
};

beforeAll(async () => {
	const channelId = {
		__rl: true,
		mode: 'list',
		value: DEMO_CHANNEL_ID,
		cachedResultName: DEMO_CHANNEL_NAME,
	};
	const nodes = Object.keys(PANELS).map((operation, index) => ({
		...host.node(operation, ACTION, { resource: 'message', operation, channelId }),
		position: [200, 160 * index] as [number, number],
	}));
	workflow = await host.client.createWorkflow({
		name: 'Every kind',
		nodes: [startNode(), ...nodes],
		connections: {},
	});
	browser = await launchBrowser();
	page = await browser.newPage({ viewport: { width: 1440, height: 1100 } });
	await signIn(page, n8nUrl);
	await page.goto(`${n8nUrl}/workflow/${workflow.id}`);
});

afterAll(async () => {
	await browser?.close();
	if (workflow) await host.client.deleteWorkflow(workflow.id);
});

test.each(Object.entries(PANELS))(
	'the panel of %s asks in the order in which one thinks',
	async (operation, { labels }) => {
		const node = page.locator(`[data-test-id="canvas-node"][data-node-name="${operation}"]`);
		await node.waitFor({ timeout: 60_000 });
		await node.dblclick();
		const first = page
			.locator('.parameter-input-list-wrapper')
			.getByText(labels[0]!, { exact: true });
		await first.first().waitFor({ timeout: 30_000 });
		await takePicture(page, `panel-${operation}`);
		const text = await page.locator('.parameter-input-list-wrapper').first().innerText();
		const lines = text.split('\n').map((line) => line.trim());
		expect(lines.filter((line) => labels.includes(line))).toEqual(labels);
		expect(text).not.toMatch(/undefined|\[object/);
		await page.keyboard.press('Escape');
	},
);
