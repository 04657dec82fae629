import type { Page } from 'playwright-core';

import { DEMO_CHANNEL_ID, DEMO_CHANNEL_NAME } from '#sandbox/seed.mts';
import { completeExample, readExample } from '#scripts/n8n/provision.mts';
import { byId, Host, TRIGGER } from '../host/harness/host.mts';
import { illustrate, takePicture } from './harness/browser.mts';
import type { Editor } from './harness/editor.mts';
import { N8nWindow } from './harness/window.mts';

const host = new Host();
const window = new N8nWindow();
let page: Page;
let editor: Editor;
/**
 * Errors that the editor reports because of our nodes. n8n 1 has one of its own, even on an empty
 * canvas.
 */
const pageErrors: string[] = [];

beforeAll(async () => {
	const channel = { id: DEMO_CHANNEL_ID, name: DEMO_CHANNEL_NAME };
	const example = completeExample(readExample('auto-reply'), host.underTest.credential, channel);
	const workflow = host.adopt(await host.client.createWorkflow(example));
	({ page, build: editor } = window);
	const own = new Set<string>();
	let known = false;
	page.on('pageerror', ({ message }) => {
		if (!known) own.add(message);
		else if (!own.has(message)) pageErrors.push(message);
	});
	await window.open('new');
	await page.waitForLoadState('networkidle');
	known = true;
	await window.open(workflow.id);
});
afterAll(async () => await host.cleanUp());

/** What the browser's image type has and Node.js does not know. */
interface Picture {
	complete: boolean;
	naturalWidth: number;
}

test('the example shows both nodes on the canvas, known and without errors', async () => {
	for (const name of ['When a Customer Writes', 'Send the Reply'])
		await editor.nodeOnCanvas(name).waitFor({ timeout: 60_000 });
	await illustrate(page, 'editor-auto-reply', { x: 230, y: 215, width: 1020, height: 550 });
	for (const name of ['When a Customer Writes', 'Send the Reply']) {
		const node = editor.nodeOnCanvas(name);
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

test.each([
	['When a Customer Writes', 'Message received'],
	['Send the Reply', 'Send Text'],
])('explains "%s" below the field: %s', async (name, words) => {
	await editor.nodeOnCanvas(name).getByText(words, { exact: true }).waitFor();
});

test('the opened action node shows its fields in the words of people', async () => {
	await editor.nodeOnCanvas('Send the Reply').dblclick();
	await page.getByText('Recipient', { exact: true }).first().waitFor({ timeout: 30_000 });
	await takePicture(page, 'send-text-panel');
	for (const label of ['Resource', 'Operation', 'Channel', 'Recipient', 'Text']) {
		expect(await page.getByText(label, { exact: true }).count()).toBeGreaterThan(0);
	}
	// The editor takes an expression without input data for an empty field.
	expect(await editor.boxes()).toEqual([expect.stringMatching(/^To answer.*sender\.identifier/)]);
	await editor.node.getByText('When the Window Is Closed', { exact: true }).waitFor();
	await editor.closeNode();
});

test('the opened trigger shows its fields', async () => {
	await editor.nodeOnCanvas('When a Customer Writes').dblclick();
	await page.getByText('Registration', { exact: true }).first().waitFor({ timeout: 30_000 });
	await takePicture(page, 'trigger-panel');
	const labels = ['Source', 'Channel', 'Events', 'Grouping', 'Options', 'Registration'];
	expect(await editor.labelsShown(labels)).toEqual(labels);
	expect(await editor.boxes()).toEqual([expect.stringContaining('ENTERPRISE role')]);
	await editor.closeNode();
});

test('a test that cannot start says so first, and says each thing once', async () => {
	const channelId = 'F'.repeat(32);
	await window.openNew(host, [host.node('Trigger', TRIGGER, { channelId: byId(channelId) })]);
	await editor.openNode('Trigger');
	await editor.node
		.getByText('Wait for a test event: write to the channel from a phone, or change a template')
		.first()
		.waitFor();
	await editor.part('trigger-execute-button').click();
	const notification = page.locator('.el-notification:visible', { hasText: 'Could not listen' });
	await notification.waitFor();
	const text = await notification.innerText();
	expect(text).toContain(`Could not listen for a test event: Channel not found: ${channelId}. `);
	expect(text.match(/Channel not found/g)).toHaveLength(1);
	expect(text).not.toMatch(/Show Details|undefined/i);
});

test('a registration by hand shows one box that says what to do', async () => {
	await editor.choose('registration', 'Manual');
	await editor.node.getByText(/^Before you publish, register/).waitFor();
	expect(await editor.boxes()).toHaveLength(1);
});
