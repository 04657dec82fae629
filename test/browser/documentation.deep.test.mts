import type { Browser, Locator, Page } from 'playwright-core';

import { ACTION, Host, startNode, TRIGGER } from '../host/harness/host.mts';
import type { StoredWorkflow } from '../../scripts/n8n/types.mts';
import { launchBrowser, signIn, takePicture } from './harness/browser.mts';
import { Editor } from './harness/editor.mts';

const PAGES =
	'https://github.com/n8n-nodes-business-messaging/n8n-nodes-business-messaging/blob/main/docs/';

const host = new Host();
const { n8nUrl } = host.underTest;

let browser: Browser;
let page: Page;
let editor: Editor;
let workflow: StoredWorkflow;

beforeAll(async () => {
	workflow = await host.client.createWorkflow({
		name: 'Documentation',
		nodes: [
			startNode(),
			{ ...host.node('Ask', ACTION, {}), position: [300, 0] },
			{ ...host.node('Listen', TRIGGER, {}), position: [0, 300] },
		],
		connections: {},
	});
	browser = await launchBrowser();
	page = await browser.newPage({ viewport: { width: 1440, height: 900 } });
	await signIn(page, n8nUrl);
	editor = new Editor(page, n8nUrl);
	await page.goto(`${n8nUrl}/workflow/${workflow.id}`);
});

afterAll(async () => {
	await browser?.close();
	if (workflow) await host.client.deleteWorkflow(workflow.id);
	await host.cleanUp();
});

/** The links of an element to pages of this package. */
const linksIn = (element: Locator): Locator => element.locator(`a[href^="${PAGES}"]`);

test('Docs leads to the page of the node, with its anchor', async () => {
	for (const [node, place] of [
		['Ask', 'outputs.md'],
		['Listen', 'nodes.md#trigger'],
	] as const) {
		await editor.openNode(node);
		await editor.part('node-parameters').waitFor();
		expect(await linksIn(editor.node).count()).toBe(1);
		expect(await linksIn(editor.node).getAttribute('href')).toBe(`${PAGES}${place}`);
		await editor.closeNode();
	}
});

test('the list of operations leads to the row of each', async () => {
	await editor.openNode('Ask');
	const label = editor.node
		.locator('label')
		.filter({ hasText: /^Operation/ })
		.first();
	await label.hover();
	await label.locator('svg').first().hover();
	const linkTo = (anchor: string) =>
		page.locator(`a[href="${PAGES}outputs.md#${anchor}"]:visible`).first();
	const link = linkTo('message-send-text');
	await link.waitFor();
	await takePicture(page, 'documentation-operations');
	expect(await linkTo('message-send-and-wait').textContent()).toBe('Send and Wait for Response');
	// It stays while the mouse moves onto it.
	await link.hover();
	expect(await link.isVisible()).toBe(true);
});
