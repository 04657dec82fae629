import { until } from '../sandbox/helpers.mts';
import { barriers, tabThrough } from './harness/accessibility.mts';
import { takePicture } from './harness/browser.mts';
import { CUSTOMER, DESKTOP, PHONE, sandboxPage, VIEWS } from './harness/sandboxPage.mts';

const on = sandboxPage();

describe.each([
	['a desktop', DESKTOP],
	['a phone', PHONE],
])('at the width of %s', (width, viewport) => {
	it.each(['light', 'dark'] as const)('is accessible in %s, in every view', async (colorScheme) => {
		await on.reopen({ viewport, colorScheme });
		await on.sandbox.inbound(CUSTOMER, 'Hello', { name: 'Ana Example' });
		await on.sandbox.inbound(CUSTOMER, `A word that is long: ${'x'.repeat(200)}`);
		await until(
			'the responses came',
			async () => (await on.sandbox.control<{ messages: number }>('/state')).messages === 4,
		);
		for (const [name, ready] of Object.entries(VIEWS)) {
			await on.view(name === 'chats' ? `chats/${CUSTOMER}` : name);
			await on.page.locator(ready).first().waitFor();
			expect({ name, barriers: await barriers(on.page) }).toEqual({ name, barriers: [] });
		}
		await on.view(`chats/${CUSTOMER}`);
		await on.bubble('Thanks, Ana Example').waitFor();
		await takePicture(on.page, `sandbox-chats-${width.split(' ')[1]}-${colorScheme}`);
	});
});

it('has a check that finds faint, too wide and unnamed elements', async () => {
	await on.view('connect');
	await on.page.evaluate(
		`document.body.insertAdjacentHTML('beforeend', '<p style="color: #999; background: #fff">faint</p><button></button>')`,
	);
	await on.page.evaluate(`document.querySelector('main').style.width = '3000px'`);
	const wide = await barriers(on.page);
	// The page's own policy refuses the style attribute, so it is set from a script.
	await on.page.evaluate(
		`Object.assign(document.body.lastElementChild.previousElementSibling.style, { color: '#999', background: '#fff' })`,
	);
	const found = [...wide, ...(await barriers(on.page))].join('\n');
	expect(found).toMatch(/wider than the window/);
	expect(found).toMatch(/color-contrast: <p[^>]*>faint/);
	expect(found).toMatch(/button-name: <button>/);
	on.excuse(/style/);
});

it('can be used with the keyboard alone', async () => {
	await on.sandbox.inbound(CUSTOMER, 'Hello', { name: 'Ana Example' });
	for (const [name, ready] of Object.entries(VIEWS)) {
		await on.view(name);
		await on.page.locator(ready).first().waitFor();
		const stops = await tabThrough(on.page);
		expect({ name, unseen: stops.filter(({ visible }) => !visible) }).toEqual({ name, unseen: [] });
		expect(stops.length).toBeGreaterThan(6);
		expect(stops[0]!.what).toContain('Skip to the content');
	}
	await on.view('chats');
	await on.page.getByRole('button', { name: /Ana Example/ }).focus();
	await on.page.keyboard.press('Enter');
	await on.page.keyboard.type('Typed right away');
	await on.page.keyboard.press('Enter');
	await on.bubble('You wrote: Typed right away').waitFor();
});
