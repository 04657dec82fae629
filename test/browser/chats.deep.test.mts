/** What people see in the chat while a workflow runs: the documentation's pictures. */
import type { Browser, Page } from 'playwright-core';

import { number } from '../host/harness/conversations.mts';
import { ACTION, byId, type Host, TRIGGER } from '../host/harness/host.mts';
import { ask, type Customers, openCustomers } from '../host/harness/questions.mts';
import { illustrate, launchBrowser } from './harness/browser.mts';
import { CUSTOMER, DESKTOP, openChat } from './harness/sandboxPage.mts';

const LIMIT_MS = 60_000;
/** The chat's place in the window. */
const CHAT = { x: 440, y: 68, width: 720, height: 544 };
const BURST = ['Hi', 'are you there?', 'I need help with my order 1024'];

let browser: Browser;
let page: Page;
let host: Host;
let customers: Customers;

beforeAll(async () => {
	browser = await launchBrowser();
	customers = await openCustomers('Example Shop', []);
	({ host } = customers);
});
beforeEach(async () => {
	page = await browser.newPage({ viewport: { ...DESKTOP, height: 620 } });
});
afterEach(async () => {
	await page.close();
	await host.cleanUp();
});
afterAll(async () => await browser?.close());

const writes = async (from: string, name: string, text: string) =>
	await host.sandbox.customerWrites({ channelId: customers.channelId, from, name, text });

const theirs = (text: string) => page.locator('.messages > li.theirs').getByText(text);

test('one answer follows three messages in a row', async () => {
	const trigger = host.node('Trigger', TRIGGER, {
		channelId: byId(customers.channelId),
		grouping: 'customer',
		quietTime: 2,
	});
	const answer = host.node('Answer', ACTION, {
		resource: 'message',
		operation: 'sendText',
		channelId: '={{ $json.channelId }}',
		recipient: '={{ $json.sender.identifier }}',
		text: '=Hello {{ $json.sender.name }}, yes, I am here. Order {{ $json.text.match(/\\d+/)[0] }} left our house this morning.',
	});
	const { id } = await host.createWorkflow('One answer', [trigger, answer]);
	await host.client.publish(id);
	for (const text of BURST) await writes(CUSTOMER, 'Ana Example', text);
	await openChat(page, customers, CUSTOMER);
	await theirs('Order 1024 left our house').waitFor({ timeout: LIMIT_MS });
	expect(await page.locator('.messages > li.theirs').count()).toBe(1);
	expect(await page.locator('.messages > li.mine').count()).toBe(BURST.length);
	await illustrate(page, 'burst-one-answer', CHAT);
});

test('an approver taps a button, and the other approver is told', async () => {
	const [ben, cleo] = [number(811), number(812)];
	await writes(ben, 'Ben Example', 'Hello');
	await writes(cleo, 'Cleo Example', 'Good morning');
	const question = await ask(customers, ben, {
		message: 'Ana Example asks for a discount of 20% on order 1024. Shall she have it?',
		responseType: 'approval',
		askIn: 'chat',
		approvalOptions: { values: { approvalType: 'double' } },
		approvers: [cleo],
	});
	await openChat(page, customers, cleo);
	await page.getByRole('button', { name: 'Decline' }).waitFor({ timeout: LIMIT_MS });
	await openChat(page, customers, ben);
	await page.getByRole('button', { name: 'Approve' }).click();
	await page.locator('.messages > li.mine').getByText('Approve').waitFor({ timeout: LIMIT_MS });
	await illustrate(page, 'approval-in-chat', CHAT);
	expect((await question.outcome()).items).toMatchObject([{ data: { approved: true } }]);
	await openChat(page, customers, cleo);
	await theirs('Approve was the answer of Ben Example').waitFor({ timeout: LIMIT_MS });
	await illustrate(page, 'approval-told', CHAT);
});

test('choices are buttons, and another reply brings the question again', async () => {
	const dora = number(813);
	await writes(dora, 'Dora Example', 'Hello');
	const question = await ask(customers, dora, {
		message: 'Your appointment is on Tuesday at ten. Will you come?',
		askIn: 'chat',
		responseType: 'replyInChat',
		choices: { values: ['Yes', 'Another time', 'Please cancel'].map((choice) => ({ choice })) },
	});
	await openChat(page, customers, dora);
	await page.getByRole('button', { name: 'Another time' }).waitFor({ timeout: LIMIT_MS });
	await writes(dora, 'Dora Example', 'Is it the one with the dentist?');
	await theirs('Please reply with one of these').waitFor({ timeout: LIMIT_MS });
	await page.getByRole('button', { name: 'Yes' }).last().click();
	await page.locator('.messages > li.mine').getByText('Yes').waitFor({ timeout: LIMIT_MS });
	expect((await question.outcome()).items).toMatchObject([{ data: { choice: 'Yes' } }]);
	// Away from the buttons.
	await page.mouse.move(0, 0);
	await illustrate(page, 'choices-in-chat', CHAT);
});
