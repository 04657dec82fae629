import { DEMO_BUSINESS_NUMBER, DEMO_CHANNEL_ID, DEMO_SECRET_KEY } from '../../sandbox/seed.mts';
import type { State } from '../../sandbox/http/control/administration.mts';
import { startReceiver, until } from '../sandbox/helpers.mts';
import { barriers } from './harness/accessibility.mts';
import { takePicture } from './harness/browser.mts';
import { CHANNEL, CUSTOMER, DESKTOP, PHONE, sandboxPage } from './harness/sandboxPage.mts';

const on = sandboxPage();

const unusual = () => on.page.locator('#unusual');
const channel = async () =>
	(await on.sandbox.control<State>('/state')).tenants[0]!.channels.find(
		({ id }) => id === DEMO_CHANNEL_ID,
	)!;
const disconnect = (id: string) =>
	on.sandbox.control(`/channels/${id}/disconnect`, { method: 'POST' });

describe.each([
	['a desktop', DESKTOP],
	['a phone', PHONE],
])('at the width of %s', (width, viewport) => {
	it('shows a disconnected channel in the header, and connects it by one click', async () => {
		await on.reopen({ viewport });
		await on.view(`chats/${CUSTOMER}`);
		const before = await channel();
		await disconnect(DEMO_CHANNEL_ID);
		await unusual().getByText('Demo Channel not connected').waitFor();
		expect(await barriers(on.page)).toEqual([]);
		await takePicture(on.page, `sandbox-disconnected-${width.split(' ')[1]}`);
		await unusual()
			.getByRole('button', { name: /^Connect again: .*Demo Channel/ })
			.click();
		await on.page
			.getByText(/connected again\. Its webhooks were kept, so published workflows go on\./)
			.waitFor();
		await until('the header is quiet', async () => (await unusual().textContent()) === '');
		expect(await channel()).toEqual(before);
		expect(before.businessNumber).toBe(DEMO_BUSINESS_NUMBER);
		// Nothing was published again.
		await on.sandbox.inbound(CUSTOMER, 'Are you there?', { name: 'Ana Example' });
		await on.bubble('You wrote: Are you there?').waitFor();
	});
});

it('shows how many channels are disconnected, and connects each in its place', async () => {
	const { body: shop } = await on.sandbox.call<{ id: string }>('/v1/channels', {
		body: { name: 'Shop', type: 'OFFICIAL_CHATAPP' },
	});
	await on.view('chats');
	await disconnect(DEMO_CHANNEL_ID);
	// A channel that was never connected is not unusual.
	await unusual().getByText('Demo Channel not connected').waitFor();
	await on.sandbox.control(`/channels/${shop.id}/connect`, { body: { coexistence: true } });
	await disconnect(shop.id);
	await unusual().getByRole('link', { name: '2 channels not connected' }).click();
	const card = on.page.locator('article', { hasText: 'Shop' });
	await card.getByRole('button', { name: 'Connect again' }).focus();
	await on.page.keyboard.press('Enter');
	await card.getByText(/, in coexistence/).waitFor();
	expect(await on.page.evaluate('document.activeElement.textContent')).toBe('Disconnect');
	await unusual().getByText('Demo Channel not connected').waitFor();
});

it('connects a bot by its own object, and shows no value of it', async () => {
	await on.page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
	const { body: bot } = await on.sandbox.call<{ id: string }>('/v1/channels', {
		body: { name: 'Shop Bot', type: 'MESSENGER_BOT' },
	});
	await on.view('connect');
	await on.page.getByLabel('Channel', { exact: true }).selectOption(bot.id);
	await on.page.getByRole('button', { name: 'Get the object' }).click();
	const dialog = on.page.getByRole('dialog');
	await dialog.getByLabel('Business number or name').waitFor();
	expect(await dialog.getByText('coexistence').count()).toBe(0);
	await dialog.getByRole('button', { name: 'Allow' }).click();
	await on.page.getByLabel('SDK result').getByText('"botToken": "•••"').waitFor();
	expect(await barriers(on.page)).toEqual([]);
	const next = on.page.getByText(/^Next: in n8n, add .* Channel → Connect, choose/);
	expect(await next.innerText()).toMatch(/choose Shop Bot, and paste this object.*10 min/);
	await next.scrollIntoViewIfNeeded();
	await takePicture(on.page, 'sandbox-connect-object');
	await on.page.getByRole('button', { name: 'Copy Result' }).click();
	await on.page.getByText('Result copied').waitFor();
	const copied = String(await on.page.evaluate('navigator.clipboard.readText()'));
	const result = JSON.parse(copied) as { botToken: string };
	expect(result).toMatchObject({ success: true, channelId: bot.id });
	expect(await on.page.content()).not.toContain(result.botToken);
	await on.sandbox.call(`/v1/channels/${bot.id}/connect`, { body: result });
	const card = on.page.locator('article', { hasText: 'Shop Bot' });
	await card.getByText(/^@shop_/).waitFor();
});

it('connects a new channel by one click, and says everywhere that it is not connected', async () => {
	const told = await startReceiver();
	try {
		await on.view('connect');
		await on.page.getByLabel('Name', { exact: true }).fill('Shop');
		await on.page.getByRole('button', { name: 'Create channel' }).click();
		const chosen = on.page.getByLabel('Channel', { exact: true }).locator('option:checked');
		await until(
			'the new channel is chosen',
			async () => (await chosen.innerText()) === '\u2068Shop\u2069 (not connected)',
		);
		const card = on.page.locator('article', { hasText: 'Shop' });
		await card.getByRole('button', { name: 'Connect here' }).waitFor();
		expect(await barriers(on.page)).toEqual([]);
		await takePicture(on.page, 'sandbox-connect-here');
		await on.view('chats');
		await on.page.getByLabel('Channel', { exact: true }).selectOption({ index: 1 });
		await on.page.getByText('channel not connected').waitFor();
		expect(await chosen.innerText()).toBe('\u2068Shop\u2069 (not connected)');
		await takePicture(on.page, 'sandbox-chats-not-connected');

		await on.view('connect');
		const { id } = (await on.sandbox.control<State>('/state')).tenants[0]!.channels.find(
			({ name }) => name === 'Shop',
		)!;
		const webhook = { url: told.url, events: ['CONNECTED'] };
		await on.sandbox.call(`/v1/channels/${id}/webhooks`, { body: webhook });
		await on.page.getByRole('button', { name: 'Connect here', exact: true }).click();
		await on.page.getByText(/is connected\. Choose it in a trigger/).waitFor();
		await card.getByText('connected', { exact: true }).waitFor();
		expect(await chosen.innerText()).toBe('Shop');
		await until('its webhook was told', () => told.received.length === 1);
		await on.sandbox.inbound(CUSTOMER, 'Hello', { channelId: id });
		expect((await on.sandbox.send(CUSTOMER, 'Hi', id)).status).toBe(200);
	} finally {
		await told.close();
	}
});

it('has the address and the secret key together, to copy', async () => {
	await on.page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
	await on.view('connect');
	for (const [name, value] of [
		['Base URL', on.sandbox.url],
		['Secret Key', DEMO_SECRET_KEY],
	] as const) {
		await on.page.getByRole('button', { name: `Copy ${name}` }).click();
		await on.page.getByText(`${name} copied`).waitFor();
		expect(await on.page.evaluate('navigator.clipboard.readText()')).toBe(value);
	}
	await on.page.getByText(/After a new key, .* unpublish and publish your workflows/).waitFor();
	await takePicture(on.page, 'sandbox-credential');
});

it('shows no key that was set in place of its own', async () => {
	await on.view('connect');
	await on.page.getByText(DEMO_SECRET_KEY, { exact: true }).waitFor();
	await on.sandbox.control('/secret-key', { body: { secretKey: 'sandbox_sk_mine' } });
	await on.page.getByText('The sandbox does not store it').waitFor();
	expect(await on.page.content()).not.toContain('sandbox_sk_');
	expect(JSON.stringify(await on.sandbox.control('/state'))).not.toContain('sandbox_sk_');
	expect(await barriers(on.page)).toEqual([]);
});

it('says what published workflows need after a reset, before it and where it is missed', async () => {
	expect((await on.sandbox.call(`${CHANNEL}/webhooks`)).body).toHaveLength(1);
	await on.view('controls');
	await on.page.getByRole('button', { name: 'Reset the sandbox' }).click();
	const dialog = on.page.getByRole('dialog');
	await dialog.getByText(/Unpublish and publish them afterwards/).waitFor();
	expect(await barriers(on.page)).toEqual([]);
	await dialog.getByRole('button', { name: 'Reset' }).click();
	await on.view('webhooks');
	await on.page.getByText(/before the sandbox was reset, unpublish and publish it/).waitFor();
	expect((await on.sandbox.call(`${CHANNEL}/webhooks`)).body).toEqual([]);
});
