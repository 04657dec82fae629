import type { Locator } from 'playwright-core';

import { ACTION, Host, startNode, TRIGGER } from '../host/harness/host.mts';
import { N8nWindow } from './harness/window.mts';

const PAGES =
	'https://github.com/n8n-nodes-business-messaging/n8n-nodes-business-messaging/blob/main/docs/';

const host = new Host();
const window = new N8nWindow();

beforeAll(async () => {
	await window.openNew(host, [
		startNode(),
		host.node('Ask', ACTION, {}),
		{ ...host.node('Listen', TRIGGER, {}), position: [0, 300] },
	]);
});
afterAll(async () => await host.cleanUp());

/** The links of an element to pages of this package. */
const linksIn = (element: Locator): Locator => element.locator(`a[href^="${PAGES}"]`);

test('Docs leads to the page of the node, with its anchor', async () => {
	const { build: editor } = window;
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
	const { build: editor, page } = window;
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
	expect(await linkTo('message-send-and-wait').textContent()).toBe('Send and Wait for Response');
	// It stays while the mouse moves onto it.
	await link.hover();
	expect(await link.isVisible()).toBe(true);
});
