import { until } from '../sandbox/helpers.mts';
import { barriers } from './harness/accessibility.mts';
import { takePicture } from './harness/browser.mts';
import { CUSTOMER, PHONE, sandboxPage, VIEWS } from './harness/sandboxPage.mts';

const on = sandboxPage();

const LONG_NAME = 'Maximiliana Featherstone';
const number = (place: number) => String(5_500_000_000_200 + place);
/** The first of them wrote last. */
const NAMES = Array.from({ length: 50 }, (_, place) =>
	place === 7 ? LONG_NAME : `Customer ${String(place).padStart(2, '0')}`,
);

const focused = () => on.page.evaluate<string>('document.activeElement.innerText');
const inComposer = () =>
	on.page.evaluate<boolean>(`document.activeElement.closest('.composer') !== null`);
const press = (...keys: string[]) =>
	keys.reduce((before, key) => before.then(() => on.page.keyboard.press(key)), Promise.resolve());
const customers = () => on.page.locator('.conversations strong');
/** Pixels of the page, or of an element, below the visible part. */
const hidden = (selector: string) =>
	on.page.evaluate<number>(
		`(({ scrollHeight, clientHeight }) => scrollHeight - clientHeight)(document.querySelector('${selector}'))`,
	);

describe('with 50 customers', () => {
	beforeEach(async () => {
		// No business replies, so their order does not change.
		await on.sandbox.control('/faults', { body: { on: 'webhook', kind: 'dropBefore' } });
		for (const [place, name] of [...NAMES.entries()].reverse())
			await on.sandbox.inbound(number(place), 'Hello', { name });
	});

	it('has the form on top, a search, and room for a name', async () => {
		await on.view('chats');
		await customers().nth(49).waitFor();
		const top = (label: string) =>
			on.page.evaluate<number>(
				`document.querySelector('[aria-label="${label}"]').getBoundingClientRect().top`,
			);
		expect(await top('Number of a new customer')).toBeLessThan(await top('Find a customer'));
		expect(await top('Find a customer')).toBeLessThan(await top('Customers'));
		expect(await hidden('html')).toBe(0);
		expect(await hidden('.side')).toBe(0);
		expect(await hidden('.conversations')).toBeGreaterThan(0);
		const cut = await on.page.evaluate(
			`[...document.querySelectorAll('.conversations strong')]
				.filter((name) => name.scrollHeight > name.clientHeight || name.scrollWidth > name.clientWidth)
				.map(({ textContent }) => textContent)`,
		);
		expect(cut).toEqual([]);
		expect(await barriers(on.page)).toEqual([]);
		await takePicture(on.page, 'sandbox-customers');

		const search = on.page.getByRole('searchbox', { name: 'Find a customer' });
		await search.fill('featherst');
		expect(await customers().allInnerTexts()).toEqual([LONG_NAME]);
		await search.fill(number(12));
		expect(await customers().allInnerTexts()).toEqual([NAMES[12]]);
		await search.fill('nobody');
		await on.page.getByText('No customer has this name or number.').waitFor();
		await on.page.getByLabel('Number of a new customer').fill('5500000000999');
		await on.page.getByLabel('Name of a new customer').fill('Bo Example');
		await press('Enter');
		await on.page.locator('[aria-pressed=true]', { hasText: 'Bo Example' }).waitFor();
		expect(await search.inputValue()).toBe('');
		expect(await inComposer()).toBe(true);
	});

	it('is one stop of the Tab key, and the arrow keys move in it', async () => {
		await on.view(`chats/${number(0)}`);
		await customers().nth(49).waitFor();
		await on.page.getByLabel('Find a customer').focus();
		await press('Tab');
		expect(await focused()).toContain(NAMES[0]);
		await press('ArrowDown', 'ArrowDown');
		expect(await focused()).toContain(NAMES[2]);
		await press('ArrowUp');
		expect(await focused()).toContain(NAMES[1]);
		await press('End');
		expect(await focused()).toContain(NAMES[49]);
		await press('ArrowDown');
		expect(await focused()).toContain(NAMES[49]);
		await press('Home');
		expect(await focused()).toContain(NAMES[0]);
		await press('ArrowDown', 'Enter');
		await on.page.getByText(`to ${NAMES[1]}`).waitFor();
		expect(await inComposer()).toBe(true);
		// Also from the search: Enter opens the first one, the arrow enters the list.
		const search = on.page.getByLabel('Find a customer');
		await search.fill('feather');
		await press('ArrowDown');
		expect(await focused()).toContain(LONG_NAME);
		await search.focus();
		await press('Enter');
		await on.page.getByText(`to ${LONG_NAME}`).waitFor();
		expect(await inComposer()).toBe(true);
	});

	it('keeps the focus on a customer who moves up in the list', async () => {
		await on.view(`chats/${number(0)}`);
		await customers().nth(49).waitFor();
		await on.page.getByRole('button', { name: NAMES[3] }).focus();
		await on.sandbox.inbound(number(5), 'Me again');
		await until(
			'who wrote is the first',
			async () => (await customers().first().innerText()) === NAMES[5],
		);
		expect(await focused()).toContain(NAMES[3]);
		await on.sandbox.inbound(number(3), 'And me');
		await until(
			'who has the focus is the first',
			async () => (await customers().first().innerText()) === NAMES[3],
		);
		expect(await focused()).toContain(NAMES[3]);
	});
});

it('supports arrow keys in the list of deliveries', async () => {
	for (const text of ['One', 'Two', 'Three']) await on.sandbox.inbound(CUSTOMER, text);
	await on.view('deliveries');
	await on.page.getByText(': Three').waitFor();
	await on.page.getByRole('button', { name: ': Three' }).focus();
	await press('ArrowDown', 'ArrowDown', 'Enter');
	await on.page.getByLabel('Body', { exact: true }).getByText('"One"').waitFor();
	expect(await focused()).toContain(': One');
});

it.each([
	['a desktop', { width: 1280, height: 800 }],
	['a phone', PHONE],
])('has one scroll bar in a long chat, at the width of %s', async (_width, viewport) => {
	await on.sandbox.control('/faults', { body: { on: 'webhook', kind: 'dropBefore' } });
	await on.reopen({ viewport });
	for (let count = 0; count < 40; count += 1) {
		await on.sandbox.inbound(CUSTOMER, `Line ${count}`);
		await on.sandbox.send(CUSTOMER, `https://shop.example.com/${count}`);
	}
	await on.view(`chats/${CUSTOMER}`);
	await on.bubble('https://shop.example.com/39').waitFor();
	expect(await hidden('.messages')).toBeGreaterThan(1000);
	expect(await hidden('html')).toBe(0);
	expect(await hidden('.phone')).toBe(0);
});

it('keeps the words around right-to-left names in order', async () => {
	const name = 'דנה כהן';
	const id = 'ABCDEFABCDEFABCDEFABCDEFABCDEF01';
	await on.sandbox.inbound(CUSTOMER, '12:30?', { name });
	await on.sandbox.control('/seed', {
		body: {
			tenants: [
				{
					...{ name, secretKey: 'sandbox_sk_two', publicKey: 'sandbox_pk_two' },
					channels: [{ id, name, connected: true }],
				},
			],
		},
	});
	await on.sandbox.call(`/v1/channels/${id}/webhooks`, {
		...{ key: 'sandbox_sk_two' },
		body: { url: on.business.url, events: ['MESSAGE_RECEIVED'], description: name },
	});
	/** Texts of the page with the name and more in one element. Messages are excluded. */
	const SCRAMBLED = `(() => {
		const texts = document.createTreeWalker(document.querySelector('#view'), NodeFilter.SHOW_TEXT);
		const found = [];
		while (texts.nextNode()) {
			const { data, parentElement } = texts.currentNode;
			const isAlone = parentElement.matches('bdi, option, pre, .messages p') || data.includes('\\u2068${name}\\u2069');
			if (data.includes('${name}') && !isAlone) found.push(data);
		}
		return found;
	})()`;
	for (const [view, ready] of Object.entries(VIEWS)) {
		await on.view(view === 'chats' ? `chats/${CUSTOMER}` : view);
		await on.page.locator(ready).first().waitFor();
		if (view !== 'templates') expect(await on.page.getByText(name).count()).toBeGreaterThan(0);
		expect({ view, found: await on.page.evaluate(SCRAMBLED) }).toEqual({ view, found: [] });
	}
});
