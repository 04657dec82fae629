/**
 * A newcomer builds an order in the chat by mouse, from an empty canvas: a picture and buttons, a
 * tap, the address asked, confirmed and saved. The first customer of the published workflow gets
 * through.
 */
import { randomUUID } from 'node:crypto';

import type { Browser } from 'playwright-core';

import { type DataTable, dataTableRows, provideDataTable } from '../../scripts/n8n/dataTables.mts';
import { until } from '../../scripts/until.mts';
import { TRIGGER } from './harness/builder.mts';
import { story } from './harness/story.mts';
import {
	ASK,
	ofTrigger,
	SEND_BUTTONS,
	SEND_PICTURE,
	SEND_TEXT,
	signedIn,
	Trial,
} from './harness/trial.mts';

const ANA = '5511900008801';
const BRUNO = '5511900008802';
/** What to send, not where n8n or the service is. */
const PICTURE = 'https://shop.example/menu.jpg';
const ADDRESS = 'Main Street 1';

/** n8n numbers nodes of one name. */
const [CONFIRM, IS_CONFIRMED] = [`${ASK}1`, 'If1'] as const;

const LIMIT_MS = 60_000;

let browser: Browser;
let trial: Trial;
let saved: DataTable;
const table = `Orders ${randomUUID()}`;

beforeAll(async () => {
	const { browser: opened, context } = await signedIn();
	browser = opened;
	trial = await Trial.begin(context, 'Pizzeria');
	const columns = ['phone', 'address'].map((name) => ({ name, type: 'string' as const }));
	saved = await provideDataTable(trial.customers.host.client, table, columns);
});
afterAll(async () => {
	await trial?.end();
	await browser?.close();
});

const savedRows = async () =>
	(await dataTableRows(trial.customers.host.client, saved)).map(({ phone, address }) => ({
		phone,
		address,
	}));

const step = story();

step('a customer writes, and the trigger shows the message', async () => {
	await trial.startWithTrigger();
	await trial.listen(async () => await trial.writes(ANA, 'Hello!'));
	await trial.build.closeNode();
});

step('the menu is sent as a picture', async () => {
	const { build } = trial;
	await trial.addBehind(TRIGGER, SEND_PICTURE);
	await build.map('{{ $json.sender.identifier }}', 'recipient');
	await build.type('mediaUrl', PICTURE);
	await build.execute();
	expect(await trial.received(ANA, 1)).toEqual([{ type: 'IMAGE', url: PICTURE }]);
	await build.closeNode();
});

step('and then two buttons', async () => {
	const { build } = trial;
	await trial.addBehind(SEND_PICTURE, SEND_BUTTONS);
	await build.unfold(TRIGGER);
	await build.map(ofTrigger('sender.identifier'), 'recipient');
	await build.type('text', 'What can we do for you?');
	await build.press('Add Button');
	await build.type('title', 'Order');
	await build.type('id', 'order');
	await build.press('Add Button');
	await build.type('title', 'Talk to us', 1);
	await build.type('id', 'talk', 1);
	await build.execute();
	expect((await trial.received(ANA, 2)).at(-1)).toMatchObject({
		type: 'INTERACTIVE_BUTTON',
		text: 'What can we do for you?',
		buttons: [
			{ id: 'order', title: 'Order' },
			{ id: 'talk', title: 'Talk to us' },
		],
	});
	await build.closeNode();
});

step('a tap starts the trigger, too, and an If tells it by its reply.id', async () => {
	const { build } = trial;
	await build.openNode(TRIGGER);
	await trial.listen(async () => await trial.taps(ANA, 'Order'));
	await build.closeNode();
	await build.openPanelOnConnection(TRIGGER);
	await build.addPlainNode('If');
	await trial.decide('{{ $json.reply.id }}', ['String', 'does not exist', 'notExists'], 'False');
});

step(
	'the tap is answered with a question for the address, which the customer answers',
	async () => {
		const { build } = trial;
		await trial.addBehind('If', ASK, 1);
		await build.choose('askIn', 'In the Chat');
		await build.choose('responseType', 'Reply in Chat');
		await build.map('{{ $json.sender.identifier }}', 'recipient');
		await build.type('message', 'Where shall we bring it?');
		await build.executeQuestion(async () => await trial.writes(ANA, ADDRESS));
		await build.showOutputAsSchema();
		expect(await build.outputValues()).toMatchObject({ 'data.text': ADDRESS });
		await build.closeNode();
	},
);

step('the address is confirmed by a tap', async () => {
	const { build } = trial;
	await trial.addBehind(ASK, ASK);
	await build.choose('askIn', 'In the Chat');
	await build.type('message', 'Is this right:');
	await build.map('{{ $json.data.text }}', 'message');
	await build.map('{{ $json.sender.identifier }}', 'recipient');
	await build.addEntry('approvalOptions', 'Add Option');
	await build.choose('approvalType', 'Approve and Decline');
	await build.type('approveLabel', 'Yes');
	await build.type('disapproveLabel', 'No');
	await build.executeQuestion(async () => await trial.taps(ANA, 'Yes'));
	await build.closeNode();
});

step('an If tells it by data.approved', async () => {
	const { build } = trial;
	await build.openPanelBehind(CONFIRM);
	await build.addPlainNode('If');
	await trial.decide('{{ $json.data.approved }}', ['Boolean', 'is true', 'true'], 'True');
});

step('and the customer is told where the order goes', async () => {
	const { build } = trial;
	await trial.addBehind(IS_CONFIRMED, SEND_TEXT);
	await build.map('{{ $json.sender.identifier }}', 'recipient');
	await build.type('text', 'It is on its way to');
	await build.unfold(ASK);
	await build.map(`{{ $('${ASK}').item.json.data.text }}`, 'text');
	await build.execute();
	expect((await trial.received(ANA, 5)).at(-1)).toEqual({
		type: 'TEXT',
		text: `It is on its way to ${ADDRESS}`,
	});
	await build.closeNode();
});

step('and the address is saved in a table', async () => {
	const { build } = trial;
	await build.openPanelBehind(SEND_TEXT);
	await build.search('data table');
	await build.addNode('Data table', 'Actions', 'Insert row');
	await build.chooseFromList('dataTableId', table);
	// From below, because the editor of an expression covers the field below it.
	await build.unfold(ASK);
	await build.map(`{{ $('${ASK}').item.json.data.text }}`, 'address');
	await build.unfold(TRIGGER);
	await build.map(ofTrigger('sender.identifier'), 'phone');
	await build.execute();
	expect(await savedRows()).toEqual([{ phone: ANA, address: ADDRESS }]);
	await build.closeNode();
});

step('once published, it serves another customer at first try', async () => {
	await trial.publish();
	await trial.writes(BRUNO, 'Good evening');
	await trial.taps(BRUNO, 'Order');
	await trial.answers(BRUNO, 'Second Street 2');
	await trial.taps(BRUNO, 'Yes');
	expect(await trial.received(BRUNO, 5)).toMatchObject([
		{ type: 'IMAGE', url: PICTURE },
		{ type: 'INTERACTIVE_BUTTON', text: 'What can we do for you?' },
		{ type: 'TEXT', text: 'Where shall we bring it?' },
		{ type: 'INTERACTIVE_BUTTON', text: 'Is this right: Second Street 2' },
		{ type: 'TEXT', text: 'It is on its way to Second Street 2' },
	]);
	const ofBruno = { phone: BRUNO, address: 'Second Street 2' };
	await until(
		'the address to be saved',
		async () => (await savedRows()).some((row) => JSON.stringify(row) === JSON.stringify(ofBruno)),
		LIMIT_MS,
	);
});
