/** The trigger's option A Person's Limit, in n8n-core's WebhookContext. */
import type { IDataObject } from 'n8n-workflow';

import { steadyClock } from '#nodes/shared/tools/clock.ts';
import { until } from '#scripts/until.mts';
import { deliver, idOf, messageBody, signed } from './harness/deliveries.mts';
import { fakeServiceOfEachTest } from './harness/fakeService.mts';
import { logged } from './harness/logged.mts';
import { heldStore, startPublished } from './harness/publishedReceiver.mts';
import type { Receiver } from './harness/receiver.mts';

const MINUTE = 60_000;
const STARTED = { status: 200, body: '{"message":"Workflow was started"}' };
const TOO_MANY = { status: 200, body: '{"message":"Too many messages"}' };

const service = fakeServiceOfEachTest();
let receiver: Receiver;
/** Milliseconds that the tests let pass. */
let passed = 0;
let nextLine = () => {};

beforeEach(() => {
	passed = 0;
	const now = steadyClock.now.bind(steadyClock);
	const sleep = steadyClock.sleep.bind(steadyClock);
	jest.spyOn(steadyClock, 'now').mockImplementation(() => now() + passed);
	jest.spyOn(steadyClock, 'sleep').mockImplementation(async (milliseconds) => {
		if (milliseconds < MINUTE) return await sleep(milliseconds);
		await new Promise<void>((resolve) => (nextLine = resolve));
	});
});
afterEach(async () => await receiver.stop());

async function receiving(executions: number, more: IDataObject = {}, options: IDataObject = {}) {
	const published = await startPublished(service, {
		channelEvents: ['MESSAGE_RECEIVED', 'MESSAGE_STATUS'],
		...more,
		options: {
			ignoreReplies: false,
			personLimit: { limit: { executions, minutes: 10 } },
			...options,
		},
	});
	({ receiver } = published);
	const { secret, token } = published;
	return async (number: number, body: unknown) => {
		const headers = { authorization: `Bearer ${token}` };
		const delivery = signed(body, { secret, headers, key: `messages:0:${number}` });
		return await deliver(receiver.url, delivery);
	};
}

let count = 0;
function written(identifier: string | null = '5511999990000', contents?: object[]) {
	const body = messageBody({ id: idOf(++count), text: `${count}` });
	const { message } = body;
	const sender = { ...message.sender, identifier };
	return { ...body, message: { ...message, sender, contents: contents ?? message.contents } };
}
/** Of each execution, whether its items say that the limit is reached. */
const told = () => receiver.executions.map((items) => items.map(({ json }) => 'limit' in json));

test('1,000 messages of one person in ten minutes start 21 executions in any ten, and 20 others get all theirs', async () => {
	const send = await receiving(20);
	const flood = '5511999990000';
	const starts: number[] = [];
	let answered = 0;
	for (let number = 0; number < 2500; number++) {
		passed = number * 600;
		const before = receiver.executions.length;
		const at = steadyClock.now();
		await send(number, written(flood));
		if (receiver.executions.length > before) starts.push(at);
		if (number % 50 > 0) continue;
		expect(await send(10_000 + number, written(`551188888${1000 + (number % 20)}`))).toMatchObject(
			STARTED,
		);
		answered += 1;
	}
	const most = starts.map(
		(at) => starts.filter((one) => one >= at && one < at + 10 * MINUTE).length,
	);
	expect(Math.max(...most)).toBe(21);
	expect(starts).toHaveLength(receiver.executions.length - answered);
	// The flood never let the count fall below half.
	expect(told().flat().filter(Boolean)).toHaveLength(1);
}, 120_000);

test('the first message beyond the limit tells it until when, the next are lost, and the log counts them', async () => {
	const send = await receiving(2);
	const said = logged('warn');
	for (const number of [1, 2, 3]) expect(await send(number, written())).toMatchObject(STARTED);
	expect(told()).toEqual([[false], [false], [true]]);
	const { limit } = receiver.executions[2]![0]!.json as { limit: { until: string } };
	expect(limit).toEqual({ reached: true, until: expect.any(String) as string });
	expect(Math.abs(Date.parse(limit.until) - Date.now() - 10 * MINUTE)).toBeLessThan(MINUTE);
	for (const number of [4, 5, 6]) expect(await send(number, written())).toMatchObject(TOO_MANY);
	nextLine();
	await new Promise(setImmediate);
	const line = (what: string) =>
		`Too many messages of one person, so ignored: ${what}. The option "A Person's Limit" says so`;
	expect(said.map(([words]) => String(words))).toEqual([line('1 message'), line('2 messages')]);
	passed = 11 * MINUTE;
	for (const number of [7, 8, 9]) expect(await send(number, written())).toMatchObject(STARTED);
	expect(told().slice(3)).toEqual([[false], [false], [true]]);
});

test('what n8n could not store does not count, and tells it again', async () => {
	const send = await receiving(1);
	const fail = async () => {
		throw new Error('the database is locked');
	};
	const store = receiver.store;
	const bodies = [written(), written()];
	for (const [number, body] of bodies.entries()) {
		receiver.store = fail;
		for (const _ of [1, 2]) expect(await send(number, body)).toMatchObject({ status: 500 });
		receiver.store = store;
		expect(await send(number, body)).toMatchObject(STARTED);
		expect(await send(number, body)).toMatchObject({ body: '{"message":"Received before"}' });
	}
	expect(told()).toEqual([[false], [true]]);
	expect(await send(9, written())).toMatchObject(TOO_MANY);
});

test('messages that come at once wait until it is clear what counts', async () => {
	const send = await receiving(2);
	const { open, wait } = heldStore();
	receiver.store = wait;
	const answers = [1, 2, 3, 4, 5, 6].map(async (number) => await send(number, written()));
	await until('all to arrive', () => receiver.arrived === 6, 10_000, 5);
	open();
	const bodies = (await Promise.all(answers)).map(({ body }) => body);
	expect(bodies.filter((body) => body === TOO_MANY.body)).toHaveLength(3);
	expect(told().flat()).toEqual([false, false, true]);
});

test.each<[what: string, body: () => unknown]>([
	[
		"taps with a question's ID",
		() =>
			written(undefined, [
				{ type: 'INTERACTIVE_BUTTON', interactive_reply: { id: 'n8n-question:abc:1', title: 'A' } },
			]),
	],
	['people without an identifier', () => written(null)],
	["the business's own messages", () => messageBody({ id: idOf(++count), fromMe: true })],
	['events that are not recognised', () => ({ battery: ++count })],
])('%s neither count nor are lost', async (_what, body) => {
	const send = await receiving(1);
	for (const number of [1, 2, 3]) expect(await send(number, body())).toMatchObject(STARTED);
	for (const number of [4, 5]) await send(number, written());
	expect(await send(6, written())).toMatchObject(TOO_MANY);
	expect(await send(7, body())).toMatchObject(STARTED);
	expect(told().flat()).toEqual([false, false, false, false, true, false]);
});

test('no list of questions is read for what is lost', async () => {
	const send = await receiving(1, {}, { ignoreReplies: true });
	for (const number of [1, 2]) await send(number, written());
	passed = 5 * MINUTE;
	const before = service.requests.length;
	expect(await send(3, written())).toMatchObject(TOO_MANY);
	expect(service.requests).toHaveLength(before);
	expect(await send(4, written('5511888880000'))).toMatchObject(STARTED);
	expect(service.requests.length).toBeGreaterThan(before);
});

test('a test run has no limit', async () => {
	const send = await receiving(1);
	for (const number of [1, 2]) await send(number, written());
	expect(await send(3, written())).toMatchObject(TOO_MANY);
	receiver.mode = 'manual';
	expect(await send(4, written())).toMatchObject(STARTED);
	expect(told()).toEqual([[false], [true], [false]]);
});

test.each(['simplified', 'raw'])(
	'by customer, a group is one, and its item tells it: %s',
	async (output) => {
		const send = await receiving(1, { grouping: 'customer', quietTime: 0.2 }, { output });
		for (const start of [1, 4]) {
			const numbers = [start, start + 1, start + 2];
			const answers = await Promise.all(
				numbers.map(async (number) => await send(number, written())),
			);
			expect(answers).toMatchObject([STARTED, STARTED, STARTED]);
		}
		expect(told()).toEqual([[false], [true]]);
		const { messages } = receiver.executions[1]![0]!.json as { messages: IDataObject[] };
		expect(messages.map((one) => 'limit' in one)).toEqual([true, true, true]);
		expect(await send(7, written())).toMatchObject(TOO_MANY);
	},
);

test("by arrival, each of the person's items tells it, and others keep theirs", async () => {
	const send = await receiving(1, { grouping: 'arrival' });
	let number = 0;
	const group = async () => await send(++number, [written(), written('5511888880000'), written()]);
	expect(await group()).toMatchObject(STARTED);
	expect(await send(++number, [written(), written()])).toMatchObject(STARTED);
	expect(await group()).toMatchObject(STARTED);
	expect(told()).toEqual([[false, false, false], [true, true], [true]]);
});
