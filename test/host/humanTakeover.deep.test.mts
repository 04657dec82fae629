/** What the rehearsal of Human Takeover cannot show: time that passes, and a bot that thinks. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

import type { FinishedExecution } from '../../scripts/n8n/types.mts';
import { until } from '../../scripts/until.mts';
import { number } from './harness/conversations.mts';
import { Example, itemsOf } from './harness/examples.mts';
import { accountWithClock } from './harness/movedClock.mts';
import { textsTo } from './harness/questions.mts';
import { nodesChanged } from './harness/stages.mts';

const TRIGGER = 'When Somebody Writes';
const EVENTS = ['MESSAGE_RECEIVED', 'MESSAGE_DELIVERY', 'MESSAGE_STATUS'];
const DAY_MS = 24 * 60 * 60_000;
const LIMIT_MS = 30_000;

let account: Awaited<ReturnType<typeof accountWithClock>>;
let channelId: string;
let example: Example;
/** Lets the bot answer. */
const thinking: Array<() => void> = [];
let isSlow = false;
const bot = createServer((_, response) => {
	const answer = () =>
		response
			.setHeader('content-type', 'application/json')
			.end(JSON.stringify({ text: 'The answer' }));
	if (isSlow) thinking.push(answer);
	else answer();
});

beforeAll(async () => {
	await new Promise<void>((resolve) => bot.listen(0, '127.0.0.1', resolve));
	const { port } = bot.address() as AddressInfo;
	account = await accountWithClock(['Takeover']);
	[channelId = ''] = account.channels;
	const inPlaceOfTheBot = {
		...{ type: 'n8n-nodes-base.httpRequest', typeVersion: 4.2 },
		parameters: { url: `http://127.0.0.1:${port}/`, options: {} },
	};
	const change = nodesChanged((node) => {
		if (node.name === 'Write the Answer') return { ...node, ...inPlaceOfTheBot };
		if (node.name !== TRIGGER) return node;
		return { ...node, parameters: { ...node.parameters, channelEvents: EVENTS } };
	});
	example = await Example.import(account.host, 'human-takeover', channelId, {}, change);
	await account.publishEarlier(example);
});
afterAll(async () => {
	await account?.remove();
	bot.closeAllConnections();
	bot.close();
});

const customerWrites = async (from: string, text: string) =>
	await account.host.sandbox.customerWrites({ channelId, from, name: 'Ana', text });

/** On the business's phone. Waits until the workflow knows it. @returns the message's id */
async function colleagueWrites(to: string, text: string): Promise<string> {
	const message = { channelId, to, text };
	const { messageId } = await account.host.sandbox.post<{ messageId: string }>(
		'/_sandbox/from-phone',
		message,
	);
	await until(
		`'${text}' to be kept`,
		async () => (await example.rows()).some((row) => row.messageId === messageId),
		LIMIT_MS,
	);
	return messageId;
}

/** The first execution whose trigger gave such an item, once it is over. */
const runOf = async (wanted: Record<string, unknown>): Promise<FinishedExecution> =>
	await until(
		`the run for ${JSON.stringify(wanted)}`,
		async () =>
			(await example.executions(1)).find((execution) =>
				itemsOf(execution, TRIGGER).some((item) =>
					Object.entries(wanted).every(([name, value]) => item[name] === value),
				),
			),
		LIMIT_MS,
	);

/** What the bot sent for a customer's words. */
async function answersTo(customer: string, text: string): Promise<string[]> {
	const run = await runOf({ text, sessionId: `${channelId}:${customer}` });
	const [sent, left] = [itemsOf(run, 'Send the Answer'), itemsOf(run, 'Left to the Colleague')];
	expect([sent.length, left.length].sort()).toEqual([0, 1]);
	const texts = await textsTo({ host: account.host, channelId }, customer);
	return texts.filter((one) => one === 'The answer');
}

test("lets the bot reply again half an hour after the colleague's last message, and deletes old rows", async () => {
	const cai = number(3);
	const writtenAt = new Date(Date.now() - 2 * DAY_MS).toISOString();
	const old = { chat: `${channelId}:${cai}`, messageId: 'old', writtenAt, answers: 'colleague' };
	await example.insert(old);
	await account.moveClock(40);
	await colleagueWrites(cai, 'Anything else?');
	await account.moveClock(15);
	await customerWrites(cai, 'Not yet');
	expect(await answersTo(cai, 'Not yet')).toEqual([]);
	await account.moveClock(0);
	await customerWrites(cai, 'Now I have a question');
	expect(await answersTo(cai, 'Now I have a question')).toHaveLength(1);
	expect((await example.rows()).map(({ messageId }) => messageId)).not.toContain('old');
});

test('counts a status event as of when the message was written, if the trigger gets those too', async () => {
	const gus = number(7);
	const messageId = await colleagueWrites(gus, 'I look after it');
	await colleagueWrites(gus, '/bot');
	await account.host.sandbox.post(`/_sandbox/messages/${messageId}/status`, { status: 'READ' });
	await runOf({ messageId, status: 'READ' });
	await customerWrites(gus, 'Hello');
	expect(await answersTo(gus, 'Hello')).toHaveLength(1);
});

test("holds back the bot's answer if a colleague writes while the bot thinks", async () => {
	isSlow = true;
	const [eva, fay] = [number(5), number(6)];
	// What the phone sends within five seconds of the customer's words is its own greeting.
	await account.moveClock(1);
	await customerWrites(eva, 'Good evening');
	await customerWrites(fay, 'Good day');
	await until('the bot to think of both', () => thinking.length === 2, LIMIT_MS);
	await account.moveClock(0);
	await colleagueWrites(eva, 'I am here');
	for (const answer of thinking) answer();
	expect(await answersTo(eva, 'Good evening')).toEqual([]);
	expect(await answersTo(fay, 'Good day')).toHaveLength(1);
});
