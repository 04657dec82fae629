import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

import { type RunningSandbox, startSandbox } from '../../scripts/n8n/sandbox.mts';
import type { FinishedExecution, WorkflowNode } from '../../scripts/n8n/types.mts';
import { until } from '../../scripts/until.mts';
import { number } from './harness/conversations.mts';
import { Example, itemsOf, ownAccount } from './harness/examples.mts';
import { type Host, hostUnderTest } from './harness/host.mts';
import { textsTo } from './harness/questions.mts';

const TRIGGER = 'When Somebody Writes';
const EVENTS = ['MESSAGE_RECEIVED', 'MESSAGE_DELIVERY'];
const ANSWER =
	'Hello Ana, I am the assistant. I got your message: a colleague joins us here when I do not know the answer.';
const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;
const LIMIT_MS = 30_000;
/** What the phone sends this soon after the customer's words is its own. */
const AUTOMATIC_MS = 6_000;

/** A sandbox of its own, because the test moves its clock and other tests would see that. */
let sandbox: RunningSandbox;
let folder: string;
let host: Host;
const channels: string[] = [];

beforeAll(async () => {
	folder = mkdtempSync(join(tmpdir(), 'business-messaging-takeover-'));
	sandbox = await startSandbox(folder);
	const account = await ownAccount(['Takeover', 'Slow Bot', 'States'], {
		...hostUnderTest(),
		sandboxUrl: sandbox.url,
	});
	({ host } = account);
	channels.push(...account.channels);
});
afterAll(async () => {
	await host?.cleanUp();
	await sandbox?.stop();
	rmSync(folder, { recursive: true, force: true });
});

const moveClock = async (minutesAgo: number) =>
	await host.sandbox.post('/_sandbox/clock', {
		now: new Date(Date.now() - minutesAgo * MINUTE_MS).toISOString(),
	});

/**
 * A channel whose bot is the example. It was published two days ago, because the service delivers
 * nothing older than the webhook.
 */
class Chats {
	private constructor(
		readonly channelId: string,
		readonly example: Example,
	) {}

	/** @param change what a user changes in a node before publishing */
	static async open(
		channelId: string,
		change: (node: WorkflowNode) => WorkflowNode = (node) => node,
	): Promise<Chats> {
		const example = await Example.import(host, 'human-takeover', channelId);
		const { workflow } = example;
		await host.client.updateWorkflow({ ...workflow, nodes: workflow.nodes.map(change) });
		await moveClock((2 * DAY_MS) / MINUTE_MS);
		await example.publish();
		await moveClock(0);
		return new Chats(channelId, example);
	}

	/** When a customer wrote last, by the clock of this process. */
	private lastWords = 0;

	async customerWrites(from: string, text: string): Promise<void> {
		this.lastWords = Date.now();
		await host.sandbox.customerWrites({ channelId: this.channelId, from, name: 'Ana', text });
	}

	/**
	 * A colleague writes on the business's phone, as slowly as people type. Waits until the workflow
	 * knows it. @returns the message's id
	 */
	async colleagueWrites(to: string, text: string): Promise<string> {
		await sleep(Math.max(0, this.lastWords + AUTOMATIC_MS - Date.now()));
		return await this.phoneWrites(to, text);
	}

	/** The business's phone sends at once. */
	async phoneWrites(to: string, text: string): Promise<string> {
		const { messageId } = await host.sandbox.post<{ messageId: string }>('/_sandbox/from-phone', {
			channelId: this.channelId,
			to,
			text,
		});
		await until(
			`'${text}' to be kept`,
			async () => (await this.example.rows()).some((row) => row.messageId === messageId),
			LIMIT_MS,
		);
		return messageId;
	}

	/** The rows of what was written on the business's phone. */
	async keptFromPhone() {
		return (await this.example.rows()).filter(({ answers }) => answers !== 'customer');
	}

	/** The first execution for a text in the chat with a customer, once it is over. */
	async runOf(customer: string, text: string): Promise<FinishedExecution> {
		const sessionId = `${this.channelId}:${customer}`;
		return await until(
			`the run for '${text}'`,
			async () =>
				(await this.example.executions(1)).find((execution) =>
					itemsOf(execution, TRIGGER).some(
						(item) => item.text === text && item.sessionId === sessionId,
					),
				),
			LIMIT_MS,
		);
	}

	/**
	 * A customer writes. @returns which side the workflow chose to reply, once its execution is over
	 */
	async whoAnswers(from: string, text: string): Promise<'bot' | 'colleague'> {
		const before = await this.botTexts(from);
		await this.customerWrites(from, text);
		const run = await this.runOf(from, text);
		const sent = itemsOf(run, 'Send the Answer');
		const left = itemsOf(run, 'Left to the Colleague');
		expect([sent.length, left.length].sort()).toEqual([0, 1]);
		// The customer sees the same.
		expect((await this.botTexts(from)).length - before.length).toBe(sent.length);
		return sent.length > 0 ? 'bot' : 'colleague';
	}

	/** What a customer received through the API. */
	async botTexts(customer: string): Promise<string[]> {
		return (await textsTo({ host, channelId: this.channelId }, customer)).filter(
			(text) => text === ANSWER,
		);
	}
}

describe('a bot, a colleague and their customers', () => {
	let chats: Chats;
	beforeAll(async () => {
		chats = await Chats.open(channels[0] ?? '');
	});

	test("keeps the bot silent in a colleague's chat alone, until the word gives the chat back", async () => {
		const [ana, bea] = [number(1), number(2)];
		expect(await chats.whoAnswers(ana, 'Hello')).toBe('bot');
		// The bot's own answer starts the trigger too, and does not silence the bot.
		const own = await chats.runOf(ana, ANSWER);
		expect(itemsOf(own, TRIGGER)).toMatchObject([{ fromMe: true, fromApi: true }]);
		expect(await chats.keptFromPhone()).toEqual([]);
		expect(await chats.whoAnswers(ana, 'And on Sunday?')).toBe('bot');

		await chats.colleagueWrites(ana, 'Hi Ana, I look after it. Where is /botany/?');
		expect(await chats.whoAnswers(ana, 'In the garden')).toBe('colleague');
		expect(await chats.whoAnswers(bea, 'Hello?')).toBe('bot');
		expect(await chats.whoAnswers(ana, 'Are you there?')).toBe('colleague');

		await chats.colleagueWrites(ana, 'Our assistant goes on from here.\n/BOT');
		expect(await chats.whoAnswers(ana, 'Thank you')).toBe('bot');

		await chats.colleagueWrites(ana, 'One more thing');
		expect(await chats.whoAnswers(ana, 'Yes?')).toBe('colleague');
	});

	test("the phone's own greeting does not silence the bot, nor does it give a chat back", async () => {
		const hal = number(8);
		await chats.customerWrites(hal, 'Hello');
		await chats.phoneWrites(hal, 'Thank you for your message! We answer soon.');
		const run = await chats.runOf(hal, 'Hello');
		expect(itemsOf(run, 'Send the Answer')).toHaveLength(1);
		expect(await chats.whoAnswers(hal, 'And on Sunday?')).toBe('bot');
		await chats.colleagueWrites(hal, 'I look after it');
		await chats.customerWrites(hal, 'Thank you');
		await chats.phoneWrites(hal, 'Thank you for your message! We answer soon.');
		expect(itemsOf(await chats.runOf(hal, 'Thank you'), 'Send the Answer')).toEqual([]);
	});

	test("lets the bot reply again half an hour after the colleague's last message, and deletes old rows", async () => {
		const cai = number(3);
		await moveClock(50);
		const value = await chats.colleagueWrites(cai, 'Good morning');
		const writtenAt = new Date(Date.now() - 2 * DAY_MS).toISOString();
		await chats.example.updateRows({ columnName: 'messageId', value }, { writtenAt });
		await moveClock(40);
		await chats.colleagueWrites(cai, 'Anything else?');
		await moveClock(15);
		expect(await chats.whoAnswers(cai, 'Not yet')).toBe('colleague');
		await moveClock(0);
		expect(await chats.whoAnswers(cai, 'Now I have a question')).toBe('bot');
		const rows = (await chats.keptFromPhone()).filter(({ chat }) => String(chat).endsWith(cai));
		expect(rows).toEqual([expect.objectContaining({ answers: 'colleague' })]);
		expect(rows.map(({ messageId }) => messageId)).not.toContain(value);
	});

	test('does not undo the word when an older message of the colleague arrives late', async () => {
		const dan = number(4);
		await moveClock(5);
		await chats.colleagueWrites(dan, '/bot');
		await moveClock(6);
		await chats.colleagueWrites(dan, 'Written before the word');
		await moveClock(0);
		expect(await chats.whoAnswers(dan, 'Hello')).toBe('bot');
	});
});

test('counts a status event as of when the message was written, if the trigger gets those too', async () => {
	const chats = await Chats.open(channels[2] ?? '', ({ parameters, ...node }) => ({
		...node,
		parameters:
			node.name === TRIGGER
				? { ...parameters, channelEvents: [...EVENTS, 'MESSAGE_STATUS'] }
				: parameters,
	}));
	const gus = number(7);
	const read = await chats.colleagueWrites(gus, 'I look after it');
	await chats.colleagueWrites(gus, '/bot');
	await host.sandbox.post(`/_sandbox/messages/${read}/status`, { status: 'READ' });
	await until(
		'the workflow to be told that it was read',
		async () =>
			(await chats.example.executions(1)).some((execution) =>
				itemsOf(execution, TRIGGER).some(
					({ messageId, status }) => messageId === read && status === 'READ',
				),
			),
		LIMIT_MS,
	);
	expect(await chats.keptFromPhone()).toHaveLength(2);
	expect(await chats.whoAnswers(gus, 'Hello')).toBe('bot');
});

test("holds back the bot's answer if a colleague writes while the bot thinks", async () => {
	const thinking: Array<() => void> = [];
	const bot = createServer((_, response) => {
		thinking.push(() => {
			response.setHeader('content-type', 'application/json');
			response.end(JSON.stringify({ text: ANSWER }));
		});
	});
	await new Promise<void>((resolve) => bot.listen(0, '127.0.0.1', resolve));
	try {
		const { port } = bot.address() as AddressInfo;
		const inPlaceOfTheBot = {
			type: 'n8n-nodes-base.httpRequest',
			typeVersion: 4.2,
			parameters: { url: `http://127.0.0.1:${port}/`, options: {} },
		};
		const chats = await Chats.open(channels[1] ?? '', (node) =>
			node.name === 'Write the Answer' ? { ...node, ...inPlaceOfTheBot } : node,
		);
		const [eva, fay] = [number(5), number(6)];
		await chats.customerWrites(eva, 'Hello');
		await chats.customerWrites(fay, 'Good day');
		await until('the bot to think of both', () => thinking.length === 2, LIMIT_MS);
		await chats.colleagueWrites(eva, 'I am here');
		for (const answer of thinking) answer();

		const silenced = await chats.runOf(eva, 'Hello');
		expect(itemsOf(silenced, 'Left to the Colleague')).toHaveLength(1);
		expect(await chats.botTexts(eva)).toEqual([]);
		await chats.runOf(fay, 'Good day');
		expect(await chats.botTexts(fay)).toEqual([ANSWER]);
	} finally {
		bot.closeAllConnections();
		bot.close();
	}
});
