/** A customer's message that comes again under another idempotency key is one. */
import { deliver, type DeliveryOptions, messageBody, signed } from './harness/deliveries.mts';
import { type FakeService, startFakeService } from './harness/fakeService.mts';
import { heldStore, type ReceivingOptions, startPublished } from './harness/publishedReceiver.mts';
import type { Receiver } from './harness/receiver.mts';

let service: FakeService;
let receiver: Receiver | undefined;
let secret: string;
let token: string;

beforeEach(async () => {
	service = await startFakeService();
});
afterEach(async () => {
	await receiver?.stop();
	receiver = undefined;
	await service.close();
});

async function receiving(...given: ReceivingOptions): Promise<Receiver> {
	({ receiver, secret, token } = await startPublished(service, ...given));
	return receiver;
}

const proven = (body: unknown, options: DeliveryOptions = {}) =>
	signed(body, { secret, ...options, headers: { authorization: `Bearer ${token}` } });

describe('deliveries of one customer’s message under another key', () => {
	const again = (key: string, changes: Parameters<typeof messageBody>[0] = {}) =>
		proven(messageBody(changes), { key });

	it('start nothing once the first delivery got a 2xx', async () => {
		const { url, executions } = await receiving();
		for (const key of ['messages:0:1', 'messages:0:2', 'statuses:4:1'])
			expect(await deliver(url, again(key, { state: 'READ' }))).toMatchObject({ status: 200 });
		expect(executions).toHaveLength(1);
		await deliver(url, again('messages:0:3', { id: 'B'.repeat(32) }));
		expect(executions).toHaveLength(2);
	});

	it('leave the others of the same delivery, and count once within one', async () => {
		const { url, executions } = await receiving();
		const [one, other] = [messageBody(), messageBody({ id: 'B'.repeat(32), text: 'Other' })];
		await deliver(url, proven([one, one], { key: 'messages:0:1' }));
		expect(executions).toMatchObject([[{ json: { text: 'Hello!' } }]]);
		expect(executions[0]).toHaveLength(1);
		await deliver(url, proven([one, other], { key: 'messages:0:2' }));
		expect(executions[1]).toMatchObject([{ json: { text: 'Other' } }]);
		expect(executions[1]).toHaveLength(1);
	});

	it('are processed if the first one got no 2xx', async () => {
		const receiver = await receiving();
		receiver.store = async () => {
			throw new Error('the database is gone');
		};
		expect(await deliver(receiver.url, again('messages:0:1'))).toMatchObject({ status: 500 });
		receiver.store = async () => {};
		expect(await deliver(receiver.url, again('messages:0:2'))).toMatchObject({ status: 200 });
		expect(receiver.executions).toHaveLength(1);
	});

	it('are asked to come back while the first one is being processed', async () => {
		const receiver = await receiving();
		const held = heldStore();
		receiver.store = held.wait;
		const first = deliver(receiver.url, again('messages:0:1'));
		await held.arrived;
		const second = await deliver(receiver.url, again('messages:0:2'));
		expect(second).toMatchObject({ status: 503, headers: { 'retry-after': '5' } });
		held.open();
		expect(await first).toMatchObject({ status: 200 });
		expect(await deliver(receiver.url, again('messages:0:2'))).toMatchObject({ status: 200 });
		expect(receiver.executions).toHaveLength(1);
	});

	it('are no statuses of the business’s messages, which all start', async () => {
		const { url, executions } = await receiving({
			channelEvents: ['MESSAGE_RECEIVED', 'MESSAGE_STATUS'],
		});
		for (const [index, state] of ['SENT', 'DELIVERED', 'READ'].entries())
			await deliver(url, again(`statuses:0:${index}`, { fromMe: true, state }));
		expect(executions).toHaveLength(3);
	});

	it('start again if deduplication is off, and in a test', async () => {
		const off = await receiving({ options: { deduplicate: false } });
		for (const key of ['messages:0:1', 'messages:0:2']) await deliver(off.url, again(key));
		expect(off.executions).toHaveLength(2);
		await off.stop();
		const test = await receiving();
		test.mode = 'manual';
		for (const key of ['messages:0:1', 'messages:0:2']) await deliver(test.url, again(key));
		expect(test.executions).toHaveLength(2);
	});
});
