import * as fc from 'fast-check';

import type { CreateWebhookRequest, WebhookWithSecret } from '../../../nodes/BusinessMessaging/service/contract/index.ts';
import type { WebhookApi } from '../../../nodes/BusinessMessaging/service/webhooks.ts';
import { DeadlineWatch } from '../../../nodes/BusinessMessaging/waiting/deadlines.ts';
import { describeWebhook, isLeftover, readWaiting, recipientHash, sweep } from '../../../nodes/BusinessMessaging/waiting/temporaryWebhook.ts';
import { takeTurn } from '../../../nodes/BusinessMessaging/waiting/turn.ts';
import { VirtualClock } from '../sending/virtualClock.mts';

const CHANNEL = 'A'.repeat(32);
const ANA = recipientHash(CHANNEL, '5511900000001');
const HOUR = 3_600_000;

/** The webhooks of one channel, each call after a delay. `resolution`: how fine the service's times are, in milliseconds. */
class Channel {
	readonly webhooks: WebhookWithSecret[] = [];
	readonly deleted: string[] = [];
	failing = 0;
	private count = 0;

	constructor(
		readonly clock: VirtualClock,
		private readonly delay: () => number = () => 1,
		private readonly resolution = 1,
	) {}

	readonly api: WebhookApi = {
		list: async () => await this.call(() => structuredClone(this.webhooks)),
		create: async (request: CreateWebhookRequest) => await this.call(() => this.add(request)),
		update: async () => await Promise.reject(new Error('not used here')),
		delete: async (id) =>
			await this.call(() => {
				this.deleted.push(id);
				this.webhooks.splice(this.webhooks.findIndex((webhook) => webhook.id === id), 1);
			}),
	};

	add({ url, events, customAttributes }: Pick<CreateWebhookRequest, 'url' | 'events' | 'customAttributes'>): WebhookWithSecret {
		const createdAt = new Date(Math.floor(this.clock.now() / this.resolution) * this.resolution).toISOString();
		// Ids in no order: of two with the same time, either may have the smaller one.
		const id = `${(this.count * 7919) % 97}-${this.count++}`;
		const webhook: WebhookWithSecret = { id, url, events, status: 'ENABLED', secret: 'a secret', createdAt, customAttributes };
		this.webhooks.push(webhook);
		return webhook;
	}

	private async call<T>(work: () => T): Promise<T> {
		await this.clock.sleep(this.delay());
		if (this.failing-- > 0) throw new Error('the service fails');
		const result = work();
		await this.clock.sleep(this.delay());
		return result;
	}
}

const mark = (executionId: string, deadline: number, recipient = ANA) => ({ executionId, recipient, deadline: new Date(deadline).toISOString(), wrongAnswers: 0 });

const asked = (executionId: string, deadline: number, instanceId = 'here', recipient = ANA) =>
	describeWebhook(`https://n8n.example.com/${executionId}`, '', { instanceId, workflowId: 'w', nodeId: 'n' }, mark(executionId, deadline, recipient));

const turnOf = (channel: Channel, executionId: string, queue = 0, random = () => 0.5) => ({
	webhook: asked(executionId, channel.clock.now() + HOUR),
	recipient: ANA,
	instanceId: 'here',
	executionId,
	queue,
	clock: channel.clock,
	isCancelled: () => false,
	random,
});

test('however several start, no two hold the turn at a time, in the queue each gets it, and nothing is left', async () => {
	const askers = fc.array(fc.record({ start: fc.integer({ min: 0, max: 50 }), holds: fc.integer({ min: 1, max: 2000 }) }), { minLength: 2, maxLength: 5 });
	const delays = fc.infiniteStream(fc.integer({ min: 0, max: 20 }));
	const randoms = fc.infiniteStream(fc.double({ min: 0, max: 1, noNaN: true }));
	await fc.assert(
		fc.asyncProperty(askers, delays, randoms, fc.constantFrom(1, 1000), async (list, delay, random, resolution) => {
			const clock = new VirtualClock();
			const channel = new Channel(clock, () => delay.next().value as number, resolution);
			const stranger = channel.add({ url: 'https://example.com', events: ['CONNECTED'] });
			let holding = 0;
			const ask = async ({ start, holds }: { start: number; holds: number }, index: number) => {
				await clock.sleep(start);
				const { id } = await takeTurn(channel.api, turnOf(channel, String(index), 10 * HOUR, () => random.next().value as number));
				holding += 1;
				expect(holding).toBe(1);
				await clock.sleep(holds);
				expect(holding).toBe(1);
				holding -= 1;
				await channel.api.delete(id);
			};
			await Promise.all(list.map(ask));
			expect(channel.webhooks).toEqual([stranger]);
		}),
		{ numRuns: 150 },
	);
}, 60_000);

test('a question that waits is told with its execution and its deadline, and nothing is left of the refused one', async () => {
	const channel = new Channel(new VirtualClock());
	channel.add(asked('41', HOUR, 'another n8n'));
	const refused = takeTurn(channel.api, turnOf(channel, '42'));
	await expect(refused).rejects.toMatchObject({ reason: 'question_waiting', hint: expect.stringContaining('in execution 41 of workflow w') as string });
	expect(channel.webhooks.map(({ url }) => url)).toEqual(['https://n8n.example.com/41']);
});

test('what does not stand in the way: other recipients, what is over, and an earlier question of the same execution', async () => {
	const clock = new VirtualClock();
	const channel = new Channel(clock);
	channel.add(asked('1', HOUR, 'here', recipientHash(CHANNEL, '5511900000002')));
	channel.add(asked('2', -1000));
	channel.add(asked('3', -1000, 'another n8n'));
	channel.add(asked('42', HOUR));
	const made = await takeTurn(channel.api, turnOf(channel, '42'));
	// Those of this n8n that are over are removed; another n8n's is left to it.
	expect(channel.webhooks.map(({ url }) => url.split('/').at(-1))).toEqual(['1', '3', '42']);
	expect(channel.webhooks.at(-1)?.id).toBe(made.id);
});

test('when the list fails after the registration, the registration is given up', async () => {
	const channel = new Channel(new VirtualClock());
	const api = { ...channel.api, create: async (request: CreateWebhookRequest) => await channel.api.create(request).finally(() => (channel.failing = 1)) };
	await expect(takeTurn(api, turnOf(channel, '42'))).rejects.toThrow('the service fails');
	expect(channel.webhooks).toEqual([]);
});

test('cancelled in the queue: nothing is left', async () => {
	const channel = new Channel(new VirtualClock());
	channel.add(asked('41', HOUR));
	let looks = 0;
	const turn = { ...turnOf(channel, '42', HOUR), isCancelled: () => ++looks > 3 };
	await expect(takeTurn(channel.api, turn)).rejects.toMatchObject({ reason: 'cancelled' });
	expect(channel.webhooks).toHaveLength(1);
});

test('only what carries both marks, whole, is a question', () => {
	const whole = { id: '1', url: '', events: [], status: 'ENABLED', customAttributes: { n8n: { instanceId: 'here' }, n8nWait: mark('1', 0) } };
	expect(readWaiting(whole)?.mark.executionId).toBe('1');
	for (const customAttributes of [undefined, null, {}, { n8n: {} }, { n8n: {}, n8nWait: 'x' }, { n8nWait: mark('1', 0) }, { n8n: {}, n8nWait: { ...mark('1', 0), deadline: 'soon' } }]) {
		expect(readWaiting({ ...whole, customAttributes })).toBeUndefined();
	}
});

test('nothing but own leftovers is ever deleted', async () => {
	const instances = fc.constantFrom('here', 'there', undefined, 7, '');
	const questions = fc.array(fc.record({ instanceId: instances, executionId: fc.constantFrom('1', '2'), deadline: fc.integer({ min: -5000, max: 5000 }), marked: fc.boolean() }));
	await fc.assert(
		fc.asyncProperty(questions, fc.constantFrom('1', undefined), async (list, executionId) => {
			const channel = new Channel(new VirtualClock());
			for (const { instanceId, executionId: of, deadline, marked } of list) {
				channel.add({ url: '', events: [], customAttributes: { n8n: { instanceId }, ...(marked ? { n8nWait: mark(of, deadline) } : {}) } });
			}
			const before = structuredClone(channel.webhooks);
			const own = { instanceId: 'here', ...(executionId ? { executionId } : {}) };
			await sweep(channel.api, own, () => 0);
			const expected = before.filter((webhook) => {
				const question = readWaiting(webhook);
				return question && isLeftover(question, own, 0);
			});
			for (const webhook of expected) {
				const { n8n, n8nWait } = webhook.customAttributes as { n8n: { instanceId: string }; n8nWait: { deadline: string; executionId: string } };
				expect(n8n.instanceId).toBe('here');
				expect(Date.parse(n8nWait.deadline) <= 0 || n8nWait.executionId === executionId).toBe(true);
			}
			expect(channel.deleted.sort()).toEqual(expected.map(({ id }) => id).sort());
		}),
	);
});

describe('the watch over deadlines', () => {
	test('sweeps once for several deadlines, then at the next that the sweep found, and again after a failure', async () => {
		const clock = new VirtualClock();
		const watch = new DeadlineWatch(
			() => clock.now(),
			async (milliseconds) => await clock.sleep(milliseconds),
		);
		const sweeps: Array<[string, number]> = [];
		const found: Array<number | Error | undefined> = [5000, new Error('unreachable'), undefined];
		const sweepAs = (name: string) => async () => {
			sweeps.push([name, clock.now()]);
			const next = found.shift();
			if (next instanceof Error) throw next;
			return await Promise.resolve(next);
		};
		watch.watch('channel', 9000, sweepAs('first'));
		watch.watch('channel', 2000, sweepAs('second'));
		watch.watch('channel', 4000, sweepAs('third'));
		await clock.sleep(500_000);
		expect(sweeps).toEqual([
			['third', 3000],
			['third', 6000],
			['third', 67_000],
		]);
		watch.watch('channel', clock.now(), sweepAs('later'));
		await clock.sleep(2000);
		expect(sweeps).toHaveLength(4);
	});

	test('waits longer than a timer can', async () => {
		const clock = new VirtualClock();
		const pauses: number[] = [];
		const watch = new DeadlineWatch(
			() => clock.now(),
			async (milliseconds) => {
				pauses.push(milliseconds);
				await clock.sleep(milliseconds);
			},
		);
		let swept = 0;
		watch.watch('channel', 60 * 24 * HOUR, async () => {
			swept = clock.now();
			return await Promise.resolve(undefined);
		});
		await clock.sleep(61 * 24 * HOUR);
		expect(swept).toBe(60 * 24 * HOUR + 1000);
		expect(Math.max(...pauses)).toBeLessThan(2 ** 31);
	});
});
