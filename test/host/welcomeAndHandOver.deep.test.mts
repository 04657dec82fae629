import { number } from './harness/conversations.mts';
import { Example, itemsOf, ownAccount } from './harness/examples.mts';
import type { Host } from './harness/host.mts';
import { newestButtons, tap, textsTo } from './harness/questions.mts';

const WELCOME =
	'Hello Ana, welcome! We usually answer within the hour. To talk to one of us right away, tap the button, or write PERSON.';
const SOMEBODY_COMES = 'Thank you. A colleague reads this now and answers you here.';

let host: Host;
let channelId: string;
let secretKey: string;
let example: Example;
let runs = 0;

beforeAll(async () => {
	const account = await ownAccount(['Welcome']);
	({ host, secretKey } = account);
	[channelId = ''] = account.channels;
	example = await Example.import(host, 'welcome-and-hand-over', channelId);
	await example.publish();
});
afterAll(async () => await host?.cleanUp());

const writes = async (from: string, text: string) =>
	await host.sandbox.customerWrites({ channelId, from, name: 'Ana', text });

/** Waits for the workflow's next runs. @returns a node's output in them */
async function nextRuns(count: number, node: string) {
	const executions = await example.executions((runs += count));
	return executions.slice(-count).flatMap((execution) => itemsOf(execution, node));
}

test('welcomes a customer once, hands over on request, then leaves the customer to the person', async () => {
	const ana = number(1);
	await Promise.all([writes(ana, 'Hello'), writes(ana, 'Are you open on Saturday?')]);
	expect(await nextRuns(2, 'Send the Welcome')).toEqual([
		expect.objectContaining({ channelId, recipient: ana }),
	]);
	expect(await textsTo({ host, channelId }, ana)).toEqual([WELCOME]);

	await writes(ana, 'And on Sunday?');
	expect(await nextRuns(1, 'Your Own Answers')).toHaveLength(1);
	expect(await textsTo({ host, channelId }, ana)).toEqual([WELCOME]);

	await writes(ana, 'Can I talk to a Person?');
	const customer = { customer: ana, name: 'Ana', channelId };
	expect(await nextRuns(1, 'Tell the Person')).toEqual([
		{ ...customer, text: 'Can I talk to a Person?', occasion: 'The customer asks for a person' },
	]);
	expect(await textsTo({ host, channelId }, ana)).toEqual([WELCOME, SOMEBODY_COMES]);

	await writes(ana, 'I want to talk to a person!');
	expect(await nextRuns(1, 'Tell the Person')).toEqual([
		{ ...customer, text: 'I want to talk to a person!', occasion: 'The customer wrote again' },
	]);
	expect(await textsTo({ host, channelId }, ana)).toEqual([WELCOME, SOMEBODY_COMES]);
	expect(
		(await example.rows())
			.filter(({ customer: whose }) => whose === ana)
			.map(({ talksTo }) => talksTo),
	).not.toContain('workflow');
});

test('does not welcome a customer who asks for a person at once', async () => {
	const bea = number(2);
	await writes(bea, 'A human, please');
	expect(await nextRuns(1, 'Tell the Person')).toEqual([
		expect.objectContaining({ customer: bea, occasion: 'The customer asks for a person' }),
	]);
	expect(await textsTo({ host, channelId }, bea)).toEqual([SOMEBODY_COMES]);
});

test("takes a tap on the welcome's button as asking for a person", async () => {
	const dan = number(4);
	await writes(dan, 'Hello');
	await nextRuns(1, 'Send the Welcome');
	const { text, buttons } = await newestButtons({ host, channelId }, dan);
	expect({ text, buttons }).toEqual({
		text: WELCOME,
		buttons: [expect.objectContaining({ id: 'person', title: 'Talk to a person' })],
	});
	await tap({ host, channelId }, dan, 'Talk to a person');
	expect(await nextRuns(1, 'Tell the Person')).toEqual([
		expect.objectContaining({ customer: dan, occasion: 'The customer asks for a person' }),
	]);
	expect(await textsTo({ host, channelId }, dan)).toEqual([WELCOME, SOMEBODY_COMES]);
});

test('knows the button by its ID, whatever its text', async () => {
	const eva = number(5);
	await writes(eva, 'Guten Tag');
	await nextRuns(1, 'Send the Welcome');
	const title = 'Mit einem Menschen';
	await host.callService(`/v1/channels/${channelId}/messages`, secretKey, {
		method: 'POST',
		body: {
			recipient: { identifier: eva },
			content: {
				type: 'INTERACTIVE_BUTTON',
				body: { message: 'Willkommen!' },
				attachments: [{ id: 'person', title }],
			},
		},
	});
	await tap({ host, channelId }, eva, title);
	expect(await nextRuns(1, 'Tell the Person')).toEqual([
		expect.objectContaining({ customer: eva, text: title }),
	]);
});
