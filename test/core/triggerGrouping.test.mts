/** Deliveries that wait for each other, in n8n-core's WebhookContext behind a real HTTP server. */
import { setTimeout as sleep } from 'node:timers/promises';

import type { IDataObject } from 'n8n-workflow';

import { hostClock } from '#nodes/shared/tools/clock.ts';
import { until } from '#scripts/until.mts';
import { CHANNEL } from '../support/constants.mts';
import { deliver, idOf, messageBody, signed } from './harness/deliveries.mts';
import { fakeServiceOfEachTest } from './harness/fakeService.mts';
import { heldStore, type ReceivingOptions, startPublished } from './harness/publishedReceiver.mts';
import type { Receiver } from './harness/receiver.mts';

const LIMIT_MS = 10_000;

const service = fakeServiceOfEachTest();
let receiver: Receiver;
let secret: string;
let token: string;

afterEach(async () => await receiver.stop());

async function receiving(...given: ReceivingOptions): Promise<void> {
	({ receiver, secret, token } = await startPublished(service, ...given));
}
/** Makes no request before a delivery enters its group, because that would change the order. */
const ORDERED = { ignoreReplies: false };
const byArrival = async (options: IDataObject = {}) =>
	await receiving({ grouping: 'arrival', options: { ...ORDERED, ...options } });
/** A pause that is long for a test and short for a person. */
const byCustomer = async (options: IDataObject = {}, parameters: IDataObject = {}) =>
	await receiving({
		grouping: 'customer',
		quietTime: 0.4,
		options: { ...ORDERED, ...options },
		...parameters,
	});

/** As the service delivers it. @param number identifies the event in redeliveries */
const proven = (body: unknown, number: number) =>
	signed(body, {
		secret,
		key: `messages:0:${number}`,
		headers: { authorization: `Bearer ${token}` },
	});
const message = (number: number) => messageBody({ text: `message ${number}`, id: idOf(number) });
const send = async (number: number, body: unknown = message(number)) =>
	await deliver(receiver.url, proven(body, number));
/** Lets n8n store nothing until it is opened. */
function hold() {
	const held = heldStore();
	receiver.store = held.wait;
	return held;
}
const texts = () => receiver.executions.map((items) => items.map(({ json }) => json.text));
const arrivals = async (count: number) =>
	await until(`${count} deliveries to arrive`, () => receiver.arrived >= count, LIMIT_MS, 5);

describe('by customer', () => {
	it("makes one item in one execution of a customer's burst, and answers each delivery 200", async () => {
		await byCustomer();
		const answers = await Promise.all([1, 2, 3].map(async (number) => await send(number)));
		const started = { status: 200, body: '{"message":"Workflow was started"}' };
		expect(answers).toMatchObject([started, started, started]);
		expect(texts()).toEqual([['message 1\nmessage 2\nmessage 3']]);
		expect(receiver.executions[0]?.[0]?.json.messages).toMatchObject([
			{ text: 'message 1' },
			{ text: 'message 2' },
			{ text: 'message 3' },
		]);
	});

	it("starts at once, alone, for what is no customer's message", async () => {
		await byCustomer({}, { channelEvents: ['MESSAGE_RECEIVED', 'MESSAGE_STATUS'] });
		const waits = send(1);
		await arrivals(1);
		await send(2, messageBody({ fromMe: true, text: 'own' }));
		await send(3, { battery: 80 });
		expect(receiver.executions).toMatchObject([
			[{ json: { text: 'own', fromMe: true } }],
			[{ json: { event: null } }],
		]);
		expect(receiver.executions.flat().some(({ json }) => 'messages' in json)).toBe(false);
		await waits;
		expect(texts()[2]).toEqual(['message 1']);
	});

	it('answers filtered events at once, and a forged one neither joins nor prolongs a group', async () => {
		await byCustomer({ contentKinds: ['TEXT'] }, { quietTime: 1 });
		const began = Date.now();
		const waits = send(1);
		await arrivals(1);
		const filtered = message(2);
		filtered.message.contents[0]!.type = 'CONTACT_ARRAY';
		expect(await send(2, filtered)).toMatchObject({ body: '{"message":"Filtered out"}' });
		expect(Date.now() - began).toBeLessThan(1000);
		let forged = 0;
		const forging = setInterval(() => {
			forged += 1;
			void deliver(
				receiver.url,
				signed(message(3), { secret: 'forged', key: `messages:0:${forged}` }),
			);
		}, 100);
		await waits;
		clearInterval(forging);
		expect(forged).toBeGreaterThan(3);
		expect(texts()).toEqual([['message 1']]);
	});
});

it('keeps the triggers of a process apart, even for one customer', async () => {
	await byCustomer();
	const first = receiver;
	const waits = send(1);
	await arrivals(1);
	// Two workflows have different addresses, so each has a registration of its own.
	service.webhooks(CHANNEL).length = 0;
	await byCustomer();
	await Promise.all([waits, send(2)]);
	await first.stop();
	expect(first.executions).toMatchObject([[{ json: { text: 'message 1' } }]]);
	expect(texts()).toEqual([['message 2']]);
});

it('counts the time of a slow list of questions towards the longest wait', async () => {
	await byCustomer({ longestWait: 1, ignoreReplies: true }, { quietTime: 1 });
	service.intercept = async () => void (await sleep(1100));
	const slept = jest.spyOn(hostClock, 'sleep');
	try {
		expect(await send(1)).toMatchObject({ status: 200 });
		expect(slept).not.toHaveBeenCalled();
	} finally {
		slept.mockRestore();
	}
	expect(texts()).toEqual([['message 1']]);
});

it('groups messages by their arrival, however long a list of questions takes', async () => {
	await byCustomer({ ignoreReplies: true });
	service.intercept = async () => void (await sleep(700));
	const first = send(1);
	await arrivals(1);
	// Longer than the pause, and the list is still read.
	await sleep(500);
	expect(await Promise.all([first, send(2)])).toMatchObject([{ status: 200 }, { status: 200 }]);
	expect(texts()).toEqual([['message 1'], ['message 2']]);
});

describe('by arrival', () => {
	it('acknowledges nothing that n8n could not store, and executes it when it comes again', async () => {
		await byArrival();
		const { open, arrived } = hold();
		const first = send(1);
		await arrived;
		const others = [2, 3].map(async (number) => await send(number));
		await arrivals(3);
		receiver.store = async () => {
			throw new Error('the database is locked');
		};
		open();
		expect(await first).toMatchObject({ status: 200 });
		expect(await Promise.all(others)).toMatchObject([
			{ status: 500 },
			{ status: 503, body: '{"message":"Not stored"}' },
		]);
		receiver.store = async () => {};
		for (const number of [2, 3]) expect(await send(number)).toMatchObject({ status: 200 });
		expect(texts()).toEqual([['message 1'], ['message 2'], ['message 3']]);
	});

	it.each<[string, ReceivingOptions, unknown]>([
		['in a test', [{ grouping: 'arrival' }, { isTest: true }], undefined],
		['of templates', [{ source: 'template', grouping: 'arrival' }], [{ field: 'a' }]],
	])('groups nothing %s', async (_what, given, body) => {
		await receiving(...given);
		if (!body) receiver.mode = 'manual';
		const { open, arrived } = hold();
		const first = send(1, body);
		await arrived;
		receiver.store = async () => {};
		expect(await send(2, body)).toMatchObject({ status: 200 });
		open();
		await first;
	});
});
