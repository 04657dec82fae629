import { DEMO_CHANNEL_ID, DEMO_CHANNEL_NAME } from '#sandbox/seed.mts';
import { until } from '#scripts/until.mts';
import { ACTION, byId, Host, startNode } from '../host/harness/host.mts';
import type { Editor } from './harness/editor.mts';
import { N8nWindow } from './harness/window.mts';

const host = new Host();
const window = new N8nWindow(1100);
let editor: Editor;

beforeAll(async () => {
	editor = window.build;
	const asks = { resource: 'message', operation: 'sendAndWait' };
	await window.openNew(host, [startNode(), host.node('sendAndWait', ACTION, asks)]);
});
afterAll(async () => await host.cleanUp());

/** How many lines each box has in a panel as n8n opens it. */
const boxLines = async () =>
	await window.page.evaluate<number[]>(`
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

test('a question has one box for every way to ask, and rare fields come last', async () => {
	await editor.openNode('sendAndWait');
	const labels = ['Ask', 'Channel', 'Recipient', 'Message', 'Response Type', 'Options', 'Also Ask'];
	expect(await editor.labelsShown(labels)).toEqual(labels);
	await chooseChannel();
	await typeRecipient('5511999990000');
	const inChat = [...labels, 'When Another Question Waits'];
	expect(await editor.labelsShown(inChat)).toEqual(labels);
	await editor.node.locator('.notice-content:visible', { hasText: '24 hours' }).waitFor();
	expect(await editor.boxes()).toEqual([expect.stringMatching(/24 hours(?!.*ENTERPRISE)/)]);
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
