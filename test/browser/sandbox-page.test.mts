import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import type { DeliveryView } from '#sandbox/http/control/deliveries.mts';
import { DEMO_CHANNEL_ID } from '#sandbox/seed.mts';
import { startSandbox } from '#sandbox/server.mts';
import { until } from '../sandbox/helpers.mts';
import { illustrate } from './harness/browser.mts';
import { CHANNEL, CUSTOMER, sandboxPage } from './harness/sandboxPage.mts';

const on = sandboxPage();

it('plays the customer: a message starts the business’s reply, which arrives and is read', async () => {
	await on.view('chats');
	await on.shows('window not opened yet');
	await on.says('Hello, is my order on its way?');
	const reply = on.bubble('You wrote: Hello, is my order on its way?');
	await reply.locator('.state', { hasText: 'read' }).waitFor();
	expect(await reply.getAttribute('class')).toBe('theirs');
	expect(await on.page.locator('.messages > li.mine').count()).toBe(1);
	await on.shows(/window open, 23 h 59 min left/);
	await illustrate(on.page, 'sandbox-chats');
});

it('sends a message written before the list of chats loads to the chat that opens', async () => {
	let answer = () => {};
	const asked = new Promise<void>((resolve) => (answer = resolve));
	await on.page.route(/\/_sandbox\/conversations/, async (route) => {
		await asked;
		await route.continue();
	});
	await on.view('chats');
	await on.says('Am I too early?');
	answer();
	await on.bubble('You wrote: Am I too early?').waitFor();
});

it('accepts every kind of content, and shows text as text', async () => {
	await on.view('chats');
	const kinds = await on.page
		.getByLabel('Kind of message')
		.locator('option')
		.evaluateAll((options) =>
			options.map((option) => (option as unknown as { value: string }).value),
		);
	for (const kind of kinds) {
		await on.page.getByLabel('Kind of message').selectOption(kind);
		for (const input of await on.page.locator('.composer input[required]').all()) {
			if ((await input.inputValue()) === '')
				await input.fill(
					kind === 'TEXT'
						? '<img src=x onerror="document.title=1"> & ☂'
						: `${on.sandbox.url}/page/sample.webp`,
				);
		}
		await on.button('Send').click();
		await until(`a message of kind ${kind} was sent`, async () =>
			(await on.messages()).some(
				({ direction, content }) => direction === 'in' && content.type === kind,
			),
		);
	}
	expect(kinds).toHaveLength(7);
	await on.bubble('<img src=x onerror="document.title=1"> & ☂').waitFor();
	await until(
		'every kind is shown',
		async () => (await on.page.locator('.messages > li.mine').count()) === kinds.length,
	);
	expect(await on.page.locator('.messages .mine img').count()).toBe(2);
	const [audio] = (await on.messages()).filter(({ content }) => content.type === 'AUDIO');
	const sample = await fetch((audio!.content as { url: string }).url);
	expect(sample.headers.get('content-type')).toBe('audio/mpeg');
	expect(await on.page.title()).toBe('Chats · Sandbox');
});

it('records a chat as a rehearsal script, by one click', async () => {
	await on.openChat();
	const button = on.button('Record as rehearsal script');
	await on.shows('Write as the customer');
	expect(await button.count()).toBe(0);
	await on.says('Is it on its way?');
	await on.bubble('You wrote: Is it on its way?').waitFor();
	const [download] = await Promise.all([on.page.waitForEvent('download'), button.click()]);
	expect(download.suggestedFilename()).toBe(`conversation-${CUSTOMER}.yaml`);
	const script = readFileSync(await download.path(), 'utf8');
	const recorded = await on.sandbox.call(
		`/_sandbox/rehearsal?channel=${DEMO_CHANNEL_ID}&customer=${CUSTOMER}`,
		{ key: null },
	);
	expect(script).toBe(recorded.body);
	expect(script).toMatch(/writes Is it on its way\?/);
	await on.shows(`Saved as`);
});

it('shows the exact contents of a delivery, and sends it again', async () => {
	await on.writes();
	await until('it arrived', () => on.business.received.length === 1);
	await on.view('deliveries');
	await on.shows('Ana Example: Hello');
	await on.page.locator('.attempt').first().waitFor();
	const { headers, body } = on.business.received[0]!;
	const request = await on.page.getByLabel('Request').innerText();
	for (const name of ['x-webhook-signature', 'x-idempotency-key', 'content-type'])
		expect(request).toContain(`${name}: ${String(headers[name])}`);
	expect(JSON.parse(await on.label('Body').innerText())).toEqual(JSON.parse(body.toString()));
	await on.page.getByText('Signed text').click();
	expect(await on.page.getByLabel('Signed text').textContent()).toContain(body.toString());
	await on.run('scrollTo(0, 0)');
	await illustrate(on.page, 'sandbox-deliveries');
	await on.button('Send again').click();
	await until('it arrived again', () => on.business.received.length === 2);
	await on.shows('Attempt 2');
	expect(on.business.received[1]!.headers['x-idempotency-key']).toBe(headers['x-idempotency-key']);
});

it('leads from a refused message to its delivery, which shows the response and the next attempt', async () => {
	await on.fault({ on: 'webhook', kind: 'status', status: 401 });
	await on.clock({ speed: 0 });
	await on.writes();
	const tried = (times: number) =>
		until(`it was tried ${times} times`, async () => {
			const { deliveries } = await on.sandbox.control<{ deliveries: DeliveryView[] }>(
				'/deliveries',
			);
			return deliveries[0]?.attempts === times && deliveries[0];
		});
	const { nextAt } = await tried(1);
	await on.openChat();
	await on
		.bubble('Hello')
		.getByText(/^not delivered, next try at .* \(401\)$/)
		.waitFor();
	await on.view('deliveries');
	const hour = await on.run<string>(
		`new Date('${nextAt}').toLocaleTimeString([], { hour: '2-digit', minute: '2-digit' })`,
	);
	await on.shows(`refused 401, next try ${hour}`);
	for (let times = 2; times <= 10; times += 1) {
		await on.clock({ advance: 30 * 3600 });
		await tried(times);
	}
	await on.shows('refused 401, failed after 10 attempts');
	await on.openChat();
	await on.page.getByRole('link', { name: 'not delivered, no further try (401)' }).click();
	await on.shows('Attempt 10');
	await on.sandbox.control('/faults', { method: 'DELETE' });
	await on.fault({ on: 'webhook', kind: 'dropAfter', times: 1 });
	await on.button('Send again').click();
	await on.shows(/^failed, /);
	expect(await on.page.getByText(/^failed, /).getAttribute('title')).toMatch(
		/response was dropped/,
	);
});

it('switches faults on and off, and moves the clock', async () => {
	await on.sandbox.inbound(CUSTOMER, 'Hello');
	await on.view('controls');
	await on.page.getByLabel('Which calls').selectOption('sendMessage');
	await on.switch('Respond with a status').check();
	await on.shows('Respond with a status, only Send a message, status 429, Retry-After 5 s');
	expect((await on.sandbox.send(CUSTOMER, 'Refused')).status).toBe(429);
	await illustrate(on.page, 'sandbox-controls');
	await on.switch('Respond with a status').uncheck();
	await on.shows('No fault is switched on.');
	expect((await on.sandbox.send(CUSTOMER, 'Taken')).status).toBe(200);
	await on.button('+ 24 hours').click();
	await until(
		'the clock was moved',
		async () => (await on.sandbox.send(CUSTOMER, 'Too late')).status === 422,
	);
	await on.page.locator('#controls\\/service summary').click();
	await on.switch('ENTERPRISE role of Demo Company').uncheck();
	await until(
		'the role is gone',
		async () => (await on.sandbox.call('/v1/webhooks')).status === 422,
	);
	await on.view('chats');
	await on.shows('window closed');
	await on.writes();
	await on.shows(/window open/);
	await on.fault({ on: 'route', kind: 'windowClosed' });
	await on.shows('24-hour window closed by a fault');
});

it('resets only after a confirmation, and says what published workflows then need', async () => {
	await on.sandbox.inbound(CUSTOMER, 'Kept');
	await on.view('controls');
	await on.button('Reset the sandbox').click();
	await on.page.keyboard.press('Escape');
	await on.page.getByRole('dialog').waitFor({ state: 'detached' });
	expect(await on.messages()).not.toEqual([]);
	expect((await on.sandbox.call(`${CHANNEL}/webhooks`)).body).toHaveLength(1);
	await on.button('Reset the sandbox').click();
	await on.shows(/Unpublish and publish them afterwards/);
	await on.isAccessible();
	await on.page.getByRole('dialog').getByRole('button', { name: 'Reset' }).click();
	await until('it was reset', async () => (await on.messages()).length === 0);
	await on.view('webhooks');
	await on.shows(/before the sandbox was reset, unpublish and publish it/);
	expect((await on.sandbox.call(`${CHANNEL}/webhooks`)).body).toEqual([]);
});

it('connects a channel: the dialog’s result reaches the backend, and its code works once', async () => {
	const { backend } = on;
	await on.view('connect');
	await on.label('Name').fill('Shop');
	await on.label('Type').selectOption('OFFICIAL_CHATAPP');
	await on.button('Create channel').click();
	const card = on.card('Shop');
	await card.getByText('not connected').waitFor();
	await card.getByText('OFFICIAL_CHATAPP').waitFor();
	await on.label('Channel').selectOption({ label: '\u2068Shop\u2069 (not connected)' });
	await on.page.getByLabel('Post the result to').fill(backend.url);
	await on.button('Get the object').click();
	await on.page.getByRole('dialog').getByRole('button', { name: 'Not now' }).click();
	await on.shows('"success": false');
	expect(backend.received).toHaveLength(0);

	await on.button('Get the object').click();
	await on.switch(/coexistence/).check();
	await illustrate(on.page, 'sandbox-connect');
	await on.button('Allow').click();
	await on.page.getByLabel('Response of the backend').getByText('taken').waitFor();
	const { success, channelId, ...body } = backend.received[0]!.json as Record<string, string>;
	expect({ success, ...body }).toMatchObject({
		...{ success: true, coexistence: true, code: expect.any(String) },
	});
	const connected = await on.sandbox.call(`/v1/channels/${channelId}/connect`, { body });
	expect(connected.body).toEqual({ success: true });
	await card.getByText('connected', { exact: true }).waitFor();
});

it('shows the webhooks, pauses one, and sends template events', async () => {
	const templates = await on.listen();
	await on.sandbox.call('/v1/webhooks', {
		body: { url: templates.url, events: ['UPDATE_TEMPLATE_STATUS'] },
	});
	await on.view('webhooks');
	const card = on.card(on.business.url);
	await card.getByText('a, b').waitFor();
	await card.getByRole('button', { name: 'Disable' }).click();
	await card.getByText('DISABLED').waitFor();
	expect((await on.sandbox.call(`${CHANNEL}/webhooks`)).body).toMatchObject([
		{ status: 'DISABLED' },
	]);
	await card.getByRole('button', { name: 'Enable' }).click();
	await card.getByText('ENABLED').waitFor();
	await on.label('To').selectOption('REJECTED');
	await on.button('Send event').click();
	await on.shows('Sent to 1 of 1 template webhooks');
	await until('the event arrived', () => templates.received.length === 1);
	expect(templates.received[0]!.json).toMatchObject([
		{ value: { event: 'REJECTED', message_template_name: 'order_update' } },
	]);
});

it('shows an error, and recovers when the sandbox is back', async () => {
	const folder = mkdtempSync(join(tmpdir(), 'sandbox-page-'));
	const data = { dataFile: join(folder, 'data.sqlite') };
	let other = await startSandbox(data);
	try {
		const port = Number(new URL(other.url).port);
		await on.page.goto(`${other.url}/#chats`);
		await on.page.getByText('live', { exact: true }).waitFor();
		await other.close();
		await on.shows('reconnecting');
		await on.label('Message').fill('Lost?');
		await on.page.keyboard.press('Enter');
		await on.page.getByText('The sandbox does not respond. Is it still running?').first().waitFor();
		// Earlier requests failed with the same words, so this one may still be under way.
		await until(
			'the text to be back',
			async () => (await on.label('Message').inputValue()) === 'Lost?',
		);
		other = await startSandbox({ ...data, port });
		await on.page.getByText('live', { exact: true }).waitFor();
		await on.button('Send').click();
		await on.bubble('Lost?').waitFor();
		// The responses to failed calls are the browser's complaints, not the page's.
		on.excuse(/ERR_|EventSource|Failed to fetch/);
	} finally {
		await other.close();
		rmSync(folder, { recursive: true, force: true });
	}
});
