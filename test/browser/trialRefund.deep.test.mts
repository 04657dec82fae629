/**
 * A newcomer builds refunds by mouse, from an empty canvas: two colleagues are asked side by side
 * in the chat, the first reply decides, and the customer is told.
 */
import { TRIGGER } from './harness/builder.mts';
import { ASK, IS_TRUE, ofTrigger, SEND_TEXT, Trial } from './harness/trial.mts';

const [ANA, BRUNO, CARLA, DORA, EMIL] = [
	...(['5511900008841', '5511900008842', '5511900008843'] as const),
	...(['5511900008844', '5511900008845'] as const),
] as const;
const REFUNDED = 'Your refund is on its way.';
const DECLINED = 'Sorry, we cannot refund this.';

const trial = new Trial('Refunds', [DORA, EMIL]);
const { step } = trial;

/** Adds a text to the customer behind a branch of the If. */
async function tell(output: number, text: string): Promise<void> {
	await trial.addBehind('If', SEND_TEXT, output);
	await trial.set({ text });
	await trial.build.unfold(TRIGGER);
	await trial.set({ recipient: ofTrigger('sender.identifier') });
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
	await trial.set({ recipient: '+55 (11) 90000-8844' });
	await build.press('Add Person');
	await trial.set({ approvers: '+55 11 90000-8845', message: 'A refund?' });
	await trial.set({ message: '{{ $json.text }}' });
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
	await trial.shows({ 'data.approved': 'true', 'data.responder.identifier': EMIL });
	const told = { type: 'TEXT', text: 'Customer answered: Approve' };
	expect((await trial.received(DORA, 2)).at(-1)).toEqual(told);
	await trial.build.closeNode();
});

step('an If tells what was decided', async () => {
	await trial.addIf(ASK, '{{ $json.data.approved }}', IS_TRUE, 'True');
});

step('the customer reads that the refund comes, or that it does not', async () => {
	await tell(0, REFUNDED);
	await trial.sends(ANA, { type: 'TEXT', text: REFUNDED });
	await trial.build.closeNode();
	await tell(1, DECLINED);
	await trial.build.closeNode();
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
