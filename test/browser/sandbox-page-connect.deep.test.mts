import { DEMO_BUSINESS_NUMBER, DEMO_CHANNEL_ID, DEMO_SECRET_KEY } from '#sandbox/seed.mts';
import { until } from '../sandbox/helpers.mts';
import { CUSTOMER, sandboxPage, WIDTHS } from './harness/sandboxPage.mts';

const on = sandboxPage();

const unusual = () => on.page.locator('#unusual');
const channels = async () => (await on.state()).tenants[0]!.channels;
const channel = async () => (await channels()).find(({ id }) => id === DEMO_CHANNEL_ID)!;
const disconnect = (id: string) =>
	on.sandbox.control(`/channels/${id}/disconnect`, { method: 'POST' });
const create = async (name: string, type: string) =>
	(await on.sandbox.call<{ id: string }>('/v1/channels', { body: { name, type } })).body;
const mayCopy = () => on.page.context().grantPermissions(['clipboard-read', 'clipboard-write']);

it.each(WIDTHS)(
	'shows a disconnected channel in the header, and connects it by one click, on %s',
	async (_width, viewport) => {
		await on.reopen({ viewport });
		await on.openChat();
		const before = await channel();
		await disconnect(DEMO_CHANNEL_ID);
		await unusual().getByText('Demo Channel not connected').waitFor();
		await on.isAccessible();
		await unusual()
			.getByRole('button', { name: /^Connect again: .*Demo Channel/ })
			.click();
		await on.shows(/connected again\. Its webhooks were kept, so published workflows go on\./);
		await until('the header is quiet', async () => (await unusual().textContent()) === '');
		expect(await channel()).toEqual(before);
		expect(before.businessNumber).toBe(DEMO_BUSINESS_NUMBER);
		// Nothing was published again.
		await on.writes('Are you there?');
		await on.bubble('You wrote: Are you there?').waitFor();
	},
);

it('connects a bot by its own object, and shows no value of it', async () => {
	await mayCopy();
	const bot = await create('Shop Bot', 'MESSENGER_BOT');
	await on.view('connect');
	await on.label('Channel').selectOption(bot.id);
	await on.button('Get the object').click();
	const dialog = on.page.getByRole('dialog');
	await dialog.getByLabel('Business number or name').waitFor();
	expect(await dialog.getByText('coexistence').count()).toBe(0);
	await dialog.getByRole('button', { name: 'Allow' }).click();
	await on.page.getByLabel('SDK result').getByText('"botToken": "•••"').waitFor();
	await on.isAccessible();
	const next = on.page.getByText(/^Next: in n8n, add .* Channel → Connect, choose/);
	expect(await next.innerText()).toMatch(/choose Shop Bot, and paste this object.*ten minutes/);
	await on.button('Copy Result').click();
	await on.shows('Result copied');
	const result = JSON.parse(await on.copied()) as { botToken: string };
	expect(result).toMatchObject({ success: true, channelId: bot.id });
	expect(await on.page.content()).not.toContain(result.botToken);
	await on.sandbox.call(`/v1/channels/${bot.id}/connect`, { body: result });
	await on
		.card('Shop Bot')
		.getByText(/^@shop_/)
		.waitFor();
});

it('connects a new channel by one click, and says everywhere that it is not connected', async () => {
	const told = await on.listen();
	await on.view('connect');
	await on.label('Name').fill('Shop');
	await on.button('Create channel').click();
	const chosen = on.label('Channel').locator('option:checked');
	await until(
		'the new channel is chosen',
		async () => (await chosen.innerText()) === '\u2068Shop\u2069 (not connected)',
	);
	await on.card('Shop').getByRole('button', { name: 'Connect here' }).waitFor();
	await on.isAccessible();
	await on.view('chats');
	await on.label('Channel').selectOption({ index: 1 });
	await on.shows('channel not connected');
	expect(await chosen.innerText()).toBe('\u2068Shop\u2069 (not connected)');

	await on.view('connect');
	const { id } = (await channels()).find(({ name }) => name === 'Shop')!;
	const webhook = { url: told.url, events: ['CONNECTED'] };
	await on.sandbox.call(`/v1/channels/${id}/webhooks`, { body: webhook });
	await on.page.getByRole('button', { name: 'Connect here', exact: true }).click();
	await on.shows(/is connected\. Choose it in a trigger/);
	await on.card('Shop').getByText('connected', { exact: true }).waitFor();
	expect(await chosen.innerText()).toBe('Shop');
	await until('its webhook was told', () => told.received.length === 1);
	await on.sandbox.inbound(CUSTOMER, 'Hello', { channelId: id });
	expect((await on.sandbox.send(CUSTOMER, 'Hi', id)).status).toBe(200);
});

it('has the address and the secret key together, to copy', async () => {
	await mayCopy();
	await on.view('connect');
	for (const [name, value] of [
		['Base URL', on.sandbox.url],
		['Secret Key', DEMO_SECRET_KEY],
	] as const) {
		await on.button(`Copy ${name}`).click();
		await on.shows(`${name} copied`);
		expect(await on.copied()).toBe(value);
	}
	await on.shows(/After a new key, .* unpublish and publish your workflows/);
});

it('shows no key that was set in place of its own', async () => {
	await on.view('connect');
	await on.page.getByText(DEMO_SECRET_KEY, { exact: true }).waitFor();
	await on.sandbox.control('/secret-key', { body: { secretKey: 'sandbox_sk_mine' } });
	await on.shows('The sandbox does not store it');
	expect(await on.page.content()).not.toContain('sandbox_sk_');
	expect(JSON.stringify(await on.state())).not.toContain('sandbox_sk_');
	await on.isAccessible();
});
