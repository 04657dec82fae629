/**
 * A newcomer builds refunds by mouse, from an empty canvas: two colleagues are asked side by side
 * in the chat, the first reply decides, and the customer is told.
 */
import type { Browser } from 'playwright-core';

import { TRIGGER } from './harness/builder.mts';
import { story } from './harness/story.mts';
import { ASK, ofTrigger, SEND_TEXT, signedIn, Trial } from './harness/trial.mts';

const ANA = '5511900008841';
const BRUNO = '5511900008842';
const CARLA = '5511900008843';
const DORA = '5511900008844';
const EMIL = '5511900008845';

const REFUNDED = 'Your refund is on its way.';
const DECLINED = 'Sorry, we cannot refund this.';

let browser: Browser;
let trial: Trial;

beforeAll(async () => {
	const { browser: opened, context } = await signedIn();
	browser = opened;
	trial = await Trial.begin(context, 'Refunds', [DORA, EMIL]);
});
afterAll(async () => {
	await trial?.end();
	await browser?.close();
});

const step = story();

/** Adds a text to the customer behind a branch of the If. */
async function tell(output: number, text: string): Promise<void> {
	const { build } = trial;
	await trial.addBehind('If', SEND_TEXT, output);
	await build.type('text', text);
	await build.unfold(TRIGGER);
	await build.map(ofTrigger('sender.identifier'), 'recipient');
}

step('a customer asks for a refund, and the trigger shows the message', async () => {
	await trial.startWithTrigger();
	await trial.listen(async () => await trial.writes(ANA, 'My lamp came broken'));
	await trial.build.closeNode();
});

step('two colleagues are asked, whose numbers are typed as people write them', async () => {
	const { build } = trial;
	await trial.addBehind(TRIGGER, ASK);
	await build.choose('askIn', 'In the Chat');
	await build.type('recipient', '+55 (11) 90000-8844');
	await build.press('Add Person');
	await build.type('approvers', '+55 11 90000-8845');
	await build.type('message', 'A refund?');
	await build.map('{{ $json.text }}', 'message');
	await build.executeQuestion(async () => {
		const buttons = [{ title: 'Approve' }, { title: 'Decline' }];
		const text = 'A refund? My lamp came broken';
		const question = { type: 'INTERACTIVE_BUTTON', text, buttons };
		for (const colleague of [DORA, EMIL])
			expect(await trial.received(colleague, 1)).toMatchObject([question]);
		await trial.taps(EMIL, 'Approve');
	});
});

step('the first reply decides: the output says whose, and the other one is told', async () => {
	const { build } = trial;
	await build.showOutputAsSchema();
	expect(await build.outputValues()).toMatchObject({
		'data.approved': 'true',
		'data.responder.identifier': EMIL,
	});
	expect((await trial.received(DORA, 2)).at(-1)).toEqual({
		type: 'TEXT',
		text: 'Customer answered: Approve',
	});
	await build.closeNode();
});

step('an If tells what was decided', async () => {
	const { build } = trial;
	await build.openPanelBehind(ASK);
	await build.addPlainNode('If');
	await trial.decide('{{ $json.data.approved }}', ['Boolean', 'is true', 'true'], 'True');
});

step('the customer reads that the refund comes, or that it does not', async () => {
	const { build } = trial;
	await tell(0, REFUNDED);
	await build.execute();
	expect(await trial.received(ANA, 1)).toEqual([{ type: 'TEXT', text: REFUNDED }]);
	await build.closeNode();
	await tell(1, DECLINED);
	await build.closeNode();
});

step('once published, it refunds one customer and declines another, at first try', async () => {
	await trial.publish();
	await trial.writes(BRUNO, 'Mine is broken, too');
	await trial.received(DORA, 3);
	await trial.taps(DORA, 'Approve');
	expect(await trial.received(BRUNO, 1)).toEqual([{ type: 'TEXT', text: REFUNDED }]);
	await trial.received(EMIL, 3);
	await trial.writes(CARLA, 'I do not like the lamp');
	await trial.received(EMIL, 4);
	await trial.taps(EMIL, 'Decline');
	expect(await trial.received(CARLA, 1)).toEqual([{ type: 'TEXT', text: DECLINED }]);
	expect(await trial.received(DORA, 5)).toMatchObject([
		{ text: 'A refund? My lamp came broken' },
		{ text: 'Customer answered: Approve' },
		{ text: 'A refund? Mine is broken, too' },
		{ text: 'A refund? I do not like the lamp' },
		{ text: 'Customer answered: Decline' },
	]);
});
