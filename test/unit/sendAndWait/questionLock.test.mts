import * as fc from 'fast-check';

import type { CreateWebhookRequest, WebhookWithSecret } from '#nodes/service/contract/index.ts';
import type { WebhookApi } from '#nodes/service/webhooks.ts';
import {
	attributesOf,
	isLeftover,
	sweep,
} from '#nodes/resources/message/sendAndWait/inChat/temporaryWebhook.ts';
import type { PersonToAsk } from '#nodes/resources/message/sendAndWait/inChat/lock.ts';
import { lockQuestion, QueuePlaces } from '#nodes/resources/message/sendAndWait/inChat/lock.ts';
import { readWaiting, markerOf } from '#nodes/replies/questionMark.ts';
import { VirtualClock } from '../../support/clocks.mts';
import { CHANNEL } from '../../support/constants.mts';
import { runs } from '../../support/runs.mts';

const markOf = (key: string, channelId: string, recipient: string) =>
	markerOf(key).person(channelId, recipient);
const KEY = 'a secret key';
const addressee = (recipient: string): PersonToAsk => ({
	recipient,
	mark: markOf(KEY, CHANNEL, recipient),
});
const ana = addressee('5511900000001');
const ben = addressee('5511900000002');
const cleo = addressee('5511900000003');
const ANA = ana.mark;
const HOUR = 3_600_000;
const RESUME_START = 'https://n8n.example.com/webhook-waiting/';

let channels = 0;

/**
 * The webhooks of one channel, each call with a delay. `resolution` is the precision of the
 * service's times, in milliseconds.
 */
class Channel {
	readonly webhooks: WebhookWithSecret[] = [];
	readonly deleted: string[] = [];
	private count = 0;

	constructor(
		readonly clock: VirtualClock,
		private readonly delay: () => number = () => 1,
		private readonly resolution = 1,
	) {}

	readonly api: WebhookApi = {
		/** The process remembers what it deleted. */
		place: `channel ${++channels}`,
		list: async () => await this.call(() => structuredClone(this.webhooks)),
		create: async (request: CreateWebhookRequest) => await this.call(() => this.add(request)),
		get: async () => await Promise.reject(new Error('not used here')),
		update: async () => await Promise.reject(new Error('not used here')),
		delete: async (id) =>
			await this.call(() => {
				this.deleted.push(id);
				this.webhooks.splice(
					this.webhooks.findIndex((webhook) => webhook.id === id),
					1,
				);
			}),
	};

	add({
		url,
		events,
		customAttributes,
	}: Pick<CreateWebhookRequest, 'url' | 'events' | 'customAttributes'>): WebhookWithSecret {
		const createdAt = new Date(
			Math.floor(this.clock.now() / this.resolution) * this.resolution,
		).toISOString();
		// Ids in no order, so that of two with the same time either may have the smaller one.
		const id = `${(this.count * 7919) % 97}-${this.count++}`;
		const webhook: WebhookWithSecret = {
			id,
			url,
			events,
			status: 'ENABLED',
			secret: 'a secret',
			createdAt,
			customAttributes,
		};
		this.webhooks.push(webhook);
		return webhook;
	}

	private async call<T>(work: () => T): Promise<T> {
		await this.clock.sleep(this.delay());
		const result = work();
		await this.clock.sleep(this.delay());
		return result;
	}
}

const mark = (executionId: string, deadline: number, ...recipients: string[]) => ({
	executionId,
	recipient: recipients[0] ?? ANA,
	...(recipients.length > 1 ? { approvers: recipients.slice(1) } : {}),
	deadline: new Date(deadline).toISOString(),
	wrongAnswers: 0,
	sent: [],
});

const requestOf = (
	channel: Channel,
	executionId: string,
	random: () => number,
	addressees: readonly PersonToAsk[] = [ana],
) => ({
	beginWait: (now: number) => new Date(now + HOUR),
	describe: (people: readonly PersonToAsk[]): CreateWebhookRequest => ({
		url: `${RESUME_START}${executionId}/n`,
		events: ['MESSAGE_RECEIVED'],
		customAttributes: attributesOf(
			{ instanceId: 'here', workflowId: 'w', nodeId: 'n' },
			mark(executionId, channel.clock.now() + HOUR, ...people.map(({ mark: of }) => of)),
		),
	}),
	addressees,
	instanceId: 'here',
	resumeStart: RESUME_START,
	executionId,
	onStuck: () => {},
	queue: 10 * HOUR,
	look: async () => 'alive' as const,
	// More than ask in any test.
	places: new QueuePlaces(100),
	clock: channel.clock,
	isCancelled: () => false,
	random,
});

const anyDelays = fc.infiniteStream(fc.integer({ min: 0, max: 20 }));
const anyRandoms = fc.infiniteStream(fc.double({ min: 0, max: 1, noNaN: true }));
const anyTimes = {
	start: fc.integer({ min: 0, max: 50 }),
	holds: fc.integer({ min: 1, max: 2000 }),
};

test('holds no lock twice however many start, gives each its turn in the queue, and leaves nothing', async () => {
	const askers = fc.array(fc.record(anyTimes), { minLength: 2, maxLength: 5 });
	await fc.assert(
		fc.asyncProperty(
			askers,
			anyDelays,
			anyRandoms,
			fc.constantFrom(1, 1000),
			async (list, delay, random, resolution) => {
				const clock = new VirtualClock();
				const channel = new Channel(clock, () => delay.next().value as number, resolution);
				const stranger = channel.add({ url: 'https://example.com', events: ['CONNECTED'] });
				let holding = 0;
				const ask = async ({ start, holds }: { start: number; holds: number }, index: number) => {
					await clock.sleep(start);
					const { made } = await lockQuestion(
						channel.api,
						requestOf(channel, String(index), () => random.next().value as number),
					);
					holding += 1;
					expect(holding).toBe(1);
					await clock.sleep(holds);
					expect(holding).toBe(1);
					holding -= 1;
					await channel.api.delete(made.id);
				};
				await Promise.all(list.map(ask));
				expect(channel.webhooks).toEqual([stranger]);
			},
		),
		{ numRuns: runs(150) },
	);
}, 60_000);

test('asks nobody twice at a time with overlapping people, and asks all of each question in the queue', async () => {
	const groups = fc.array(
		fc.record({ ...anyTimes, people: fc.subarray([ana, ben, cleo], { minLength: 1 }) }),
		{ minLength: 2, maxLength: 4 },
	);
	await fc.assert(
		fc.asyncProperty(groups, anyDelays, anyRandoms, async (list, delay, random) => {
			const clock = new VirtualClock();
			const channel = new Channel(clock, () => delay.next().value as number);
			const asking = new Set<string>();
			const ask = async ({ people, start, holds }: (typeof list)[number], index: number) => {
				await clock.sleep(start);
				const { made, addressees, busy } = await lockQuestion(
					channel.api,
					requestOf(channel, String(index), () => random.next().value as number, people),
				);
				expect({ addressees, busy }).toEqual({ addressees: people, busy: [] });
				for (const { recipient } of people) {
					expect(asking).not.toContain(recipient);
					asking.add(recipient);
				}
				await clock.sleep(holds);
				for (const { recipient } of people) asking.delete(recipient);
				await channel.api.delete(made.id);
			};
			await Promise.all(list.map(ask));
			expect(channel.webhooks).toEqual([]);
		}),
		{ numRuns: runs(100) },
	);
}, 60_000);

test('deletes only its own leftovers', async () => {
	const instances = fc.constantFrom('here', 'there', undefined, 7, '');
	const questions = fc.array(
		fc.record({
			instanceId: instances,
			executionId: fc.constantFrom('1', '2'),
			deadline: fc.integer({ min: -5000, max: 5000 }),
			url: fc.constantFrom(
				...['', `${RESUME_START}7/n?signature=x`, RESUME_START.replace('n8n.', 'N8N.')],
				...[RESUME_START.replace('://', '://a:b@'), 'https://copy.example/webhook-waiting/7/n'],
				`https://n8n.example.com/webhook-test/7`,
			),
			marked: fc.boolean(),
		}),
	);
	await fc.assert(
		fc.asyncProperty(questions, fc.constantFrom('1', undefined), async (list, executionId) => {
			const channel = new Channel(new VirtualClock());
			for (const { instanceId, executionId: of, deadline, marked, url } of list) {
				channel.add({
					url,
					events: [],
					customAttributes: {
						n8n: { instanceId },
						...(marked ? { n8nWait: mark(of, deadline) } : {}),
					},
				});
			}
			const before = structuredClone(channel.webhooks);
			const own = {
				instanceId: 'here',
				resumeStart: RESUME_START,
				...(executionId ? { executionId } : {}),
			};
			await sweep(channel.api, { ...own, onStuck: () => {} }, () => 0);
			// Nobody waits for it.
			await channel.clock.sleep(1000);
			const expected = before.filter((webhook) => {
				const question = readWaiting(webhook);
				return question && isLeftover(question, own, 0);
			});
			for (const webhook of expected) {
				const { n8n, n8nWait } = webhook.customAttributes as {
					n8n: { instanceId: string };
					n8nWait: { deadline: string; executionId: string };
				};
				expect(n8n.instanceId).toBe('here');
				expect(webhook.url.toLowerCase()).toMatch(
					/^https:\/\/n8n\.example\.com\/webhook-waiting\//,
				);
				expect(Date.parse(n8nWait.deadline) <= 0 || n8nWait.executionId === executionId).toBe(true);
			}
			expect(channel.deleted.sort()).toEqual(expected.map(({ id }) => id).sort());
		}),
	);
});
