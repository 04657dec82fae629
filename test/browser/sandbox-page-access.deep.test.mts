import { tabThrough } from './harness/accessibility.mts';
import { until } from '../sandbox/helpers.mts';
import { CHANNEL, CUSTOMER, sandboxPage, WIDTHS } from './harness/sandboxPage.mts';

const on = sandboxPage();

const NARROW = ['a desktop at 400 %', { width: 320, height: 640 }] as const;
describe.each([...WIDTHS, NARROW])('at the width of %s', (_width, viewport) => {
	it.each(['light', 'dark'] as const)('is accessible in %s, in every view', async (colorScheme) => {
		await on.reopen({ viewport, colorScheme });
		await on.writes();
		await on.sandbox.inbound(CUSTOMER, `A word that is long: ${'x'.repeat(200)}`);
		await until('the responses came', async () => (await on.messages()).length === 4);
		await on.eachView(on.isAccessible);
	});
});

it('can be used with the keyboard alone', async () => {
	await on.writes();
	await on.eachView(async (name) => {
		const stops = await tabThrough(on.page);
		expect({ name, unseen: stops.filter(({ visible }) => !visible) }).toEqual({ name, unseen: [] });
		expect(stops.length).toBeGreaterThan(6);
		expect(stops[0]!.what).toContain('Skip to the content');
	});
	await on.view('chats');
	await on.button(/Ana Example/).focus();
	await on.page.keyboard.press('Enter');
	await on.page.keyboard.type('Typed right away');
	await on.page.keyboard.press('Enter');
	await on.bubble('You wrote: Typed right away').waitFor();
});

/** Registers a webhook of the channel. */
async function register(description: string) {
	const { url } = await on.listen();
	const webhook = { url, events: ['MESSAGE_RECEIVED'], description };
	return await on.sandbox.call<{ id: string }>(`${CHANNEL}/webhooks`, { body: webhook });
}
const remove = async (id: string) =>
	await on.sandbox.call(`${CHANNEL}/webhooks/${id}`, { method: 'DELETE' });
/** What has the focus, by the name that a screen reader says. */
const focus = async () =>
	await on.run<string>(
		'document.activeElement.ariaLabel ?? (document.activeElement.id || document.activeElement.textContent)',
	);

it('names the webhook that each control acts on, and keeps the focus while others come and go', async () => {
	const { body: second } = await register('n8n workflow "Shop", node "Message"');
	await on.view('webhooks');
	const names = `[...document.querySelectorAll('article :is(button, select, a)')].map(({ ariaLabel }) => ariaLabel)`;
	expect(new Set(await on.run<string[]>(names)).size).toBe(6);
	const [first] = (await on.sandbox.call<Array<{ id: string }>>(`${CHANNEL}/webhooks`)).body;
	const shop = /^Disable .*Shop.*Message/;
	await on.button(shop).focus();
	await remove(first!.id);
	await on.card(on.business.url).waitFor({ state: 'detached' });
	expect(await focus()).toMatch(shop);
	await on.page.keyboard.press('Enter');
	await on.button(/^Enable .*Shop/).waitFor();
	expect(await focus()).toMatch(/^Enable .*Shop.*Message/);
	await on.page.getByRole('link', { name: /^Deliveries of .*Shop/ }).focus();
	await remove(second.id);
	await on.shows('No webhook is registered.');
	expect(await focus()).toBe('view');
});

it('keeps what a person reads in a delivery, and the focus, while attempts are added', async () => {
	await on.writes();
	await until('it arrived', () => on.business.received.length === 1);
	await on.view('webhooks');
	await on.page.getByRole('link', { name: /^Deliveries of/ }).focus();
	await on.page.keyboard.press('Enter');
	await on.shows('DELIVERED after 1 attempt');
	expect(await focus()).toBe('view');
	await on.page.locator('summary', { hasText: 'Signed text' }).focus();
	await on.page.keyboard.press('Space');
	const [{ id } = { id: 0 }] = (
		await on.sandbox.control<{ deliveries: Array<{ id: number }> }>('/deliveries')
	).deliveries;
	await on.sandbox.control(`/deliveries/${id}/redeliver`, { method: 'POST' });
	await on.shows('DELIVERED after 2 attempts');
	expect(await focus()).toBe('Signed text');
	expect(await on.page.getByRole('group', { name: 'Signed text' }).count()).toBe(1);
	await on.button('Send again').focus();
	await on.page.keyboard.press('Enter');
	await on.page.getByRole('status').getByText('after 3 attempts').waitFor();
	expect(await focus()).toBe('Send again');
	expect(await on.page.locator(':is([aria-live], [role=status]) pre').count()).toBe(0);
	await register('Second');
	await on.writes('Hello again');
	await on.label('Webhook').locator('option').nth(2).waitFor({ state: 'attached' });
	await on.label('Webhook').selectOption('');
	for (const name of ['Auto-reply', 'Second'])
		await on.button(`to ${name} Ana Example: Hello again`).waitFor();
	await on.isAccessible();
});
