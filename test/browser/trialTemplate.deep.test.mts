/** A newcomer writes a template by mouse, has it approved, sends it, changes it and deletes it. */
import type { Page } from 'playwright-core';

import { takePicture } from './harness/browser.mts';
import { openChat } from './harness/sandboxPage.mts';
import { SEND_TEMPLATE, START, Trial } from './harness/trial.mts';

const [CREATE, UPDATE, SYNC] = ['Create template', 'Update template', 'Sync templates'];
const NAME = 'order_ready';
const EXAMPLES = ['Ana', '1042'];
const CUSTOMER = '5511900008871';
/** From an empty panel to a submitted template. */
const MOST_CLICKS = 15;
/** In the preview with the examples, and in the chat. */
const SEEN = /Hello Ana, your order 1042 is ready\.\s+Too late\s+Talk to us/;

const trial = new Trial('Orders');
const { step } = trial;

/** Chooses the account's only business. */
async function chooseBusiness(): Promise<void> {
	const entries = await trial.build.openList('businessId');
	await entries.first().click();
	await entries.first().waitFor({ state: 'hidden' });
}

/** Looks at the sandbox's page. n8n renders nothing in a window behind another: it is closed. */
async function onPage(look: (page: Page) => Promise<void>): Promise<void> {
	const page = await trial.window.page.context().newPage();
	await look(page).finally(async () => await page.close());
}

step('a template with two variables and two buttons is submitted in few clicks', async () => {
	const { build } = trial;
	await build.startByHand();
	const clicks = await build.countClicks();
	await trial.addWithCredential(START, CREATE);
	await chooseBusiness();
	await build.type('name', NAME);
	// n8n makes an expression of it, in which {{1}} is the number 1.
	await build.type('body', 'Hello {{1}}, your order {{2}} is ready.');
	for (const [at, example] of EXAMPLES.entries()) {
		await build.addEntry('variableExamples', 'Add Example');
		await build.type('name', String(at + 1), at + 1);
		await build.type('example', example, at);
	}
	for (const [at, title] of ['Too late', 'Talk to us'].entries()) {
		await build.addEntry('templateButtons', 'Add Button');
		await build.type('text', title, at);
	}
	await takePicture(build.page, 'trial-template');
	await build.execute();
	expect(await clicks()).toBeGreaterThan(0);
	expect(await clicks()).toBeLessThanOrEqual(MOST_CLICKS);
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
	await trial.addBehind(CREATE, SEND_TEMPLATE);
	await build.type('recipient', CUSTOMER);
	await build.chooseFromList('template', NAME);
	await build.field('body.1').waitFor();
	await trial.set({ 'body.1': 'Ana', 'body.2': '1042' });
	await trial.sends(CUSTOMER, { type: 'TEMPLATE', text: 'Hello Ana, your order 1042 is ready.' });
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

step('it is changed, which the panel warns of', async () => {
	const { build } = trial;
	await trial.addWithCredential(SEND_TEMPLATE, UPDATE);
	await chooseBusiness();
	await build.chooseFromList('templateId', `${NAME} · en_US · Approved`);
	expect(await build.boxes()).toEqual([expect.stringMatching(/PENDING.*24 hours/)]);
	await build.type('body', 'Hello, your order is ready.');
	await build.execute();
	await trial.shows({ updated: 'true' });
	await build.closeNode();
});

step('templates are synced, and business accounts listed', async () => {
	const { build } = trial;
	await trial.addWithCredential(UPDATE, SYNC);
	await chooseBusiness();
	await build.execute();
	await trial.shows({ synced: 'true', syncedCount: '1' });
	await build.closeNode();
	await trial.addWithCredential(SYNC, 'Get many business accounts');
	await build.execute();
	await trial.shows({ channelsCount: '1' });
	await build.closeNode();
});

step('it is deleted, by its choice or by ID and name', async () => {
	const { build } = trial;
	await trial.addWithCredential('Get many business accounts', 'Delete template');
	await chooseBusiness();
	await build.chooseFromList('templateId', `${NAME} · en_US · Pending`);
	expect(await build.boxes()).toEqual([expect.stringMatching(/30 days/)]);
	expect(await build.labelsShown(['Template', 'Name'])).toEqual(['Template']);
	const mode = build.part('rlc-mode-selector', build.part('resource-locator-templateId'));
	const choose = async (wanted: RegExp) => {
		await mode.click();
		await build.page.locator('.el-select-dropdown__item:visible', { hasText: wanted }).click();
	};
	await choose(/By ID/);
	await build.field('name').waitFor();
	await takePicture(build.page, 'trial-template-delete');
	await choose(/From List/i);
	await build.chooseFromList('templateId', NAME);
	await build.execute();
	await trial.shows({ deleted: 'true', name: NAME });
	await build.closeNode();
});
