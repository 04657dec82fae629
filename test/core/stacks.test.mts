/**
 * How many files a plain text passes on its way from `execute()` to n8n's HTTP helper, and a
 * delivery from `webhook()` to its item.
 */
import type { IExecuteFunctions } from 'n8n-workflow';

import { BusinessMessaging } from '../../nodes/BusinessMessaging/BusinessMessaging.node.ts';
import { Turns } from '../../nodes/BusinessMessaging/shared/turns.ts';
import { deliver, messageBody, signed } from './harness/deliveries.mts';
import { runInEngine } from './harness/engine.mts';
import { startFakeService } from './harness/fakeService.mts';
import { startPublished } from './harness/publishedReceiver.mts';
import { startService } from './harness/textService.mts';

/** Our files in the caller's stack, with asynchronous frames, outermost first. */
function ourFiles(): string[] {
	const { stackTraceLimit } = Error;
	Error.stackTraceLimit = Infinity;
	const { stack = '' } = new Error();
	Error.stackTraceLimit = stackTraceLimit;
	const files = stack.split('\n').flatMap((line) => {
		const file = /nodes[\\/]BusinessMessaging[\\/]([^:)]+\.ts)/.exec(line)?.[1];
		return file === undefined ? [] : [file.replaceAll('\\', '/')];
	});
	return [...new Set(files.reverse())];
}

test('a plain text passes at most 12 files from execute() to the HTTP helper', async () => {
	let toRequest: string[] = [];
	class Traced extends BusinessMessaging {
		override async execute(this: IExecuteFunctions) {
			const request = Reflect.get(this.helpers, 'httpRequestWithAuthentication');
			this.helpers.httpRequestWithAuthentication = async function (...given) {
				toRequest = ourFiles();
				return (await request.apply(this, given)) as unknown;
			};
			return await BusinessMessaging.prototype.execute.call(this);
		}
	}
	// The queue starts a job from a promise of its own, so the request's stack ends there. The stack
	// of the call that adds the job is the other half.
	let toQueue: string[] = [];
	const take = Reflect.get(Turns.prototype, 'take');
	const spied = jest.spyOn(Turns.prototype, 'take').mockImplementation(async function (
		this: Turns,
		...given
	) {
		toQueue = ourFiles();
		return await take.apply(this, given);
	});
	const service = await startService();
	const { items } = await runInEngine({
		baseUrl: service.url,
		parameters: {
			resource: 'message',
			operation: 'sendText',
			channelId: { __rl: true, mode: 'id', value: 'A'.repeat(32) },
			recipient: '5511999990000',
			text: 'Hello',
		},
		nodeType: new Traced(),
	});
	await service.close();
	spied.mockRestore();

	expect(items).toHaveLength(1);
	// Both halves are complete, because a lost frame would make the count too small.
	expect([toQueue[0], toQueue.at(-1)]).toEqual(['BusinessMessaging.node.ts', 'sending/sendAll.ts']);
	expect(toQueue).toEqual(expect.arrayContaining(['resources/message/sendOperation.ts']));
	expect([toRequest[0], toRequest.at(-1)]).toEqual(['sending/sendAll.ts', 'service/client.ts']);
	expect(toRequest).toEqual(
		expect.arrayContaining([
			'sending/sendAll.ts',
			'sending/sender.ts',
			'resources/message/sendItems.ts',
		]),
	);
	expect(new Set([...toQueue, ...toRequest]).size).toBeLessThanOrEqual(12);
});

test('a delivery passes at most 15 files from webhook() to its item', async () => {
	const fake = await startFakeService();
	const { receiver, secret, token } = await startPublished(fake);
	// The time of the message is written as the item is made.
	const stacks: string[][] = [];
	const write = Reflect.get(Date.prototype, 'toISOString');
	const spied = jest.spyOn(Date.prototype, 'toISOString').mockImplementation(function (this: Date) {
		stacks.push(ourFiles());
		return write.call(this);
	});
	const headers = { authorization: `Bearer ${token}` };
	const { status } = await deliver(receiver.url, signed(messageBody(), { secret, headers }));
	spied.mockRestore();
	await receiver.stop();
	await fake.close();

	expect(status).toBe(200);
	const [files = []] = stacks.filter((stack) => stack.some((file) => file.includes('simplify')));
	expect(files[0]).toBe('BusinessMessagingTrigger.node.ts');
	expect(files.length).toBeGreaterThan(3);
	expect(files.length).toBeLessThanOrEqual(15);
});
