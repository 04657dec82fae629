/**
 * A newcomer builds mailings by mouse, from an empty canvas: to the rows of a data table, run
 * twice, and an approved template.
 */
import { openChat } from './harness/sandboxPage.mts';
import {
	GET_ROWS,
	SEND_PICTURE,
	SEND_TEMPLATE,
	SEND_TEXT,
	START,
	Trial,
} from './harness/trial.mts';

describe('a broadcast from a data table', () => {
	const READERS = [
		{ phone: '5511900008831', name: 'Ana' },
		{ phone: '5511900008832', name: 'Bruno' },
		{ phone: '5511900008833', name: 'Carla' },
	];
	const trial = new Trial(
		'Newsletter',
		READERS.map(({ phone }) => phone),
	);
	const { step } = trial;
	const eachReceived = async () =>
		await Promise.all(READERS.map(async ({ phone }) => await trial.received(phone, 1)));
	const EACH_ONCE = READERS.map(({ name }) => [{ type: 'TEXT', text: `Spring is here, ${name}` }]);

	step('the table is chosen from a list, and shows its rows', async () => {
		await trial.startWithRows(READERS);
	});

	step('each row gets a text, with a key under which it is sent once', async () => {
		const { build } = trial;
		await trial.addBehind(GET_ROWS, SEND_TEXT);
		await trial.set({ recipient: '{{ $json.phone }}', text: 'Spring is here,' });
		await trial.set({ text: '{{ $json.name }}' });
		await build.addOption('Send Once Key');
		await trial.set({ sendOnceKey: 'spring' });
		await trial.set({ sendOnceKey: '{{ $json.phone }}' });
		await build.execute();
		expect(await eachReceived()).toEqual(EACH_ONCE);
		await build.closeNode();
	});

	step('run a second time, it sends nothing and says so', async () => {
		const { build } = trial;
		await build.executeWorkflow();
		await build.openNode(SEND_TEXT);
		await build.output.getByText(/^3 .*had been sent before/).waitFor();
		await trial.shows({ alreadySent: 'true' });
		expect(await eachReceived()).toEqual(EACH_ONCE);
		await build.closeNode();
	});
});

describe('a spreadsheet that damaged its numbers', () => {
	const CELLS = ['+55 11 90000-8835', '5511900008836.0', '5.5E+12', '(11) 90000-8837'];
	const GOOD = '5511900008835';
	const trial = new Trial('Guests', [GOOD]);
	const { step } = trial;

	step('sends nothing, and says which cell and what to do', async () => {
		const { build } = trial;
		await trial.startWithRows(CELLS.map((phone) => ({ phone })));
		await trial.addBehind(GET_ROWS, SEND_TEXT);
		await trial.set({ recipient: '{{ $json.phone }}', text: 'See you tonight.' });
		await build.executeToError();
		await build.output
			.getByText(/5511900008836\.0: .*Format the column of the spreadsheet as text\./)
			.first()
			.waitFor();
		expect(await trial.received(GOOD, 0)).toEqual([]);
	});

	step('set to continue, it reaches whom it can, and tells each of the others why', async () => {
		const { build } = trial;
		await build.continueOnError();
		await build.execute();
		expect(await trial.received(GOOD, 1)).toEqual([{ type: 'TEXT', text: 'See you tonight.' }]);
		await build.output.getByText('3 of 4 were not sent: invalid_input.').waitFor();
		await build.closeNode();
	});
});

describe('a PDF', () => {
	const PDF = 'https://shop.example/prices.pdf';
	const READER = '5511900008838';
	const trial = new Trial('Prices', [READER]);
	const { step } = trial;

	step('is no media, and the error says what to send instead', async () => {
		const { build } = trial;
		await build.startByHand();
		await trial.addBehind(START, SEND_PICTURE);
		await trial.set({ recipient: READER, mediaUrl: PDF });
		await build.executeToError();
		const words =
			'Documents cannot be sent: send a link with Send Text, or a template with a document.';
		await build.output.getByText(words).first().waitFor();
	});

	step('is sent as a link, in the same node', async () => {
		const { build } = trial;
		await build.choose('operation', 'Send Text');
		await trial.set({ text: `Our prices: ${PDF}` });
		await trial.sends(READER, { type: 'TEXT', text: `Our prices: ${PDF}` });
		await build.closeNode();
	});
});

describe('a template', () => {
	/** From an empty panel to a template that was sent. */
	const MOST_CLICKS = 9;
	const TRAVELLER = '5511900008839';
	const trial = new Trial('Travel');
	const { step } = trial;
	/** Of the empty panel, until the template is sent. */
	let clicks: () => Promise<number>;

	step('the row of a trip is there to be dragged', async () => {
		await trial.host.sandbox.post('/_sandbox/message-templates', {
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
			tenant: trial.customers.tenantId,
		});
		await trial.startWithRows([
			{ phone: TRAVELLER, name: 'Ana', hour: '9:30', place: 'Platform 4' },
		]);
	});

	step('is chosen from the list, and shows its variables', async () => {
		const { build } = trial;
		clicks = await build.countClicks();
		await trial.addBehind(GET_ROWS, SEND_TEMPLATE);
		await trial.set({ recipient: '{{ $json.phone }}' });
		await build.chooseFromList('template', 'trip_update');
		await build.page.getByText('1 · e.g. Bo · Hello …, your train').waitFor();
	});

	step('reaches a customer who never wrote, as it would look', async () => {
		const text = 'Your trip\n\nHello Ana, your train leaves at 9:30. Where: Platform 4.';
		// From below, because the editor of an expression covers the field below it.
		await trial.set({
			...{ 'body.3': '{{ $json.place }}', 'body.2': '{{ $json.hour }}' },
			'body.1': '{{ $json.name }}',
		});
		await trial.sends(TRAVELLER, { type: 'TEMPLATE', text });
		expect(await clicks()).toBeGreaterThan(0);
		expect(await clicks()).toBeLessThanOrEqual(MOST_CLICKS);
		await trial.shows({ text: expect.stringContaining('9:30') });
		await trial.build.closeNode();
	});

	step("is on the customer's phone with its header", async () => {
		const page = await trial.window.page.context().newPage();
		try {
			await openChat(page, trial.customers, TRAVELLER);
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
