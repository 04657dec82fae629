import { DEMO_CHANNEL_ID } from '#sandbox/seed.mts';
import { until } from '../sandbox/helpers.mts';
import { CUSTOMER, sandboxPage, WIDTHS } from './harness/sandboxPage.mts';

const on = sandboxPage();

const LONG_NAME = 'Maximiliana Featherstone';
const number = (place: number) => String(5_500_000_000_200 + place);
/** The first of them wrote last. */
const NAMES = Array.from({ length: 50 }, (_, place) =>
	place === 7 ? LONG_NAME : `Customer ${String(place).padStart(2, '0')}`,
);

const inComposer = () => on.run<boolean>(`document.activeElement.closest('.composer') !== null`);
const press = (...keys: string[]) =>
	keys.reduce((before, key) => before.then(() => on.page.keyboard.press(key)), Promise.resolve());
const customers = () => on.page.locator('.conversations strong');
/** Pixels of the page, or of an element, below the visible part. */
const hidden = (selector: string) =>
	on.run<number>(
		`(({ scrollHeight, clientHeight }) => scrollHeight - clientHeight)(document.querySelector('${selector}'))`,
	);
/** No business replies, so the order of customers does not change. */
const noReplies = () => on.fault({ on: 'webhook', kind: 'dropBefore' });

describe('with 50 customers', () => {
	beforeEach(async () => {
		await noReplies();
		for (const [place, name] of [...NAMES.entries()].reverse())
			await on.sandbox.inbound(number(place), 'Hello', { name });
		await on.view(`chats/${number(0)}`);
		await customers().nth(49).waitFor();
	});

	it('has the form on top, a search, and room for a name', async () => {
		await on.view('chats');
		const top = (label: string) =>
			on.run<number>(
				`document.querySelector('[aria-label="${label}"]').getBoundingClientRect().top`,
			);
		expect(await top('Number of a new customer')).toBeLessThan(await top('Find a customer'));
		expect(await top('Find a customer')).toBeLessThan(await top('Customers'));
		expect(await hidden('html')).toBe(0);
		expect(await hidden('.side')).toBe(0);
		expect(await hidden('.conversations')).toBeGreaterThan(0);
		const cut = await on.run(
			`[...document.querySelectorAll('.conversations strong')]
				.filter((name) => name.scrollHeight > name.clientHeight || name.scrollWidth > name.clientWidth)
				.map(({ textContent }) => textContent)`,
		);
		expect(cut).toEqual([]);
		await on.isAccessible();

		const search = on.page.getByRole('searchbox', { name: 'Find a customer' });
		await search.fill('featherst');
		expect(await customers().allInnerTexts()).toEqual([LONG_NAME]);
		await search.fill(number(12));
		expect(await customers().allInnerTexts()).toEqual([NAMES[12]]);
		await search.fill('nobody');
		await on.shows('No customer has this name or number.');
		await on.adds('5500000000999', 'Bo Example');
		expect(await search.inputValue()).toBe('');
		expect(await inComposer()).toBe(true);
	});

	it('is one stop of the Tab key, and the arrow keys move in it', async () => {
		await on.page.getByLabel('Find a customer').focus();
		for (const [keys, place] of [
			[['Tab'], 0],
			[['ArrowDown', 'ArrowDown'], 2],
			[['ArrowUp'], 1],
			[['End'], 49],
			[['ArrowDown'], 49],
			[['Home'], 0],
		] as const) {
			await press(...keys);
			expect(await on.focused()).toContain(NAMES[place]);
		}
		await press('ArrowDown', 'Enter');
		await on.shows(`to ${NAMES[1]}`);
		expect(await inComposer()).toBe(true);
		// Also from the search: Enter opens the first one, the arrow enters the list.
		const search = on.page.getByLabel('Find a customer');
		await search.fill('feather');
		await press('ArrowDown');
		expect(await on.focused()).toContain(LONG_NAME);
		await search.focus();
		await press('Enter');
		await on.shows(`to ${LONG_NAME}`);
		expect(await inComposer()).toBe(true);
	});
});

it('moves a chat with a new reply up, and marks it until the customer opens it', async () => {
	await noReplies();
	await on.sandbox.inbound(number(1), 'Hello', { name: 'Bo' });
	await on.writes();
	await on.openChat();
	const shows = (texts: string[]) =>
		until(`it lists ${texts.join()}`, async () => {
			const found = await on.page.locator('.conversations button').allInnerTexts();
			return found.every((text, place) => new RegExp(texts[place]!, 's').test(text));
		});
	await shows(['^A.Ana Example.You: Hello', '^B.Bo.You: Hello']);
	await on.label('Kind of message').selectOption('IMAGE');
	await on.label('Caption').fill('A cat');
	await on.sandbox.send(number(1), '*Approve* this?\n- Yes\n- No');
	await shows(['^B.Bo.Approve this\\? Yes No.new', '^A.Ana Example.You: Hello']);
	await on.isAccessible();
	await on.button(/Bo Approve this/).click();
	await shows(['^B.Bo.Approve this\\?.*\\d', '^A.Ana Example']);
	await on.shows(`to Bo (${number(1)})`);
	// Each chat keeps what is written in it.
	await on.label('Message').fill('Yes');
	await on.button(/^Ana Example/).click();
	expect(await on.label('Caption').inputValue()).toBe('A cat');
	await on.button(/Bo Approve this/).click();
	expect(await on.label('Message').inputValue()).toBe('Yes');
});

it('suggests a customer as long as the business alone has written', async () => {
	const body = { channelId: DEMO_CHANNEL_ID, to: number(1), name: 'Colleague', text: 'Hello' };
	await on.sandbox.control('/from-phone', { body });
	await on.view('chats');
	await on.shows('to Ana Example');
	await until('both are listed', async () =>
		/^Ana Example,Colleague$/.test((await customers().allInnerTexts()).join()),
	);
	await on.sandbox.inbound(number(1), 'Here I am', { name: 'Colleague' });
	await on.shows('You wrote: Here I am');
	expect((await customers().allInnerTexts()).toSorted()).toEqual(['Ana Example', 'Colleague']);
});

it.each(WIDTHS)('removes a customer after a question, on %s', async (_width, viewport) => {
	await on.reopen({ viewport });
	const listed = (names: string) =>
		until(`it lists ${names}`, async () => (await customers().allTextContents()).join() === names);
	const dialog = on.page.getByRole('dialog');
	const asked = async (answer: string) => {
		await on.page.locator('.remove').click();
		await on.isAccessible();
		await dialog.getByRole('button', { name: answer }).click();
		await dialog.waitFor({ state: 'detached' });
	};
	await on.sandbox.inbound(number(1), 'Stays', { name: 'Bo' });
	await on.writes();
	await on.openChat();
	await asked('Keep');
	await asked('Remove');
	await on.shows('Removed \u2068Ana Example\u2069');
	await listed('Bo');
	expect((await on.messages()).every(({ customer }) => customer === number(1))).toBe(true);
	await on.view(`chats/${number(1)}`);
	await asked('Remove');
	await on.shows('There is no customer. Add one above.');
	await on.isAccessible();
	await on.page.reload();
	await on.shows('There is no customer. Add one above.');
	await on.sandbox.control('/reset', { body: {} });
	await listed('Ana Example');
});

it.each(WIDTHS)('has one scroll bar in a long chat, on %s', async (_width, viewport) => {
	await noReplies();
	await on.reopen({ viewport });
	for (let count = 0; count < 40; count += 1) {
		await on.sandbox.inbound(CUSTOMER, `Line ${count}`);
		await on.sandbox.send(CUSTOMER, `https://shop.example.com/${count}`);
	}
	await on.openChat();
	await on.bubble('https://shop.example.com/39').waitFor();
	expect(await hidden('.messages')).toBeGreaterThan(1000);
	expect(await hidden('html')).toBe(0);
	expect(await hidden('.phone')).toBe(0);
});

it('keeps the words around right-to-left names in order', async () => {
	const name = 'דנה כהן';
	const id = 'ABCDEFABCDEFABCDEFABCDEFABCDEF01';
	const key = 'sandbox_sk_two';
	await on.sandbox.inbound(CUSTOMER, '12:30?', { name });
	const channels = [{ id, name, connected: true }];
	const tenants = [{ name, secretKey: key, publicKey: 'sandbox_pk_two', channels }];
	await on.sandbox.control('/seed', { body: { tenants } });
	const body = { url: on.business.url, events: ['MESSAGE_RECEIVED'], description: name };
	await on.sandbox.call(`/v1/channels/${id}/webhooks`, { key, body });
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
	await on.eachView(async (view) => {
		if (view !== 'templates') expect(await on.page.getByText(name).count()).toBeGreaterThan(0);
		expect({ view, found: await on.run(SCRAMBLED) }).toEqual({ view, found: [] });
	});
});
