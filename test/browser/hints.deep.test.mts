/** What went wrong and what to do, as the editor shows it. What n8n has only in its log, there. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import type { INodeParameters } from 'n8n-workflow';
import type { Browser } from 'playwright-core';

import type { WorkflowNode } from '../../scripts/n8n/types.mts';
import { CREDENTIAL_TYPE } from '../../scripts/n8n/provision.mts';
import { until } from '../../scripts/until.mts';
import { number } from '../host/harness/conversations.mts';
import { ownAccount } from '../host/harness/examples.mts';
import { ACTION, byId, type Host, startNode, TRIGGER } from '../host/harness/host.mts';
import { launchBrowser, signIn, takePicture } from './harness/browser.mts';
import { Editor } from './harness/editor.mts';

const LIMIT_MS = 60_000;
const NODE = 'Send';
const CUSTOMER = number(1);

let host: Host;
let secretKey: string;
let tenantId: string;
let channelId: string;
let disconnected: string;
let browser: Browser;
let editor: Editor;

beforeAll(async () => {
	const account = await ownAccount(['Hints', 'Not Connected']);
	({ host, secretKey, tenantId } = account);
	[channelId = '', disconnected = ''] = account.channels;
	const path = `/v1/channels/${disconnected}/disconnect`;
	await host.callService(path, secretKey, { method: 'PUT' });
	await host.sandbox.post('/_sandbox/message-templates', {
		tenant: tenantId,
		name: 'order_update',
		body: 'Hello {{1}}, your order {{2}} is on its way.',
		status: 'APPROVED',
	});
	await host.sandbox.customerWrites({ channelId, from: CUSTOMER, name: 'Ana', text: 'Hello' });
	browser = await launchBrowser();
	const page = await browser.newPage({ viewport: { width: 1440, height: 900 } });
	const { n8nUrl } = host.underTest;
	await signIn(page, n8nUrl);
	editor = new Editor(page, n8nUrl);
}, 2 * LIMIT_MS);
afterAll(async () => {
	await browser?.close();
	await host?.cleanUp();
});

const text = (recipient: string, more: INodeParameters = {}): INodeParameters => ({
	...{ resource: 'message', operation: 'sendText', channelId: byId(channelId), recipient },
	text: 'Hi',
	...more,
});
const template = (name: string, ...bodyParameters: string[]): INodeParameters => ({
	...text(CUSTOMER, { operation: 'sendTemplate' }),
	template: { __rl: true, mode: 'name', value: name },
	languageCode: 'en_US',
	bodyParameters,
});

/** Stores a workflow and opens its last node. */
async function open(nodes: WorkflowNode[], items?: object[]): Promise<string> {
	const { id } = await host.createWorkflow('Hints', nodes, items as [] | undefined);
	await editor.page.goto(`${host.underTest.n8nUrl}/workflow/${id}`);
	await editor.openNode(nodes.at(-1)!.name);
	return id;
}

const shownBy = async (name: string): Promise<string> => {
	await takePicture(editor.page, name);
	return (await editor.output.innerText()).replace(/\s+/g, ' ');
};

test.each<[what: string, parameters: () => INodeParameters, message: string, hint: string]>([
	[
		'a channel that is not connected',
		() => text(CUSTOMER, { channelId: byId(disconnected) }),
		`Could not send the text to ${CUSTOMER}: Channel is not connected`,
		'Connect the channel with the operation Channel → Connect, or in the dashboard of the service.',
	],
	[
		'a number that may be mistyped',
		() => text('+55 (11) 90000-9999'),
		'Could not send the text to +55 (11) 90000-9999: the 24-hour conversation window is closed',
		'If the customer did write, check the recipient: a number may be mistyped, or lack its country code.',
	],
	[
		'a number that nobody has',
		() => text('(011) 90000-9999'),
		'Could not send the text to (011) 90000-9999: recipient.identifier: must be a phone number with its country code: 8 to 15 digits without signs',
		'Check the recipient: its country code may be missing.',
	],
	[
		'a template that there is not',
		() => template('order_updat', 'Ana', '7'),
		'The account has no template "order_updat"',
		'Choose one from the list in "Template", or check its name.',
	],
	[
		'a language that the template does not have',
		() => ({ ...template('order_update', 'Ana', '7'), languageCode: 'pt_BR' }),
		'The template "order_update" has no language "pt_BR", only en_US',
		'Set "Language Code" to one of these',
	],
	[
		'a parameter too few',
		() => template('order_update', 'Ana'),
		'The template "order_update" (en_US) needs Body 2',
		'Check "Body Parameters"',
	],
])('%s', async (what, parameters, message, hint) => {
	await open([startNode(), host.node(NODE, ACTION, parameters())]);
	await editor.executeToError();
	const shown = await shownBy(`hint-${what.replaceAll(' ', '-')}`);
	expect(shown).toContain(message);
	expect(shown).toContain(hint);
	// Each code once.
	for (const code of ['132000', '132001']) expect(shown.split(code).length).toBeLessThanOrEqual(2);
});

test('https where the service speaks http, below the address and in the output', async () => {
	const baseUrl = host.underTest.sandboxUrl.replace('http:', 'https:');
	const credential = await host.client.createCredential('With https', CREDENTIAL_TYPE, {
		baseUrl,
		secretKey,
	});
	await open([startNode(), host.node(NODE, ACTION, text(CUSTOMER), credential)]);
	await editor.executeToError();
	const shown = await shownBy('hint-https');
	expect(shown).toContain('no secure connection to the service (EPROTO)');
	expect(shown).toContain('Nothing speaks https at this address.');
	await editor.part('credential-edit-button').click();
	const dialog = editor.part('editCredential-modal');
	await dialog.getByText('EPROTO, nothing speaks https there').waitFor();
	await takePicture(editor.page, 'hint-https-credential');
});

test('repeats, under their keys', async () => {
	const items = Array.from({ length: 49 }, (_, order) => ({ order }));
	const options = { sendOnceKey: '={{ $json.order }}' };
	await open([startNode(), host.node(NODE, ACTION, text(CUSTOMER, { options }))], items);
	await editor.execute();
	expect(await shownBy('hint-first-run')).not.toContain('had been sent before');
	await editor.part('node-execute-button', editor.node).click();
	await editor.output
		.getByText('49 messages had been sent before under their Send Once Key.')
		.waitFor();
	await takePicture(editor.page, 'hint-repeats');
});

test('a test that cannot listen, whatever fails when n8n cleans up after it', async () => {
	const fault = { on: 'route', operation: 'listChannelWebhooks', kind: 'status', tenant: tenantId };
	const faults = [
		{ ...fault, status: 422, message: 'No more webhooks today', times: 1 },
		{ ...fault, status: 422, message: 'No more lists today', times: 1 },
	];
	for (const body of faults) await host.sandbox.post('/_sandbox/faults', body);
	await open([host.node('Trigger', TRIGGER, { channelId: byId(channelId) })]);
	await editor.part('trigger-execute-button').click();
	const notification = editor.page.locator('.el-notification:visible', { hasText: 'Could not' });
	await notification.waitFor();
	await takePicture(editor.page, 'hint-cannot-listen');
	const shown = await notification.innerText();
	expect(shown).toContain('Could not listen for a test event: No more webhooks today.');
	expect(shown).not.toMatch(/No more lists|undefined|unpublish/);
	expect(logOf(host)).toContain('The webhook of a test could not be removed: ');
});

test("a channel that is not connected, in n8n's log when the workflow is published", async () => {
	const said = 'The workflow is published on a channel that is not connected';
	const before = logOf(host).split(said).length;
	await publish('Nobody There', disconnected);
	const lines = () => logOf(host).split(said).length - before;
	await until('the warning in the log', () => lines() === 1, LIMIT_MS);
	expect(logOf(host)).toContain('Connect it with the operation Channel → Connect');
});

test("two workflows that answer one channel, in n8n's log when the second is published", async () => {
	await publish('Day Shift', channelId);
	const said = 'Other workflows get the same events of this channel: n8n workflow "Day Shift"';
	expect(logOf(host)).not.toContain(said);
	await publish('Night Shift', channelId);
	await until('the notice in the log', () => logOf(host).includes(said), LIMIT_MS);
	expect(logOf(host)).toContain('To prevent that, unpublish all but one');
});

test("two workflows that would answer one channel, in the trigger's list of channels", async () => {
	await open([host.node('Trigger', TRIGGER, { channelId: { ...byId(''), mode: 'list' } })]);
	const entries = await editor.openList('channelId');
	await takePicture(editor.page, 'hint-other-workflows');
	expect(await entries.filter({ hasText: 'Hints' }).innerText()).toMatch(
		/^Hints – already starts "Day Shift", "Night Shift" \(/,
	);
	expect(await entries.filter({ hasText: 'Not Connected' }).innerText()).toMatch(
		/^Not Connected – already starts "Nobody There" \(/,
	);
});

test('an expression that fails in one item', async () => {
	const said = "={{ $json.to === '1' ? 'Hi' : $('Nowhere').item.json.text }}";
	await open(
		[startNode(), host.node(NODE, ACTION, text(CUSTOMER, { text: said }))],
		[{ to: '1' }, { to: '2' }],
	);
	await editor.executeToError();
	expect(await shownBy('hint-expression')).toContain(
		`The expression in "Text" fails for item 1, counted from 0: Referenced node doesn't exist`,
	);
});

/** Publishes a trigger alone. */
async function publish(name: string, channel: string): Promise<void> {
	const trigger = host.node('Trigger', TRIGGER, { channelId: byId(channel) });
	await host.client.publish((await host.createWorkflow(name, [trigger])).id);
}

const logOf = ({ underTest: { home } }: Host): string =>
	readFileSync(join(home, 'n8n.log'), 'utf8');
