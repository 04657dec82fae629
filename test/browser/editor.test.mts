import type { Browser, Page } from 'playwright-core';

import { DEMO_CHANNEL_ID, DEMO_CHANNEL_NAME } from '../../sandbox/seed.mts';
import { completeExample, readExample } from '../../scripts/n8n/provision.mts';
import type { StoredWorkflow } from '../../scripts/n8n/types.mts';
import { Host } from '../host/harness/host.mts';
import { illustrate, launchBrowser, signIn, takePicture } from './harness/browser.mts';

const host = new Host();
const { n8nUrl, credential } = host.underTest;

let browser: Browser;
let page: Page;
let workflow: StoredWorkflow;
/** Errors that the editor reports because of our nodes. n8n 1 has one of its own, even on an empty canvas. */
const pageErrors: string[] = [];

beforeAll(async () => {
	const channel = { id: DEMO_CHANNEL_ID, name: DEMO_CHANNEL_NAME };
	workflow = await host.client.createWorkflow(
		completeExample(readExample('auto-reply'), credential, channel),
	);
	browser = await launchBrowser();
	page = await browser.newPage({ viewport: { width: 1440, height: 900 } });
	const own = new Set<string>();
	let known = false;
	page.on('pageerror', ({ message }) => {
		if (!known) own.add(message);
		else if (!own.has(message)) pageErrors.push(message);
	});
	await signIn(page, n8nUrl);
	await page.goto(`${n8nUrl}/workflow/new`);
	await page.waitForLoadState('networkidle');
	known = true;
	await page.goto(`${n8nUrl}/workflow/${workflow.id}`);
});

afterAll(async () => {
	await browser?.close();
	if (workflow) await host.client.deleteWorkflow(workflow.id);
});

/** What the browser's own type of an image has, which Node.js does not know. */
interface Picture {
	complete: boolean;
	naturalWidth: number;
}

const nodeOnCanvas = (name: string): ReturnType<Page['locator']> =>
	page.locator(`[data-test-id="canvas-node"][data-node-name="${name}"]`);

test('the example shows both nodes on the canvas, known and without a complaint', async () => {
	for (const name of ['When a Customer Writes', 'Send the Reply'])
		await nodeOnCanvas(name).waitFor({ timeout: 60_000 });
	await illustrate(page, 'editor-auto-reply', { x: 230, y: 215, width: 1020, height: 550 });
	for (const name of ['When a Customer Writes', 'Send the Reply']) {
		const node = nodeOnCanvas(name);
		expect(await node.locator('[data-test-id="node-issues"]').count()).toBe(0);
		const icon = node.locator('img').first();
		expect(
			await icon.evaluate(
				(image: Partial<Picture>) => image.complete === true && Number(image.naturalWidth) > 0,
			),
		).toBe(true);
	}
	expect(pageErrors).toEqual([]);
});

test('opening the action node shows its fields as people read them', async () => {
	await nodeOnCanvas('Send the Reply').dblclick();
	await page.getByText('Recipient', { exact: true }).first().waitFor({ timeout: 30_000 });
	await takePicture(page, 'send-text-panel');
	for (const label of ['Resource', 'Operation', 'Channel', 'Recipient', 'Text']) {
		expect(await page.getByText(label, { exact: true }).count()).toBeGreaterThan(0);
	}
	await page.keyboard.press('Escape');
});

test('opening the trigger shows its fields', async () => {
	await nodeOnCanvas('When a Customer Writes').dblclick();
	await page.getByText('Registration', { exact: true }).first().waitFor({ timeout: 30_000 });
	await takePicture(page, 'trigger-panel');
	for (const label of ['Source', 'Channel', 'Events', 'Output']) {
		expect(await page.getByText(label, { exact: true }).count()).toBeGreaterThan(0);
	}
});
