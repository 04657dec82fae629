/** A bot that answers customers, while a question to one of them is open. */
import type { Webhook } from '#nodes/service/contract/index.ts';
import { CHECK_ACCEPTS, lifeBy } from '#nodes/replies/waitingExecution.ts';
import { readWaiting } from '#nodes/replies/questionMark.ts';
import { until } from '#scripts/until.mts';
import { clearFaults, number } from './harness/conversations.mts';
import { Example } from './harness/examples.mts';
import type { Host } from './harness/host.mts';
import {
	ask,
	type Customers,
	listWebhooks,
	openCustomers,
	type Question,
	reply,
	tap,
	textsTo,
} from './harness/questions.mts';

const [ana, ben, erin] = [number(1), number(2), number(5)] as const;
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
	customers = await openCustomers('A bot', [ana, ben, erin]);
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

const inChat = { responseType: 'approval', askIn: 'chat' };

test('leaves the replies to a question with choices, and answers other customers and later messages', async () => {
	const question = await ask(customers, ana, days);
	const sent = (await question.sent()).length;
	// A wrong choice, which the question asks about again.
	await reply(customers, ana, 'Sunday');
	await until('to be asked again', async () => (await question.sent()).length > sent, LIMIT_MS);
	await reply(customers, ana, '2');
	expect((await question.outcome()).items).toMatchObject([
		{ data: { choice: 'Tuesday', choiceNumber: 2, outcome: 'answered' } },
	]);
	await reply(customers, ben, 'Are you open?');
	await answered(ben, 'Are you open?');
	// After the reply it is a message like any other.
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

/** What the question's own address says of it. */
async function addressOf(question: Question) {
	const waiting = (await listWebhooks(customers))
		.map((webhook) => readWaiting(webhook as Webhook))
		.find((one) => one?.mark.executionId === question.executionId);
	if (!waiting) throw new Error('the question has no webhook');
	return async () => {
		const headers = { accept: CHECK_ACCEPTS };
		const response = await fetch(waiting.webhook.url, { headers, redirect: 'manual' });
		const said = { statusCode: response.status, body: await response.text() };
		return lifeBy(said, waiting.mark);
	};
}

test('answers whom a question asked that was stopped or deleted, and asks them a new one', async () => {
	const question = await ask(customers, erin, inChat);
	const look = await addressOf(question);
	expect(await look()).toBe('alive');
	expect(await question.status()).toBe('waiting');
	await host.client.stopExecution(question.executionId);
	expect(await look()).toBe('gone');
	await tap(customers, erin, 'Approve');
	await until('the tap to be answered', async () => (await answersTo(erin)).length > 0, LIMIT_MS);
	const next = await askOnceFree(erin);
	const lookAtNext = await addressOf(next);
	await tap(customers, erin, 'Approve');
	expect((await next.outcome()).items).toMatchObject([{ data: { approved: true } }]);
	// It has finished.
	expect(await lookAtNext()).toBe('gone');
	const deleted = await ask(customers, erin, days);
	const lookAtDeleted = await addressOf(deleted);
	await host.client.stopExecution(deleted.executionId);
	await host.client.deleteExecutions([deleted.executionId]);
	expect(await lookAtDeleted()).toBe('gone');
	await reply(customers, erin, 'Hello?');
	await answered(erin, 'Hello?');
});

/** Asks again while the one before still counts: a busy n8n may not say in time that it is gone. */
async function askOnceFree(whom: string) {
	return await until(
		'the question before to be found out',
		async () =>
			await ask(customers, whom, inChat).catch((error: unknown) => {
				if (!/another question to this/.test(String(error))) throw error;
				return undefined;
			}),
		LIMIT_MS,
	);
}
