/** What went wrong and what to do, as the editor shows it. What n8n has only in its log, there. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import type { INodeParameters } from 'n8n-workflow';

import { CREDENTIAL_TYPE } from '../../scripts/n8n/provision.mts';
import { until } from '../../scripts/until.mts';
import { number } from '../host/harness/conversations.mts';
import { ownAccount } from '../host/harness/examples.mts';
import { ACTION, byId, type Host, startNode, TRIGGER } from '../host/harness/host.mts';
import { addTemplate } from '../host/harness/stages.mts';
import { N8nWindow } from './harness/window.mts';

const LIMIT_MS = 60_000;
const CUSTOMER = number(1);

const window = new N8nWindow();
let host: Host;
let secretKey: string;
let tenantId: string;
let channelId: string;
let disconnected: string;

beforeAll(async () => {
	const account = await ownAccount(['Hints', 'Not Connected']);
	({ host, secretKey, tenantId } = account);
	[channelId = '', disconnected = ''] = account.channels;
	const path = `/v1/channels/${disconnected}/disconnect`;
	await host.callService(path, secretKey, { method: 'PUT' });
	await addTemplate({ host, tenantId });
	await host.sandbox.customerWrites({ channelId, from: CUSTOMER, name: 'Ana', text: 'Hello' });
}, 2 * LIMIT_MS);
afterAll(async () => await host?.cleanUp());

const text = (more: INodeParameters = {}): INodeParameters => ({
	...{ resource: 'message', operation: 'sendText', channelId: byId(channelId), text: 'Hi' },
	recipient: CUSTOMER,
	...more,
});

/** Opens the node, runs it, and gives what its output shows. */
async function failureOf(parameters: INodeParameters, credential = host.underTest.credential) {
	const node = host.node('Send', ACTION, parameters, credential);
	await window.openNew(host, [startNode(), node]);
	await window.build.openNode('Send');
	await window.build.executeToError();
	return (await window.build.output.innerText()).replace(/\s+/g, ' ');
}

test('the output says what happened and what to do', async () => {
	const shown = await failureOf(text({ channelId: byId(disconnected) }));
	expect(shown).toContain(`Could not send the text to ${CUSTOMER}: Channel is not connected`);
	expect(shown).toContain('Connect the channel with the operation Channel → Connect, or in');
});

test('and has the code of the service once', async () => {
	const template = { __rl: true, mode: 'name', value: 'welcome' };
	const shown = await failureOf(
		text({ operation: 'sendTemplate', template, languageCode: 'pt_BR' }),
	);
	expect(shown).toContain('The template "welcome" has no language "pt_BR", only en_US');
	expect(shown).toContain('Set "Language Code" to one of these');
	expect(shown.split('132001').length).toBeLessThanOrEqual(2);
});

test('https where the service speaks http, in the output', async () => {
	const baseUrl = host.underTest.sandboxUrl.replace('http:', 'https:');
	const data = { baseUrl, secretKey };
	const shown = await failureOf(
		text(),
		await host.client.createCredential('With https', CREDENTIAL_TYPE, data),
	);
	expect(shown).toContain('no secure connection to the service (EPROTO)');
	expect(shown).toContain('Nothing speaks https at this address.');
});

test('a test that cannot listen, whatever fails when n8n cleans up after it', async () => {
	const fault = { on: 'route', operation: 'listChannelWebhooks', kind: 'status', tenant: tenantId };
	for (const message of ['No more webhooks today', 'No more lists today'])
		await host.sandbox.post('/_sandbox/faults', { ...fault, status: 422, message, times: 1 });
	await window.openNew(host, [host.node('Trigger', TRIGGER, { channelId: byId(channelId) })]);
	await window.build.openNode('Trigger');
	await window.build.part('trigger-execute-button').click();
	const notification = window.page.locator('.el-notification:visible', { hasText: 'Could not' });
	await notification.waitFor();
	const shown = await notification.innerText();
	expect(shown).toContain('Could not listen for a test event: No more webhooks today.');
	expect(shown).not.toMatch(/No more lists|undefined|unpublish/);
	expect(log()).toContain('The webhook of a test could not be removed: ');
});

test("a channel that is not connected, or answered twice, in n8n's log", async () => {
	await publish('Nobody There', disconnected);
	await until('the warning', () => log().includes('on a channel that is not connected'), LIMIT_MS);
	const said = 'Other workflows get the same events of this channel: n8n workflow "Day Shift"';
	await publish('Day Shift', channelId);
	expect(log()).not.toContain(said);
	await publish('Night Shift', channelId);
	await until('the notice', () => log().includes(said), LIMIT_MS);
});

/** Publishes a trigger alone. */
async function publish(name: string, channel: string): Promise<void> {
	const trigger = host.node('Trigger', TRIGGER, { channelId: byId(channel) });
	await host.client.publish((await host.createWorkflow(name, [trigger])).id);
}

const log = (): string => readFileSync(join(host.underTest.home, 'n8n.log'), 'utf8');
