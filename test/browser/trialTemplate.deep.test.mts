/** A newcomer writes templates by mouse, has one approved, sends it, changes and deletes it. */
import type { Page } from 'playwright-core';

import { takePicture } from './harness/browser.mts';
import { openChat } from './harness/sandboxPage.mts';
import { SEND_TEMPLATE, START, Trial } from './harness/trial.mts';

const [CREATE, UPDATE, DELETE] = ['Create template', 'Update template', 'Delete template'];
const NAME = 'order_ready';
const PICTURE = 'https://shop.example/cup.png';
const CUSTOMER = '5511900008871';
/** From an empty panel to a response of the service. */
const MOST_CLICKS = 15;
/** From an empty panel to a template that was sent. */
const MOST_CLICKS_TO_SEND = 9;
/** In the preview with the examples, and in the chat. */
const SEEN = /Hello Ana, your order is ready\.\s+Talk to us/;

const trial = new Trial('Orders');
const { step } = trial;
let clicks: () => Promise<number>;

/** Looks at the sandbox's page. n8n renders nothing in a window behind another: it is closed. */
async function onPage(look: (page: Page) => Promise<void>): Promise<void> {
	const page = await trial.window.page.context().newPage();
	await look(page).finally(async () => await page.close());
}

/** Adds a node, fills it in and runs it, in few clicks. */
async function run(behind: string, operation: string, fill: () => Promise<void>): Promise<void> {
	const { build } = trial;
	const before = await clicks();
	await trial.addWithCredential(behind, operation);
	const businesses = await build.openList('businessId');
	await businesses.first().click();
	await businesses.first().waitFor({ state: 'hidden' });
	await fill();
	await takePicture(build.page, `trial-template-after-${before}-clicks`);
	await build.execute();
	const spent = (await clicks()) - before;
	expect(spent).toBeGreaterThan(0);
	expect(spent).toBeLessThanOrEqual(MOST_CLICKS);
}

/** All that the template has. @param at which of the fields called *name* is that of a variable */
async function write(body: string, at: number): Promise<void> {
	const { build } = trial;
	await build.choose('headerType', 'Image');
	await build.choose('headerSource', 'URL');
	await build.type('headerUrl', PICTURE);
	// n8n makes an expression of it, in which {{1}} is the number 1.
	await build.type('body', body);
	await build.addEntry('variableExamples', 'Add Example');
	await build.type('name', '1', at);
	await build.type('example', 'Ana');
	await build.addEntry('templateButtons', 'Add Button');
	await build.type('text', 'Talk to us');
}

/** The account's templates, by their languages. */
async function listed(name: string): Promise<Record<string, unknown>> {
	const { host, tenantId } = trial.customers;
	const { templates } = await host.sandbox.get<{
		templates: Array<{ name: string; language: string; components: unknown }>;
	}>(`/_sandbox/message-templates?tenant=${tenantId}`);
	const named = templates.filter((template) => template.name === name);
	return Object.fromEntries(named.map(({ language, components }) => [language, components]));
}

const header = { format: 'IMAGE', example: { header_handle: [expect.anything()] } };

step('a template with an image from a link, a variable and a button is submitted', async () => {
	const { build } = trial;
	await build.startByHand();
	clicks = await build.countClicks();
	await run(START, CREATE, async () => {
		await build.type('name', NAME);
		await write('Hello {{1}}, your order is ready.', 1);
	});
	await trial.shows({ name: NAME, status: 'PENDING', category: 'UTILITY' });
	await build.closeNode();
});

step('the reviewer sees it, and approves it', async () => {
	await onPage(async (page) => {
		await page.goto(`${trial.host.underTest.sandboxUrl}/#templates`);
		const card = page.locator('article.card', { hasText: NAME });
		await card.waitFor();
		expect(await card.innerText()).toMatch(SEEN);
		await takePicture(page, 'trial-template-page');
		await card.locator('[data-deed="Approve"]').click();
		await card.getByText('APPROVED').waitFor();
	});
});

step('it is sent, chosen from the list', async () => {
	const { build } = trial;
	const before = await clicks();
	await trial.addBehind(CREATE, SEND_TEMPLATE);
	await build.type('recipient', CUSTOMER);
	await build.chooseFromList('template', NAME);
	await build.field('body.1').waitFor();
	await trial.set({ 'header.image': PICTURE, 'body.1': 'Ana' });
	await trial.sends(CUSTOMER, { type: 'TEMPLATE', text: 'Hello Ana, your order is ready.' });
	expect((await clicks()) - before).toBeGreaterThan(0);
	expect((await clicks()) - before).toBeLessThanOrEqual(MOST_CLICKS_TO_SEND);
	await build.closeNode();
});

step('the customer gets what the reviewer saw', async () => {
	await onPage(async (page) => {
		await openChat(page, trial.customers, CUSTOMER);
		const bubble = page.locator('.messages > li.theirs', { hasText: 'Hello Ana' });
		await bubble.waitFor();
		expect(await bubble.innerText()).toMatch(SEEN);
	});
});

step('a word of it is changed, and the panel says that the rest is replaced, too', async () => {
	const { build } = trial;
	await run(SEND_TEMPLATE, UPDATE, async () => {
		await build.chooseFromList('templateId', `${NAME} · en_US · Approved`);
		expect(await build.boxes()).toEqual([
			expect.stringMatching(/replaces.*PENDING.*24 hours/) as string,
		]);
		await write('Hello {{1}}, your parcel is ready.', 0);
	});
	await trial.shows({ updated: 'true' });
	await build.closeNode();
	expect((await listed(NAME)).en_US).toMatchObject([
		header,
		{ text: 'Hello {{1}}, your parcel is ready.' },
		{ buttons: [{ text: 'Talk to us' }] },
	]);
});

step('one of the library gets its link and its phone', async () => {
	const { build } = trial;
	await run(UPDATE, CREATE, async () => {
		await build.type('name', 'on_its_way');
		await build.choose('definition', 'From Library');
		await build.chooseFromList('libraryTemplate', 'delivery_update_1');
		await build.addEntry('libraryButtons', 'Add Button');
		await build.type('url', 'https://shop.example/orders/{{1}}');
		await build.type('urlExample', '1042');
		await build.addEntry('libraryButtons', 'Add Button');
		await build.choose('type', 'Phone', 1);
		await build.type('phone', '+55 11 98888-0000');
	});
	await trial.shows({ name: 'on_its_way', status: 'APPROVED' });
	await build.closeNode();
	const url = {
		url: 'https://shop.example/orders/{{1}}',
		example: [expect.stringMatching(/1042$/)],
	};
	expect((await listed('on_its_way')).en_US).toMatchObject([
		{ type: 'BODY' },
		{ buttons: [url, { phone_number: '+5511988880000' }] },
	]);
});

step('one language of two is deleted', async () => {
	const { host, tenantId: tenant } = trial.customers;
	const spanish = { tenant, name: NAME, language: 'es', body: 'Su pedido ya puede recogerse.' };
	await host.sandbox.post('/_sandbox/message-templates', spanish);
	await run(`${CREATE}1`, DELETE, async () => {
		await trial.build.chooseFromList('templateId', `${NAME} · en_US · Pending`);
		expect(await trial.build.boxes()).toEqual([expect.stringMatching(/30 days/) as string]);
	});
	await trial.shows({ deleted: 'true' });
	expect(Object.keys(await listed(NAME))).toEqual(['es']);
});
