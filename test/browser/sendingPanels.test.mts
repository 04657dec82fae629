import type { IDataObject } from 'n8n-workflow';
import type { Browser, Page } from 'playwright-core';

import { DEMO_CHANNEL_ID, DEMO_CHANNEL_NAME } from '../../sandbox/seed.mts';
import type { StoredWorkflow } from '../../scripts/n8n/types.mts';
import { ACTION, byId, Host, startNode } from '../host/harness/host.mts';
import { launchBrowser, signIn, takePicture } from './harness/browser.mts';
import { Editor } from './harness/editor.mts';

const host = new Host();
const { n8nUrl } = host.underTest;

let browser: Browser;
let page: Page;
let editor: Editor;
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
const OPERATIONS = [...Object.keys(PANELS), 'sendAndWait'];

beforeAll(async () => {
	const channelId = {
		__rl: true,
		mode: 'list',
		value: DEMO_CHANNEL_ID,
		cachedResultName: DEMO_CHANNEL_NAME,
	};
	const nodes = OPERATIONS.map((operation, index) => ({
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
	editor = new Editor(page, n8nUrl);
	await page.goto(`${n8nUrl}/workflow/${workflow.id}`);
});

afterAll(async () => {
	await browser?.close();
	if (workflow) await host.client.deleteWorkflow(workflow.id);
	await host.cleanUp();
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
		expect(await editor.labelsShown(labels)).toEqual(labels);
		expect(await editor.boxes()).toHaveLength(labels.includes('Recipient') ? 1 : 0);
		await page.keyboard.press('Escape');
	},
);

test('a question has one box, wherever it is asked, and what few need stands last', async () => {
	await editor.openNode('sendAndWait');
	expect(
		await editor.labelsShown([
			'Recipient',
			'Message',
			'Response Type',
			'Approvers',
			'When Another Question Waits',
		]),
	).toEqual(['Recipient', 'Message', 'Response Type', 'Approvers', 'When Another Question Waits']);
	expect(await editor.boxes()).toEqual([expect.stringMatching(/24 hours(?!.*ENTERPRISE)/)]);
	await editor.choose('responseType', 'Reply in Chat');
	const box = editor.node.locator('.notice-content:visible', { hasText: 'ENTERPRISE role' });
	await box.waitFor();
	expect(await editor.boxes()).toEqual([expect.stringMatching(/24 hours.*ENTERPRISE role/)]);
	await takePicture(page, 'panel-sendAndWait');
});

test('how many were not sent, and why, stands at the output', async () => {
	const channelId = DEMO_CHANNEL_ID;
	const customer = '5511900000731';
	await host.sandbox.customerWrites({ channelId, from: customer, name: 'Dora', text: 'Hello' });
	const text = { resource: 'message', operation: 'sendText', text: 'Hello!' };
	const action = {
		...host.node('Action', ACTION, {
			...text,
			channelId: byId(channelId),
			recipient: '={{ $json.to }}',
		}),
		onError: 'continueRegularOutput' as const,
	};
	const items = Array.from({ length: 10 }, (_, at) => ({
		to: at % 3 === 2 ? '5511900000732' : customer,
	}));
	const { id } = await host.createWorkflow('Partly sent', [startNode(), action], items);
	await page.goto(`${n8nUrl}/workflow/${id}`);
	await editor.openNode('Action');
	await editor.execute();
	await editor.output.getByText('3 of 10 were not sent: window_closed.').waitFor();
	await takePicture(page, 'partly-sent');
});
