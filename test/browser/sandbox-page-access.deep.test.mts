import { tabThrough } from './harness/accessibility.mts';
import { until } from '../sandbox/helpers.mts';
import { CUSTOMER, sandboxPage, WIDTHS } from './harness/sandboxPage.mts';

const on = sandboxPage();

describe.each(WIDTHS)('at the width of %s', (_width, viewport) => {
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
