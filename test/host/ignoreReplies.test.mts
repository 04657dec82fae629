/** A bot that answers customers, while a question to one of them is open. */
import { until } from '../../scripts/until.mts';
import { clearFaults, number } from './harness/conversations.mts';
import { Example } from './harness/examples.mts';
import type { Host } from './harness/host.mts';
import {
	ask,
	type Customers,
	listWebhooks,
	openCustomers,
	reply,
	tap,
	textsTo,
} from './harness/questions.mts';

const [ana, ben, cleo, dora] = [number(1), number(2), number(3), number(4)] as const;
const LIMIT_MS = 30_000;
const days = {
	askIn: 'chat',
	responseType: 'replyInChat',
	choices: { values: [{ choice: 'Monday' }, { choice: 'Tuesday' }] },
};

let customers: Customers;
let host: Host;
let bot: Example;

beforeAll(async () => {
	customers = await openCustomers('A bot', [ana, ben, cleo, dora]);
	({ host } = customers);
	bot = await Example.import(host, 'auto-reply', customers.channelId);
	await bot.publish();
	await until(
		'the bot to listen',
		async () => (await listWebhooks(customers)).length > 0,
		LIMIT_MS,
	);
});

afterEach(async () => await clearFaults(host));

afterAll(async () => await host?.cleanUp());

/** The bot's answers to a customer. Each quotes the text that it answers. */
const answersTo = async (customer: string): Promise<string[]> =>
	(await textsTo(customers, customer)).filter((text) =>
		text.includes('Thank you for your message'),
	);

const answered = async (customer: string, text: string): Promise<void> => {
	await until(
		`the bot to answer "${text}"`,
		async () => (await answersTo(customer)).some((answer) => answer.includes(`"${text}"`)),
		LIMIT_MS,
	);
};

test('leaves the reply to a question with choices, and answers other customers and later messages', async () => {
	const question = await ask(customers, ana, days);
	await reply(customers, ana, '2');
	expect((await question.outcome()).items).toMatchObject([
		{ data: { choice: 'Tuesday', choiceNumber: 2, outcome: 'answered' } },
	]);
	await reply(customers, ben, 'Are you open?');
	await answered(ben, 'Are you open?');
	// A few seconds after the reply it is a message like any other.
	await until(
		'the bot to answer again',
		async () => {
			await reply(customers, ana, 'Thanks!');
			return (await answersTo(ana)).length > 0;
		},
		LIMIT_MS,
		500,
	);
	for (const answer of await answersTo(ana)) expect(answer).toContain('"Thanks!"');
});

test('does not answer a wrong choice that the question asks about again', async () => {
	const question = await ask(customers, ben, days);
	const before = (await answersTo(ben)).length;
	const sent = (await question.sent()).length;
	await reply(customers, ben, 'Sunday');
	await until('to be asked again', async () => (await question.sent()).length > sent, LIMIT_MS);
	await reply(customers, ben, 'Monday');
	expect((await question.outcome()).items).toMatchObject([{ data: { choice: 'Monday' } }]);
	await reply(customers, ana, 'Anybody there?');
	await answered(ana, 'Anybody there?');
	expect(await answersTo(ben)).toHaveLength(before);
});

const inChat = {
	responseType: 'approval',
	askIn: 'chat',
};

test('does not answer an approver who writes something else', async () => {
	const question = await ask(customers, cleo, inChat);
	await reply(customers, cleo, 'What is it about?');
	await reply(customers, ana, 'A second question');
	await answered(ana, 'A second question');
	expect(await answersTo(cleo)).toEqual([]);
	await tap(customers, cleo, 'Approve');
	expect((await question.outcome()).items).toMatchObject([{ data: { approved: true } }]);
});

test('answers while the list of webhooks is unavailable', async () => {
	const question = await ask(customers, dora, inChat);
	await host.sandbox.post('/_sandbox/faults', {
		on: 'route',
		operation: 'listChannelWebhooks',
		kind: 'status',
		status: 500,
	});
	await reply(customers, dora, 'What is it about?');
	await answered(dora, 'What is it about?');
	await clearFaults(host);
	await tap(customers, dora, 'Approve');
	expect((await question.outcome()).items).toMatchObject([{ data: { approved: true } }]);
});
