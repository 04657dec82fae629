import type { Browser, Page } from 'playwright-core';

import { number } from '../host/harness/conversations.mts';
import { ask, type Customers, openCustomers } from '../host/harness/questions.mts';
import { launchBrowser } from './harness/browser.mts';

const customer = number(800);

let customers: Customers;
let browser: Browser;
let page: Page;
/** Errors and refusals of the browser. */
const complaints: string[] = [];

beforeAll(async () => {
	customers = await openCustomers('Pages', [customer]);
	browser = await launchBrowser();
	// A phone with a person's browser. Without a head, a browser says so.
	page = await browser.newPage({ viewport: { width: 390, height: 700 } });
	page.on('pageerror', ({ message }) => complaints.push(message));
	page.on('console', (message) => {
		if (message.type() === 'error' && !message.text().includes('favicon'))
			complaints.push(message.text());
	});
});
afterAll(async () => {
	await browser?.close();
	await customers?.host.cleanUp();
});

const approval = {
	responseType: 'approval',
	approvalOptions: {
		values: { approvalType: 'double', approveLabel: 'Yes, please', disapproveLabel: 'No' },
	},
};

test("an approval's link shows the question with a button for each decision, and a button decides", async () => {
	const question = await ask(customers, customer, approval);
	const { url } = await question.linkButton();
	await page.goto(url);
	await page.getByText('May we deliver on Tuesday?').waitFor();
	const yes = page.getByRole('button', { name: 'Yes, please' });
	await yes.waitFor();
	await page.reload();
	await yes.waitFor();
	expect(await question.status()).toBe('waiting');
	await page.getByRole('button', { name: 'No' }).click();
	await page.getByText('Your answer was recorded').waitFor();
	expect((await question.outcome()).items).toMatchObject([
		{ data: { approved: false, outcome: 'answered' } },
	]);
});

test("a form's browser holds back what is missing, and sends the rest", async () => {
	const formFields = {
		values: [
			{ fieldLabel: 'Name', fieldType: 'text', requiredField: true },
			{
				fieldLabel: 'Day',
				fieldType: 'dropdown',
				requiredField: true,
				fieldOptions: { values: [{ option: 'Monday' }, { option: 'Tuesday' }] },
			},
			{
				fieldLabel: 'Extras',
				fieldType: 'checkbox',
				requiredField: true,
				fieldOptions: { values: [{ option: 'Coffee' }, { option: 'Cake' }] },
			},
		],
	};
	const question = await ask(customers, customer, {
		responseType: 'customForm',
		formFields,
		options: { responseFormTitle: 'Your visit' },
	});
	const link = await question.link();
	await page.goto(link);
	const send = page.getByRole('button', { name: 'Submit' });
	await send.click();
	expect(page.url()).toBe(link);
	await page.getByLabel('Name *').fill('Ana & Co');
	await page.getByLabel('Day *').selectOption('Tuesday');
	await send.click();
	await page.getByText('Please fill in this field.').waitFor();
	expect(await page.getByLabel('Name *').inputValue()).toBe('Ana & Co');
	// The page about missing fields has the status 422, which the browser logs.
	expect(complaints.splice(0)).toEqual([expect.stringContaining('422')]);
	await page.getByLabel('Cake').check();
	await send.click();
	await page.getByText('Your answer was recorded').waitFor();
	expect((await question.outcome()).items).toMatchObject([
		{ data: { Name: 'Ana & Co', Day: 'Tuesday', Extras: ['Cake'], outcome: 'answered' } },
	]);
});

test('the browser has no complaints', () => {
	expect(complaints).toEqual([]);
});
