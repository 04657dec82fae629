import type { IHookFunctions } from 'n8n-workflow';

import { describeOwner } from '../../nodes/BusinessMessaging/shared/ownerMark.ts';
import { startReceiver, until } from '../sandbox/helpers.mts';
import { barriers } from './harness/accessibility.mts';
import { takePicture } from './harness/browser.mts';
import { CHANNEL, CUSTOMER, DESKTOP, PHONE, sandboxPage } from './harness/sandboxPage.mts';

const on = sandboxPage();
const closing: Array<() => Promise<void>> = [];
afterEach(async () => {
	for (const close of closing.splice(0)) await close();
});

/** Replaces the webhooks of the channel by one for each description. */
async function listen(...descriptions: string[]) {
	const { body } = await on.sandbox.call<Array<{ id: string }>>(`${CHANNEL}/webhooks`);
	for (const { id } of body)
		await on.sandbox.call(`${CHANNEL}/webhooks/${id}`, { method: 'DELETE' });
	const ids: string[] = [];
	for (const description of descriptions) {
		const receiver = await startReceiver();
		closing.push(receiver.close);
		const webhook = { url: receiver.url, events: ['MESSAGE_RECEIVED'], description };
		const created = await on.sandbox.call<{ id: string }>(`${CHANNEL}/webhooks`, { body: webhook });
		ids.push(created.body.id);
	}
	return ids;
}
/** The description that a trigger of a workflow gives its webhook. */
const nodeOf = (workflow: string) =>
	describeOwner({
		getWorkflow: () => ({ name: workflow }),
		getNode: () => ({ name: 'When a Customer Writes' }),
	} as unknown as IHookFunctions);
const write = (text: string) => on.sandbox.inbound(CUSTOMER, text, { name: 'Ana Example' });
const lineOf = (text: string) => on.bubble(text).locator('.receipt');

describe.each([
	['desktop', DESKTOP],
	['phone', PHONE],
])('below a customer’s message, on a %s', (width, viewport) => {
	it('says which workflow took it, that none listens, or when it is tried again', async () => {
		await on.reopen({ viewport });
		await on.view(`chats/${CUSTOMER}`);
		await listen();
		await write('Is anybody there?');
		await lineOf('Is anybody there?')
			.getByText(/^no workflow listens: publish one/)
			.waitFor();

		const [first = '', second = ''] = await listen(
			nodeOf('My "First" <b>Workflow</b>'),
			nodeOf('Second'),
		);
		// None did when it was written, and that stays true.
		await lineOf('Is anybody there?').getByText('no workflow listened', { exact: true }).waitFor();
		await write('Hello');
		await lineOf('Hello')
			.getByText('taken by My "First" <b>Workflow</b>, Second', { exact: true })
			.waitFor();
		expect(await on.page.locator('.messages footer b').count()).toBe(0);

		const fault = { on: 'webhook', kind: 'status', status: 503, webhookId: second, times: 1 };
		await on.sandbox.control('/faults', { body: fault });
		await on.sandbox.control('/clock', { body: { speed: 0 } });
		await write('Where is my order?');
		const late = lineOf('Where is my order?');
		await late
			.getByText(/^not delivered to Second, next try at \d\d?:\d\d:\d\d(?: [AP]M)? \(503\)$/)
			.waitFor();
		expect(await late.innerText()).toMatch(/^taken by My "First" .*; not delivered to Second/);
		expect(await barriers(on.page)).toEqual([]);
		await takePicture(on.page, `sandbox-receipts-${width}`);
		await on.sandbox.control('/clock', { body: { advance: 10 } });
		await late.getByText('taken by My "First" <b>Workflow</b>, Second', { exact: true }).waitFor();

		await on.sandbox.control(`/webhooks/${first}`, {
			method: 'PATCH',
			body: { status: 'DISABLED' },
		});
		await write('Still closed?');
		await lineOf('Still closed?')
			.getByText(/the webhook of My .* is disabled/)
			.waitFor();
		// A test run of a workflow removes its webhook, and is still named.
		await listen();
		await lineOf('Still closed?')
			.getByText(/My .* stopped listening/)
			.waitFor();
		await lineOf('Hello').getByText('taken by My "First" <b>Workflow</b>, Second').waitFor();
	});
});

it('leads from a message that was not delivered to its delivery, and says when it is given up', async () => {
	await on.sandbox.control('/faults', { body: { on: 'webhook', kind: 'status', status: 401 } });
	await on.sandbox.control('/clock', { body: { speed: 0 } });
	await on.view(`chats/${CUSTOMER}`);
	await write('Hello');
	await lineOf('Hello')
		.getByText(/^not delivered, next try at .* \(401\)$/)
		.waitFor();
	for (let times = 2; times <= 10; times += 1) {
		await on.sandbox.control('/clock', { body: { advance: 30 * 3600 } });
		await until(`it was tried ${times} times`, async () => {
			const { deliveries } = await on.sandbox.control<{
				deliveries: Array<{ attempts: number }>;
			}>('/deliveries');
			return deliveries[0]?.attempts === times;
		});
	}
	await lineOf('Hello').getByRole('link', { name: 'not delivered, no further try (401)' }).click();
	await on.page.getByText('Attempt 10').waitFor();
});

it('tells two triggers apart where one filters the deliveries', async () => {
	const [, , third = '', fourth = ''] = await listen(
		nodeOf('Auto-Reply'),
		nodeOf('Shop Assistant'),
		nodeOf('Copy'),
		nodeOf('Copy'),
		nodeOf('x'.repeat(300)),
	);
	await on.view('deliveries');
	const names = await on.page.getByLabel('Webhook').locator('option').allInnerTexts();
	expect(names.map((name) => name.replace(/[\u2068\u2069]/g, ''))).toEqual([
		'Any webhook',
		'Demo Channel → Auto-Reply, When a Customer Writes',
		'Demo Channel → Shop Assistant, When a Customer Writes',
		`Demo Channel → Copy, When a Customer Writes (${third.slice(-6)})`,
		`Demo Channel → Copy, When a Customer Writes (${fourth.slice(-6)})`,
		`Demo Channel → ${'x'.repeat(39)}…`,
	]);
});

it('marks a document as failed, and says why', async () => {
	await on.view(`chats/${CUSTOMER}`);
	await write('The invoice, please');
	const url = 'https://shop.example.com/invoice.pdf';
	await on.sandbox.sendContent(CUSTOMER, {
		type: 'IMAGE',
		attachments: [{ url, caption: 'Here it is' }],
	});
	const sent = on.bubble('Here it is');
	await sent.locator('.state', { hasText: 'failed' }).waitFor();
	await sent.getByText(/^Not delivered: The file is a document.* Send a link/).waitFor();
	expect(await barriers(on.page)).toEqual([]);
	await takePicture(on.page, 'sandbox-document-failed');
	on.excuse(/shop\.example\.com|ERR_/);
});
