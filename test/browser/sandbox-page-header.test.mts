import { until } from '../sandbox/helpers.mts';
import { barriers } from './harness/accessibility.mts';
import { takePicture } from './harness/browser.mts';
import { CUSTOMER, DESKTOP, PHONE, sandboxPage, VIEWS } from './harness/sandboxPage.mts';

const on = sandboxPage();

const unusual = () => on.page.locator('#unusual');
const becomes = (text: string) =>
	until(`the header says "${text}"`, async () => (await unusual().textContent()) === text);
const ground = () => on.page.evaluate<string>('getComputedStyle(document.body).backgroundColor');
const DARK = 'rgb(20, 24, 26)';
const LIGHT = 'rgb(243, 245, 246)';

describe.each([
	['a desktop', DESKTOP],
	['a phone', PHONE],
])('at the width of %s', (width, viewport) => {
	it('says what is not normal, and leads there', async () => {
		await on.reopen({ viewport });
		await on.view('chats');
		await becomes('');
		await on.sandbox.control('/clock', { body: { advance: 86_400 } });
		await becomes('clock +24 h');
		await on.sandbox.control('/faults', { body: { on: 'route', kind: 'latency', ms: 1 } });
		await becomes('clock +24 h · 1 fault on');
		await on.sandbox.control('/faults', { body: { on: 'webhook', kind: 'badSignature' } });
		await becomes('clock +24 h · 2 faults on');
		expect(await barriers(on.page)).toEqual([]);
		await takePicture(on.page, `sandbox-unusual-${width.split(' ')[1]}`);
		for (const [link, title] of [
			['2 faults on', 'Switched on'],
			['clock +24 h', 'Clock'],
		] as const) {
			await unusual().getByRole('link', { name: link }).click();
			await until('its part has the focus', () =>
				on.page.evaluate<boolean>(
					`document.activeElement.querySelector('h3')?.textContent === '${title}'`,
				),
			);
			await on.page.getByRole('heading', { name: title, exact: true }).waitFor();
		}
		expect(await barriers(on.page)).toEqual([]);
		await on.page.getByRole('button', { name: 'Back to real time' }).click();
		await becomes('2 faults on');
	});
});

it('says how the clock goes, and that every call is refused', async () => {
	await on.view('controls');
	await on.sandbox.control('/clock', { body: { speed: 0 } });
	await becomes('clock stands still');
	const now = new Date(Date.now() - 90 * 60_000).toISOString();
	await on.sandbox.control('/clock', { body: { now, speed: 60 } });
	await until('it goes fast, behind the real one', async () =>
		/^clock −1 h \d+ min, 60×$/.test((await unusual().textContent()) ?? ''),
	);
	await on.sandbox.control('/reset', { body: {} });
	await on.sandbox.control('/settings', {
		...{ method: 'PATCH', body: { blockedAddress: '203.0.113.7' } },
	});
	await becomes('every call refused');
});

it('is as light or dark as the system until a look is chosen, which is remembered', async () => {
	await on.reopen({ viewport: DESKTOP, colorScheme: 'light' });
	await on.view('chats');
	expect(await ground()).toBe(LIGHT);
	const look = on.page.getByLabel('Look');
	await look.selectOption('dark');
	expect(await ground()).toBe(DARK);
	await on.page.reload();
	await on.page.locator('.view').waitFor();
	expect(await ground()).toBe(DARK);
	expect(await look.inputValue()).toBe('dark');
	await on.page.emulateMedia({ colorScheme: 'dark' });
	await look.selectOption('light');
	expect(await ground()).toBe(LIGHT);
	await look.selectOption('');
	expect(await ground()).toBe(DARK);
	await on.page.reload();
	await on.page.locator('.view').waitFor();
	expect(await on.page.getByLabel('Look').inputValue()).toBe('');
	await on.page.emulateMedia({ colorScheme: 'light' });
	expect(await ground()).toBe(LIGHT);
});

it('is never light for a moment where dark was chosen', async () => {
	await on.reopen({ viewport: DESKTOP, colorScheme: 'light' });
	await on.view('chats');
	await on.page.getByLabel('Look').selectOption('dark');
	// The program of the page does not come: what is there without it is what is drawn first.
	await on.page.route('**/page/app.js', (route) => route.abort());
	await on.page.reload();
	expect(await on.page.locator('.view').count()).toBe(0);
	expect(await ground()).toBe(DARK);
});

it.each([
	['dark', 'light'],
	['light', 'dark'],
] as const)(
	"chosen %s where the system is %s stands in nobody's way",
	async (look, colorScheme) => {
		await on.reopen({ viewport: DESKTOP, colorScheme });
		await on.sandbox.inbound(CUSTOMER, 'Hello, https://shop.example.com', { name: 'Ana Example' });
		await on.view('chats');
		await on.page.getByLabel('Look').selectOption(look);
		// Every view is looked at in the system's look: of a chosen one, where links and all the colours of states are.
		for (const name of ['chats', 'deliveries']) {
			await on.view(name);
			await on.page.locator(VIEWS[name]!).first().waitFor();
			expect({ name, barriers: await barriers(on.page) }).toEqual({ name, barriers: [] });
		}
	},
);

it('skips to the content of the view that is open', async () => {
	await on.view('webhooks');
	await on.page.keyboard.press('Tab');
	await on.page.keyboard.press('Enter');
	expect(await on.page.evaluate('document.activeElement.id')).toBe('view');
	await on.page.keyboard.press('Tab');
	expect(await on.page.evaluate(`document.activeElement.closest('.view.webhooks') !== null`)).toBe(
		true,
	);
});
