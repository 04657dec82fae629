import type { Page } from 'playwright-core';

import { DEMO_CHANNEL_ID, DEMO_CHANNEL_NAME } from '../../sandbox/seed.mts';
import { until } from '../../scripts/until.mts';
import { ACTION, byId, Host, startNode } from '../host/harness/host.mts';
import { takePicture } from './harness/browser.mts';
import type { Editor } from './harness/editor.mts';
import { N8nWindow } from './harness/window.mts';

const host = new Host();
const window = new N8nWindow(1100);
let page: Page;
let editor: Editor;

/** The fields of each new operation, in order. */
const PANELS: Record<string, string[]> = {
	sendMedia: ['Channel', 'Recipient', 'Media Type', 'Source', 'Media URL', 'Caption'],
	sendButtons: [
		...['Channel', 'Recipient', 'Button Type', 'Text', 'Reply Buttons', 'Header Media URL'],
	],
	sendTemplate: ['Channel', 'Recipient', 'Template'],
	sendContact: ['Channel', 'Recipient', 'Contact Name', 'Contact Phones'],
	sendOther: ['Channel', 'Recipient', 'Content'],
	normalizeRecipient: ['Recipient'],
	downloadAttachments: ['Attachments', 'Output Field Prefix'],
};
/** The resource and the operation, which the choice in the nodes panel has set. */
const FROM_THE_DROP = 2;
const OPERATIONS = [...Object.keys(PANELS), 'sendAndWait'];

beforeAll(async () => {
	const nodes = OPERATIONS.map((operation, index) => ({
		...host.node(operation, ACTION, { resource: 'message', operation }),
		position: [200, 160 * index] as [number, number],
	}));
	const connect = { resource: 'channel', operation: 'connect' };
	await host.runAction({
		...{ resource: 'channel', operation: 'create' },
		...{ name: 'To Connect', type: 'OFFICIAL_CHATAPP' },
	});
	({ page, build: editor } = window);
	await window.openNew(host, [
		startNode(),
		...nodes,
		{ ...host.node('connect', ACTION, connect), position: [500, 0] as [number, number] },
	]);
});
afterAll(async () => await host.cleanUp());

/** How many fields one sees: whatever has a label, from the resource to the options. */
async function fieldsSeen(): Promise<number> {
	const labels = editor.part('node-parameters').locator('[data-test-id="input-label"]:visible');
	return await labels.count();
}

/** How many lines each box has in a panel as n8n opens it. */
const boxLines = async () =>
	await page.evaluate<number[]>(`
	[...document.querySelectorAll('[data-test-id="node-parameters"] .notice-content')]
		.filter((box) => box.clientHeight > 0)
		.map((box) => {
			const { lineHeight, paddingTop, paddingBottom } = getComputedStyle(box);
			const height = box.clientHeight - parseFloat(paddingTop) - parseFloat(paddingBottom);
			return Math.round(height / parseFloat(lineHeight));
		})`);

const chooseChannel = async () => await editor.chooseFromList('channelId', DEMO_CHANNEL_NAME);
const typeRecipient = async (text: string) =>
	await editor.field('recipient').locator('input').first().fill(text);

test.each(Object.entries(PANELS))(
	'the panel of %s asks in a natural order',
	async (operation, labels) => {
		await editor.nodeOnCanvas(operation).dblclick();
		const first = page
			.locator('.parameter-input-list-wrapper')
			.getByText(labels[0]!, { exact: true });
		await first.first().waitFor({ timeout: 30_000 });
		await takePicture(page, `panel-${operation}`);
		expect(await editor.labelsShown(labels)).toEqual(labels);
		expect((await fieldsSeen()) - FROM_THE_DROP).toBeLessThanOrEqual(8);
		const lines = await boxLines();
		expect(lines).toHaveLength(labels.includes('Channel') ? 1 : 0);
		expect(Math.max(0, ...lines)).toBeLessThanOrEqual(2);
		await page.keyboard.press('Escape');
	},
);

test('a question has one box for every way to ask, and rare fields come last', async () => {
	await editor.openNode('sendAndWait');
	const labels = ['Ask', 'Channel', 'Recipient', 'Also Ask', 'Message', 'Response Type'];
	expect(await editor.labelsShown(labels)).toEqual(labels);
	expect((await fieldsSeen()) - FROM_THE_DROP).toBeLessThanOrEqual(8);
	await chooseChannel();
	await typeRecipient('5511999990000');
	const inChat = [...labels, 'When Another Question Waits'];
	expect(await editor.labelsShown(inChat)).toEqual(labels);
	await editor.node.locator('.notice-content:visible', { hasText: '24 hours' }).waitFor();
	expect(await editor.boxes()).toEqual([expect.stringMatching(/24 hours(?!.*ENTERPRISE)/)]);
	await takePicture(page, 'panel-sendAndWait');
	await editor.choose('askIn', 'In the Chat');
	const box = editor.node.locator('.notice-content:visible', { hasText: 'ENTERPRISE role' });
	await box.waitFor();
	expect(await editor.boxes()).toEqual([expect.stringMatching(/24 hours.*ENTERPRISE role/)]);
	expect(await editor.labelsShown(inChat)).toEqual(inChat);
	await editor.choose('responseType', 'Reply in Chat');
	await editor.node.getByText('Choices', { exact: true }).waitFor();
	expect(await editor.labelsShown(['Also Ask', 'Approval Options'])).toEqual([]);
	expect(await editor.boxes()).toEqual([expect.stringMatching(/24 hours.*ENTERPRISE role/)]);
	expect(Math.max(...(await boxLines()))).toBeLessThanOrEqual(2);
	await typeRecipient('');
	const toAnswer = editor.node.locator('.notice-content:visible', { hasText: 'To answer' });
	await toAnswer.waitFor();
	expect(await editor.boxes()).toEqual([expect.stringMatching(/^To answer.*ENTERPRISE role/)]);
	expect(Math.max(...(await boxLines()))).toBeLessThanOrEqual(2);
	await takePicture(page, 'panel-sendAndWait-in-chat');
	await typeRecipient('5511999990000');
	await editor.node.getByText('Choices', { exact: true }).waitFor();
});

test('the editor resets a reply that only the chat has when the question goes by a link', async () => {
	await editor.choose('askIn', 'By a Link');
	await editor.node.getByText('Approval Options', { exact: true }).waitFor();
	const chosen = editor.field('responseType').locator('input').first();
	await until(
		'the other response type',
		async () => (await chosen.inputValue()) === 'Approval',
		10_000,
	);
	await editor.closeNode();
});

test('the fields of a template differ at once', async () => {
	await editor.openNode('sendTemplate');
	await chooseChannel();
	await editor.chooseFromList('template', 'order_update');
	await editor.node.getByText('1 · e.g. Ana · Hello').waitFor();
	await editor.node.getByText('2 · e.g. 1042 · your order').waitFor();
	await editor.closeNode();
});

test('Connect opens on the object, and the list says which channel is not connected', async () => {
	await editor.openNode('connect');
	const labels = ['Connection Data', 'SDK Object', 'Channel'];
	expect(await editor.labelsShown([...labels, 'Code'])).toEqual(labels);
	expect((await fieldsSeen()) - FROM_THE_DROP).toBeLessThanOrEqual(8);
	const entries = await editor.openList('channelId');
	await entries
		.filter({ hasText: /To Connect.*not connected/ })
		.first()
		.waitFor();
	await takePicture(page, 'panel-connect');
	await page.keyboard.press('Escape');
	await editor.choose('connectionData', 'As Separate Fields');
	await editor.node.getByText('Phone Number ID (phoneId)').waitFor();
	await editor.closeNode();
});

test("an error's description shows markup in the service's words as text", async () => {
	const words = '<a href="https://x.example">Session over: sign in</a>';
	const fault = { on: 'route', operation: 'sendMessage', kind: 'status', status: 401, times: 1 };
	await host.sandbox.post('/_sandbox/faults', { ...fault, message: words });
	const action = host.node('Action', ACTION, {
		resource: 'message',
		operation: 'sendText',
		text: 'Hello!',
		channelId: byId(DEMO_CHANNEL_ID),
		recipient: '5511900000731',
	});
	await window.openNew(host, [startNode(), action]);
	await editor.openNode('Action');
	await editor.executeToError();
	const description = editor.part('node-error-description', editor.output);
	await description.getByText(`The service said: "${words}".`).waitFor();
	expect(await description.locator('a').count()).toBe(0);
});
