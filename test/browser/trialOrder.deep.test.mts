/**
 * A newcomer builds an order in the chat by mouse, from an empty canvas: a picture and buttons, a
 * tap, the address asked, confirmed and saved. The first customer of the published workflow gets
 * through. A template takes few clicks.
 */
import { randomUUID } from 'node:crypto';

import { type DataTable, dataTableRows } from '#scripts/n8n/dataTables.mts';
import { until } from '#scripts/until.mts';
import { TRIGGER } from './harness/builder.mts';
import {
	ASK,
	IS_TRUE,
	ofTrigger,
	SEND_BUTTONS,
	SEND_PICTURE,
	SEND_TEXT,
	START,
	Trial,
} from './harness/trial.mts';

const ANA = '5511900008801';
const BRUNO = '5511900008802';
/** What to send, not where n8n or the service is. */
const PICTURE = 'https://shop.example/menu.jpg';
const ADDRESS = 'Main Street 1';
const OF_ANSWER = `{{ $('${ASK}').item.json.data.text }}`;
/** n8n numbers nodes of one name. */
const [CONFIRM, IS_CONFIRMED] = [`${ASK}1`, 'If1'] as const;

const trial = new Trial('Pizzeria');
const { step } = trial;
const table = `Orders ${randomUUID()}`;
let saved: DataTable;
beforeAll(async () => {
	saved = await trial.createTable(table, ['phone', 'address']);
});

const savedRows = async () =>
	(await dataTableRows(trial.host.client, saved)).map(({ phone, address }) => ({ phone, address }));

step('a customer writes, and the trigger shows the message', async () => {
	await trial.startWithTrigger();
	await trial.listen(async () => await trial.writes(ANA, 'Hello!'));
	await trial.build.closeNode();
});

step('the menu is sent as a picture', async () => {
	await trial.addBehind(TRIGGER, SEND_PICTURE);
	await trial.set({ recipient: '{{ $json.sender.identifier }}', mediaUrl: PICTURE });
	await trial.sends(ANA, { type: 'IMAGE', url: PICTURE });
	await trial.build.closeNode();
});

step('and then two buttons', async () => {
	const { build } = trial;
	await trial.addBehind(SEND_PICTURE, SEND_BUTTONS);
	await build.unfold(TRIGGER);
	await trial.set({
		...{ recipient: ofTrigger('sender.identifier'), text: 'What can we do for you?' },
	});
	const buttons = [
		{ id: 'order', title: 'Order' },
		{ id: 'talk', title: 'Talk to us' },
	];
	for (const [at, { id, title }] of buttons.entries()) {
		await build.press('Add Button');
		await build.type('title', title, at);
		await build.type('id', id, at);
	}
	const message = { type: 'INTERACTIVE_BUTTON', text: 'What can we do for you?', buttons };
	await trial.sends(ANA, message, 2);
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
		await trial.set({
			...{ recipient: '{{ $json.sender.identifier }}', message: 'Where shall we bring it?' },
		});
		await build.executeQuestion(async () => await trial.writes(ANA, ADDRESS));
		await trial.shows({ 'data.text': ADDRESS });
		await build.closeNode();
	},
);

step('the address is confirmed by a tap', async () => {
	const { build } = trial;
	await trial.addBehind(ASK, ASK);
	await build.choose('askIn', 'In the Chat');
	await trial.set({ message: 'Is this right:' });
	await trial.set({
		...{ message: '{{ $json.data.text }}', recipient: '{{ $json.sender.identifier }}' },
	});
	await build.addEntry('approvalOptions', 'Add Option');
	await build.choose('approvalType', 'Approve and Decline');
	await trial.set({ approveLabel: 'Yes', disapproveLabel: 'No' });
	await build.executeQuestion(async () => await trial.taps(ANA, 'Yes'));
	await build.closeNode();
});

step('an If tells it by data.approved', async () => {
	await trial.addIf(CONFIRM, '{{ $json.data.approved }}', IS_TRUE, 'True');
});

step('and the customer is told where the order goes', async () => {
	await trial.addBehind(IS_CONFIRMED, SEND_TEXT);
	await trial.set({
		...{ recipient: '{{ $json.sender.identifier }}', text: 'It is on its way to' },
	});
	await trial.build.unfold(ASK);
	await trial.set({ text: OF_ANSWER });
	await trial.sends(ANA, { type: 'TEXT', text: `It is on its way to ${ADDRESS}` }, 5);
	await trial.build.closeNode();
});

step('and the address is saved in a table', async () => {
	const { build } = trial;
	await build.openPanelBehind(SEND_TEXT);
	await build.search('data table');
	await build.addNode('Data table', 'Actions', 'Insert row');
	await build.chooseFromList('dataTableId', table);
	// From below, because the editor of an expression covers the field below it.
	await build.unfold(ASK);
	await trial.set({ address: OF_ANSWER });
	await build.unfold(TRIGGER);
	await trial.set({ phone: ofTrigger('sender.identifier') });
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
		60_000,
	);
});

describe('a template with an image, a variable and a button', () => {
	const templates = new Trial('Templates');
	/** From an empty panel to a response of the service. */
	const MOST_CLICKS = 15;

	templates.step(`takes at most ${MOST_CLICKS} clicks to be submitted`, async () => {
		const { build } = templates;
		await build.startByHand();
		const clicks = await build.countClicks();
		await templates.addWithCredential(START, 'Create template');
		const businesses = await build.openList('businessId');
		await businesses.first().click();
		await businesses.first().waitFor({ state: 'hidden' });
		await build.type('name', 'order_ready');
		await build.choose('headerType', 'Image');
		await build.choose('headerSource', 'URL');
		await build.type('headerUrl', PICTURE);
		// n8n makes an expression of it, in which {{1}} is the number 1.
		await build.type('body', 'Hello {{1}}, your order is ready.');
		await build.addEntry('variableExamples', 'Add Example');
		await build.type('name', '1', 1);
		await build.type('example', 'Ana');
		await build.addEntry('templateButtons', 'Add Button');
		await build.type('text', 'Talk to us');
		await build.execute();
		expect(await clicks()).toBeGreaterThan(0);
		expect(await clicks()).toBeLessThanOrEqual(MOST_CLICKS);
		await templates.shows({ name: 'order_ready', status: 'PENDING', category: 'UTILITY' });
	});
});
