/** Deliveries that wait for each other, in n8n-core's WebhookContext behind a real HTTP server. */
import type { IDataObject } from 'n8n-workflow';

import { until } from '../../scripts/until.mts';
import { deliver, messageBody, signed, idOf } from './harness/deliveries.mts';
import { type FakeService, startFakeService } from './harness/fakeService.mts';
import { heldStore, type ReceivingOptions, startPublished } from './harness/publishedReceiver.mts';
import type { Receiver } from './harness/receiver.mts';

const LIMIT_MS = 10_000;

let service: FakeService;
let receiver: Receiver;
let secret: string;
let token: string;

beforeEach(async () => {
	service = await startFakeService();
});
afterEach(async () => {
	await receiver.stop();
	await service.close();
});

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
/** Sends it, and can disconnect. */
function sendAndGo(number: number) {
	const { body, headers } = proven(message(number), number);
	const abort = new AbortController();
	const gone = fetch(receiver.url, {
		method: 'POST',
		body: String(body),
		headers: headers as Record<string, string>,
		signal: abort.signal,
	}).catch((error: unknown) => error);
	return {
		go: async () => {
			abort.abort();
			await gone;
		},
	};
}
/** Repeats it until it need not come back. */
async function insist(number: number) {
	for (;;) {
		const response = await send(number);
		if (response.status !== 503) return response;
	}
}
const texts = () => receiver.executions.map((items) => items.map(({ json }) => json.text));
const arrivals = async (count: number) =>
	await until(`${count} deliveries to arrive`, () => receiver.arrived >= count, LIMIT_MS, 5);
const RECEIVED_BEFORE = { status: 200, body: '{"message":"Received before"}' };

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

	it('acknowledges none before the execution is stored', async () => {
		await byCustomer();
		const { open, arrived, wait } = heldStore();
		receiver.store = wait;
		let answered = 0;
		const sent = [1, 2, 3].map(async (number) => {
			await send(number);
			answered += 1;
		});
		await arrived;
		expect(answered).toBe(0);
		open();
		await Promise.all(sent);
	});

	it('keeps customers apart', async () => {
		await byCustomer();
		const other = message(2);
		other.message.sender = { identifier: '5511999990001', name: 'Bia' };
		await Promise.all([send(1), send(2, other), send(3)]);
		expect(texts().toSorted()).toEqual([['message 1\nmessage 3'], ['message 2']]);
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

	it('gives the raw bodies', async () => {
		await byCustomer({ output: 'raw' });
		await Promise.all([send(1), send(2)]);
		expect(receiver.executions).toEqual([
			[{ json: { ...message(2), messages: [message(1), message(2)] } }],
		]);
	});

	it('asks a redelivery to come back while the first one waits', async () => {
		await byCustomer();
		const first = send(1);
		await arrivals(1);
		expect(await send(1)).toMatchObject({ status: 503, headers: { 'retry-after': '5' } });
		expect(await first).toMatchObject({ status: 200 });
		expect(await send(1)).toMatchObject(RECEIVED_BEFORE);
		expect(texts()).toEqual([['message 1']]);
	});
});

describe('by arrival', () => {
	it('puts what comes while an execution is stored into the next one, an item each', async () => {
		await byArrival();
		const { open, arrived, wait } = heldStore();
		receiver.store = wait;
		const first = send(1);
		await arrived;
		const others = [2, 3, 4].map(async (number) => await send(number));
		await arrivals(4);
		open();
		expect(await first).toMatchObject({ status: 200 });
		for (const { status } of await Promise.all(others)) expect(status).toBe(200);
		expect(texts()).toEqual([['message 1'], ['message 2', 'message 3', 'message 4']]);
	});

	it('starts a full group while another is being stored', async () => {
		await byArrival({ mostEvents: 2 });
		const { open, arrived, wait } = heldStore();
		receiver.store = wait;
		const sent = [send(1)];
		await arrived;
		receiver.store = async () => {};
		await Promise.all([send(2), send(3)]);
		expect(texts()).toEqual([['message 2', 'message 3']]);
		open();
		await Promise.all(sent);
	});

	it('acknowledges nothing that n8n could not store, and executes it when it comes again', async () => {
		await byArrival();
		const { open, arrived, wait } = heldStore();
		receiver.store = wait;
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

	it('groups nothing in a test, and no template events', async () => {
		await receiving({ grouping: 'arrival' }, { isTest: true });
		receiver.mode = 'manual';
		const { open, arrived, wait } = heldStore();
		receiver.store = wait;
		const first = send(1);
		await arrived;
		receiver.store = async () => {};
		expect(await send(2)).toMatchObject({ status: 200 });
		open();
		await first;
		await receiver.stop();

		await receiving({ source: 'template', grouping: 'arrival' });
		const held = heldStore();
		receiver.store = held.wait;
		const one = send(1, [{ field: 'a' }]);
		await held.arrived;
		receiver.store = async () => {};
		expect(await send(2, [{ field: 'b' }])).toMatchObject({ status: 200 });
		held.open();
		await one;
	});
});

describe('a sender that disconnects', () => {
	it('leaves its group if it was waiting, and its event is executed when it comes again', async () => {
		await byCustomer({}, { quietTime: 1 });
		const leaving = sendAndGo(1);
		await arrivals(1);
		const staying = send(2);
		await arrivals(2);
		await leaving.go();
		expect(await staying).toMatchObject({ status: 200 });
		expect(texts()).toEqual([['message 2']]);
		expect(await insist(1)).toMatchObject({ status: 200 });
		expect(texts()).toEqual([['message 2'], ['message 1']]);
	});

	it('leaves an event that is known when it comes again, if the leader was waiting for n8n', async () => {
		await byCustomer();
		const { open, arrived, wait } = heldStore();
		receiver.store = wait;
		const leader = send(1);
		await arrivals(1);
		const leaving = sendAndGo(2);
		await arrived;
		await leaving.go();
		open();
		expect(await leader).toMatchObject({ status: 200 });
		expect(await insist(2)).toMatchObject(RECEIVED_BEFORE);
		expect(texts()).toEqual([['message 1\nmessage 2']]);
	});

	it("leaves the others n8n's own response, if it led them while n8n stored the execution", async () => {
		await byCustomer();
		const { open, arrived, wait } = heldStore();
		receiver.store = wait;
		const leader = sendAndGo(1);
		await arrivals(1);
		const follower = send(2);
		await arrived;
		await leader.go();
		open();
		expect(await follower).toMatchObject({ status: 200 });
		expect(await insist(1)).toMatchObject(RECEIVED_BEFORE);
		expect(texts()).toEqual([['message 1\nmessage 2']]);
	});
});
