/**
 * A newcomer builds mailings by mouse, from an empty canvas: to the rows of a data table, run
 * twice, and an approved template.
 */
import { randomUUID } from 'node:crypto';

import type { Browser, BrowserContext } from 'playwright-core';

import { insertDataTableRows, provideDataTable } from '../../scripts/n8n/dataTables.mts';
import { takePicture } from './harness/browser.mts';
import { story } from './harness/story.mts';
import { SEND_PICTURE, SEND_TEMPLATE, SEND_TEXT, signedIn, Trial } from './harness/trial.mts';

const START = 'When clicking ‘Execute workflow’';
const READERS = [
	{ phone: '5511900008831', name: 'Ana' },
	{ phone: '5511900008832', name: 'Bruno' },
	{ phone: '5511900008833', name: 'Carla' },
];
const GET_ROWS = 'Get row(s)';
const TRAVELLER = '5511900008839';
/** From an empty panel to a template that was sent. */
const MOST_CLICKS = 9;

let browser: Browser;
let context: BrowserContext;
let trial: Trial;

beforeAll(async () => {
	({ browser, context } = await signedIn());
});
afterAll(async () => await browser?.close());

/** Begins the workflow with the rows of a data table, chosen from the list, and shows them. */
async function startWithRows(table: string): Promise<void> {
	const { build } = trial;
	await build.startByHand();
	// n8n lists data tables for a saved workflow only.
	await trial.stored();
	await build.openPanelBehind(START);
	await build.search('data table');
	await build.addNode('Data table', 'Actions', GET_ROWS);
	await build.chooseFromList('dataTableId', table);
	await build.execute();
	await build.closeNode();
}

describe('a broadcast from a data table', () => {
	const step = story();
	const table = `Readers ${randomUUID()}`;

	beforeAll(async () => {
		trial = await Trial.begin(
			context,
			'Newsletter',
			READERS.map(({ phone }) => phone),
		);
		const { client } = trial.customers.host;
		const columns = ['phone', 'name'].map((name) => ({ name, type: 'string' as const }));
		await insertDataTableRows(client, await provideDataTable(client, table, columns), READERS);
	});
	afterAll(async () => await trial?.end());

	const eachReceived = async () =>
		await Promise.all(READERS.map(async ({ phone }) => await trial.received(phone, 1)));
	const EACH_ONCE = READERS.map(({ name }) => [{ type: 'TEXT', text: `Spring is here, ${name}` }]);

	step('the table is chosen from a list, and shows its rows', async () => {
		await startWithRows(table);
	});

	step('each row gets a text, with a key under which it is sent once', async () => {
		const { build } = trial;
		await trial.addBehind(GET_ROWS, SEND_TEXT);
		await build.map('{{ $json.phone }}', 'recipient');
		await build.type('text', 'Spring is here,');
		await build.map('{{ $json.name }}', 'text');
		await build.addOption('Send Once Key');
		await build.type('sendOnceKey', 'spring');
		await build.map('{{ $json.phone }}', 'sendOnceKey');
		await build.execute();
		expect(await eachReceived()).toEqual(EACH_ONCE);
		await build.closeNode();
	});

	step('run a second time, it sends nothing and says so', async () => {
		const { build } = trial;
		await build.executeWorkflow();
		await build.openNode(SEND_TEXT);
		await build.output.getByText(/^3 .*had been sent before/).waitFor();
		await build.showOutputAsSchema();
		expect(await build.outputValues()).toMatchObject({ alreadySent: 'true' });
		expect(await eachReceived()).toEqual(EACH_ONCE);
		await build.closeNode();
	});
});

describe('a spreadsheet that damaged its numbers', () => {
	const step = story();
	const table = `Guests ${randomUUID()}`;
	const CELLS = ['+55 11 90000-8835', '5511900008836.0', '5.5E+12', '(11) 90000-8837'];
	const GOOD = '5511900008835';

	beforeAll(async () => {
		trial = await Trial.begin(context, 'Guests', [GOOD]);
		const { client } = trial.customers.host;
		const columns = [{ name: 'phone', type: 'string' as const }];
		const rows = CELLS.map((phone) => ({ phone }));
		await insertDataTableRows(client, await provideDataTable(client, table, columns), rows);
	});
	afterAll(async () => await trial?.end());

	step('sends nothing, and says which cell and what to do', async () => {
		const { build } = trial;
		await startWithRows(table);
		await trial.addBehind(GET_ROWS, SEND_TEXT);
		await build.map('{{ $json.phone }}', 'recipient');
		await build.type('text', 'See you tonight.');
		await build.executeToError();
		await takePicture(build.page, 'trial-damaged-numbers');
		expect(await build.output.innerText()).toMatch(
			/5511900008836\.0: .*Format the column of the spreadsheet as text\./,
		);
		expect(await trial.received(GOOD, 0)).toEqual([]);
	});

	step('set to continue, it reaches whom it can, and tells each of the others why', async () => {
		const { build } = trial;
		await build.continueOnError();
		await build.execute();
		expect(await trial.received(GOOD, 1)).toEqual([{ type: 'TEXT', text: 'See you tonight.' }]);
		await build.output.getByText('3 of 4 were not sent: invalid_input.').waitFor();
		await takePicture(build.page, 'trial-damaged-numbers-continue');
		await build.closeNode();
	});
});

describe('a PDF', () => {
	const step = story();
	const PDF = 'https://shop.example/prices.pdf';
	const READER = '5511900008838';

	beforeAll(async () => {
		trial = await Trial.begin(context, 'Prices', [READER]);
	});
	afterAll(async () => await trial?.end());

	step('is no media, and the error says what to send instead', async () => {
		const { build } = trial;
		await build.startByHand();
		await trial.addBehind(START, SEND_PICTURE);
		await build.type('recipient', READER);
		await build.type('mediaUrl', PDF);
		await build.executeToError();
		await takePicture(build.page, 'trial-pdf');
		expect(await build.output.innerText()).toContain(
			'Documents cannot be sent: send a link with Send Text, or a template with a document.',
		);
	});

	step('is sent as a link, in the same node', async () => {
		const { build } = trial;
		await build.choose('operation', 'Send Text');
		await build.type('text', `Our prices: ${PDF}`);
		await build.execute();
		expect(await trial.received(READER, 1)).toEqual([{ type: 'TEXT', text: `Our prices: ${PDF}` }]);
		await build.closeNode();
	});
});

describe('a template', () => {
	const step = story();
	const table = `Trips ${randomUUID()}`;
	const trip = { phone: TRAVELLER, name: 'Ana', hour: '9:30', place: 'Platform 4' };

	beforeAll(async () => {
		trial = await Trial.begin(context, 'Travel');
		const { client, sandbox } = trial.customers.host;
		await sandbox.post('/_sandbox/message-templates', {
			name: 'trip_update',
			components: [
				{ type: 'HEADER', format: 'TEXT', text: 'Your trip' },
				{
					type: 'BODY',
					text: 'Hello {{1}}, your train leaves at {{2}}. Where: {{3}}.',
					example: { body_text: [['Bo', '10:00', 'Platform 1']] },
				},
			],
			status: 'APPROVED',
			tenant: trial.tenantId,
		});
		const columns = Object.keys(trip).map((name) => ({ name, type: 'string' as const }));
		await insertDataTableRows(client, await provideDataTable(client, table, columns), [trip]);
	});
	afterAll(async () => await trial?.end());

	step('the row of a trip is there to be dragged', async () => {
		await startWithRows(table);
	});

	/** Of the empty panel, until the template is sent. */
	let clicks: () => Promise<number>;

	step('is chosen from the list, and shows its variables', async () => {
		const { build } = trial;
		clicks = await build.countClicks();
		await trial.addBehind(GET_ROWS, SEND_TEMPLATE);
		await build.map('{{ $json.phone }}', 'recipient');
		await build.chooseFromList('template', 'trip_update');
		await build.page.getByText('1 · Hello …, your train leaves at (e.g. Bo)').waitFor();
	});

	step('reaches a customer who never wrote, as it would look', async () => {
		const { build } = trial;
		// From below, because the editor of an expression covers the field below it.
		await build.map('{{ $json.place }}', 'body.3');
		await build.map('{{ $json.hour }}', 'body.2');
		await build.map('{{ $json.name }}', 'body.1');
		await build.execute();
		expect(await clicks()).toBeGreaterThan(0);
		expect(await clicks()).toBeLessThanOrEqual(MOST_CLICKS);
		const text = 'Your trip\n\nHello Ana, your train leaves at 9:30. Where: Platform 4.';
		expect(await trial.received(TRAVELLER, 1)).toMatchObject([{ type: 'TEMPLATE', text }]);
		await build.showOutputAsSchema();
		expect(await build.outputValues()).toMatchObject({ text: expect.stringContaining('9:30') });
		await build.closeNode();
	});

	step("is on the customer's phone with its header", async () => {
		const { host, channelId } = trial.customers;
		const page = await context.newPage();
		try {
			await page.goto(`${host.underTest.sandboxUrl}/#chats`);
			await page.getByLabel('Channel').selectOption(channelId);
			await page.locator(`.conversations button[data-id="${TRAVELLER}"]`).click();
			const bubble = page.locator('.messages > li.theirs', { hasText: 'Hello Ana' });
			await bubble.waitFor();
			expect(await bubble.innerText()).toMatch(
				/Your trip\s+Hello Ana, your train leaves at 9:30\. Where: Platform 4\./,
			);
		} finally {
			await page.close();
		}
	});
});
