import { DEMO_CHANNEL_ID } from '../../sandbox/seed.mts';
import { barriers } from './harness/accessibility.mts';
import { takePicture } from './harness/browser.mts';
import { replyButtons } from './harness/kinds.mts';
import { CUSTOMER, PHONE, sandboxPage, VIEWS } from './harness/sandboxPage.mts';

const on = sandboxPage();
const HAND = { viewport: PHONE, isMobile: true, hasTouch: true };

/**
 * Runs in the page: elements to tap that are smaller than 44 pixels. Excludes links in a text; a
 * switch counts as its label.
 */
const SMALL = `[...document.querySelectorAll('button, input, select, textarea, a, summary, [tabindex="0"]')]
	.filter((element) => element.offsetParent && element.id !== 'skip' && !element.closest('.messages p'))
	.map((element) => [element.closest('label') ?? element, element.outerHTML.slice(0, 120)])
	.filter(([element]) => {
		const { width, height } = element.getBoundingClientRect();
		return width < 44 || height < 44;
	})
	.map(([, html]) => html)`;
/** Runs in the page: fields with text so small that a phone zooms in. */
const ZOOMED = `[...document.querySelectorAll('input:not([type=checkbox]), select, textarea')]
	.filter((element) => parseFloat(getComputedStyle(element).fontSize) < 16).length`;

beforeEach(() => on.reopen(HAND));

it('has large enough elements to tap, in every view', async () => {
	await on.sandbox.inbound(CUSTOMER, 'Hello', { name: 'Ana Example' });
	await on.sandbox.sendContent(CUSTOMER, replyButtons());
	await on.sandbox.control('/clock', { body: { advance: 60 } });
	await on.sandbox.control('/faults', { body: { on: 'route', kind: 'latency', ms: 1 } });
	await on.sandbox.control(`/channels/${DEMO_CHANNEL_ID}/disconnect`, { method: 'POST' });
	for (const [name, ready] of Object.entries({ ...VIEWS, [`chats/${CUSTOMER}`]: '.tap' })) {
		await on.view(name);
		await on.page.locator(ready).first().waitFor({ state: 'attached' });
		expect({ name, small: await on.page.evaluate(SMALL) }).toEqual({ name, small: [] });
		// A page that is wider than its window makes a phone's window wider.
		expect({ name, width: await on.page.evaluate('innerWidth') }).toEqual({
			name,
			width: PHONE.width,
		});
		expect({ name, zoomed: await on.page.evaluate(ZOOMED) }).toEqual({ name, zoomed: 0 });
		expect({ name, barriers: await barriers(on.page) }).toEqual({ name, barriers: [] });
		await takePicture(on.page, `sandbox-touch-${name.replace(/\/.*/, '-open')}`);
	}
});

it('shows a chat over the whole height, without a keyboard at first', async () => {
	await on.sandbox.inbound(CUSTOMER, 'Hello', { name: 'Ana Example' });
	await on.view('chats');
	await on.page.getByRole('button', { name: /Ana Example/ }).tap();
	await on.bubble('You wrote: Hello').waitFor();
	expect(await on.page.evaluate(`document.activeElement.tagName`)).not.toBe('INPUT');
	expect(await on.page.getByRole('navigation').count()).toBe(0);
	const field = on.page.getByLabel('Message', { exact: true });
	await field.tap();
	await field.fill('Written with a thumb');
	await on.page.getByRole('button', { name: 'Send' }).tap();
	await on.bubble('You wrote: Written with a thumb').waitFor();
	await on.page.getByRole('button', { name: 'Back to the customers' }).tap();
	await on.page.getByRole('button', { name: /Ana Example/ }).waitFor();
	await on.page.getByRole('navigation').getByRole('link', { name: 'Controls' }).tap();
	await on.page.locator('.view.controls').waitFor();
});
