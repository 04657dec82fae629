import { until } from '../sandbox/helpers.mts';
import { DESKTOP, sandboxPage, WIDTHS } from './harness/sandboxPage.mts';

const on = sandboxPage();

const unusual = () => on.page.locator('#unusual');
const becomes = (text: string) =>
	until(`the header says "${text}"`, async () => (await unusual().textContent()) === text);
const ground = () => on.run<string>('getComputedStyle(document.body).backgroundColor');
const DARK = 'rgb(20, 24, 26)';
const LIGHT = 'rgb(243, 245, 246)';

it.each(WIDTHS)('shows what is not normal, with a link to it, on %s', async (_width, viewport) => {
	await on.reopen({ viewport });
	await on.view('chats');
	await becomes('');
	await on.clock({ advance: 86_400 });
	await becomes('clock +24 h');
	await on.fault({ on: 'route', kind: 'latency', ms: 1 });
	await becomes('clock +24 h · 1 fault on');
	await on.fault({ on: 'webhook', kind: 'badSignature' });
	await becomes('clock +24 h · 2 faults on');
	await on.isAccessible();
	for (const [link, title] of [
		['2 faults on', 'Switched on'],
		['clock +24 h', 'Clock'],
	] as const) {
		await unusual().getByRole('link', { name: link }).click();
		await until('its part has the focus', () =>
			on.run<boolean>(`document.activeElement.querySelector('h3')?.textContent === '${title}'`),
		);
		await on.page.getByRole('heading', { name: title, exact: true }).waitFor();
	}
	await on.isAccessible();
	await on.button('Back to real time').click();
	await becomes('2 faults on');
});

it('shows the state of the clock, and that every call is refused', async () => {
	await on.view('controls');
	await on.clock({ speed: 0 });
	await becomes('clock stopped');
	await on.clock({ now: new Date(Date.now() - 90 * 60_000).toISOString(), speed: 60 });
	await until('it goes fast, behind the real one', async () =>
		/^clock −1 h \d+ min, 60×$/.test((await unusual().textContent()) ?? ''),
	);
	await on.sandbox.control('/reset', { body: {} });
	await on.set({ blockedAddress: '203.0.113.7' });
	await becomes('every call refused');
});

it('follows the system until a theme is chosen, and remembers the choice', async () => {
	await on.reopen({ viewport: DESKTOP, colorScheme: 'light' });
	await on.view('chats');
	expect(await ground()).toBe(LIGHT);
	const theme = on.page.getByLabel('Theme');
	await theme.selectOption('dark');
	expect(await ground()).toBe(DARK);
	await on.page.reload();
	await on.page.locator('.view').waitFor();
	expect(await ground()).toBe(DARK);
	expect(await theme.inputValue()).toBe('dark');
	await on.page.emulateMedia({ colorScheme: 'dark' });
	await theme.selectOption('light');
	expect(await ground()).toBe(LIGHT);
	await theme.selectOption('');
	expect(await ground()).toBe(DARK);
	await on.page.reload();
	await on.page.locator('.view').waitFor();
	expect(await theme.inputValue()).toBe('');
	await on.page.emulateMedia({ colorScheme: 'light' });
	expect(await ground()).toBe(LIGHT);
});

it('never flashes light if dark is chosen', async () => {
	await on.reopen({ viewport: DESKTOP, colorScheme: 'light' });
	await on.view('chats');
	await on.page.getByLabel('Theme').selectOption('dark');
	// The page's program does not load, so this is what the browser draws first.
	await on.page.route('**/page/app.js', (route) => route.abort());
	await on.page.reload();
	expect(await on.page.locator('.view').count()).toBe(0);
	expect(await ground()).toBe(DARK);
});

it.each([
	['dark', 'light'],
	['light', 'dark'],
] as const)('is accessible with %s chosen on a %s system', async (theme, colorScheme) => {
	await on.reopen({ viewport: DESKTOP, colorScheme });
	await on.writes('Hello, https://shop.example.com');
	await on.view('chats');
	await on.page.getByLabel('Theme').selectOption(theme);
	// Those with links and state colours: another test checks every view in the system's theme.
	await on.eachView(on.isAccessible, ['chats', 'deliveries']);
});

it('skips to the content of the current view', async () => {
	await on.view('webhooks');
	await on.page.keyboard.press('Tab');
	await on.page.keyboard.press('Enter');
	expect(await on.run('document.activeElement.id')).toBe('view');
	await on.page.keyboard.press('Tab');
	expect(await on.run(`document.activeElement.closest('.view.webhooks') !== null`)).toBe(true);
});
