import { DEMO_CHANNEL_ID } from '#sandbox/seed.mts';
import { replyButtons } from './harness/kinds.mts';
import { CUSTOMER, PHONE, sandboxPage } from './harness/sandboxPage.mts';

const on = sandboxPage();

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

beforeEach(() => on.reopen({ viewport: PHONE, isMobile: true, hasTouch: true }));

it('has large enough elements to tap, in every view', async () => {
	await on.writes();
	await on.sandbox.sendContent(CUSTOMER, replyButtons());
	await on.clock({ advance: 60 });
	await on.fault({ on: 'route', kind: 'latency', ms: 1 });
	await on.sandbox.control(`/channels/${DEMO_CHANNEL_ID}/disconnect`, { method: 'POST' });
	const look = async (name: string) => {
		// A page that is wider than its window makes a phone's window wider.
		expect({
			name,
			small: await on.run(SMALL),
			width: await on.run('innerWidth'),
			zoomed: await on.run(ZOOMED),
		}).toEqual({ name, small: [], width: PHONE.width, zoomed: 0 });
		await on.isAccessible(name);
	};
	await on.eachView(look);
	await on.view('chats');
	await look('chats without an open one');
});

it('shows a chat over the whole height, without a keyboard at first', async () => {
	await on.writes();
	await on.view('chats');
	await on.button(/Ana Example/).tap();
	await on.bubble('You wrote: Hello').waitFor();
	expect(await on.run(`document.activeElement.tagName`)).not.toBe('INPUT');
	expect(await on.page.getByRole('navigation').count()).toBe(0);
	await on.label('Message').tap();
	await on.label('Message').fill('Written with a thumb');
	await on.button('Send').tap();
	await on.bubble('You wrote: Written with a thumb').waitFor();
	await on.button('Back to the customers').tap();
	await on.button(/Ana Example/).waitFor();
	await on.page.getByRole('navigation').getByRole('link', { name: 'Controls' }).tap();
	await on.page.locator('.view.controls').waitFor();
});
