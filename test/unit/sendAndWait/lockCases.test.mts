/** The lock of a question in the chat, check by check, on a clock that only pauses move. */
import type { CreateWebhookRequest, Webhook } from '#nodes/service/contract/index.ts';
import type { WebhookApi } from '#nodes/service/webhooks.ts';
import type { LockRequest } from '#nodes/resources/message/sendAndWait/inChat/lock.ts';
import { lockQuestion, QueuePlaces } from '#nodes/resources/message/sendAndWait/inChat/lock.ts';
import { HOUR } from './fakes.mts';

const RESUME_START = 'https://n8n.example.com/webhook-waiting/';

/** A webhook that waits for Ana, as the service lists it. */
const waiting = (
	id: string,
	{
		owner = { instanceId: 'another n8n', workflowId: 'w' },
		deadline = HOUR,
		url = `${RESUME_START}41/node?signature=x`,
		executionId = id,
		more = {},
	}: {
		owner?: object;
		deadline?: number;
		url?: string;
		executionId?: string;
		more?: object;
	} = {},
): Webhook => ({
	id,
	url,
	events: [],
	status: 'ENABLED',
	customAttributes: {
		n8n: owner,
		n8nWait: {
			executionId,
			recipient: 'ana',
			deadline: new Date(deadline).toISOString(),
			wrongAnswers: 0,
			...more,
		},
	},
});
const own = waiting('own', { owner: { instanceId: 'here' } });

let channels = 0;

class Channel {
	time = 0;
	readonly pauses: number[] = [];
	/** What was registered at each pause. */
	readonly atPauses: string[][] = [];
	created = 0;
	/** Who was marked in the last request to register. */
	marked: string[] = [];
	/** The ids that could not be deleted. */
	readonly stuck: string[] = [];

	constructor(
		public webhooks: Webhook[],
		/** What is registered at the same time, and how the list shows the node's own webhook. */
		private readonly atOnce: readonly Webhook[] = [own],
		private readonly response: Webhook = own,
	) {}

	get ids(): string[] {
		return this.webhooks.map(({ id }) => id);
	}

	readonly api: WebhookApi = {
		/** The process remembers what it deleted. */
		place: `channel ${++channels}`,
		list: async () => [...this.webhooks],
		create: async (_request: CreateWebhookRequest) => {
			this.created += 1;
			this.webhooks.push(...this.atOnce);
			return this.response;
		},
		get: async () => await Promise.reject(new Error('not used here')),
		update: async () => await Promise.reject(new Error('not used here')),
		delete: async (id) => {
			this.webhooks = this.webhooks.filter((webhook) => webhook.id !== id);
		},
	};

	async lock(changes: Partial<LockRequest> = {}) {
		return await lockQuestion(this.api, {
			describe: (people) => {
				this.marked = people.map(({ mark }) => mark);
				return { url: '', events: [] };
			},
			beginWait: (now) => new Date(now + HOUR),
			addressees: [{ recipient: 'Ana', mark: 'ana' }],
			instanceId: 'here',
			resumeStart: RESUME_START,
			executionId: 'own',
			onStuck: (error) => void this.stuck.push(error.message),
			queue: 0,
			look: async () => 'alive',
			places: new QueuePlaces(3),
			clock: {
				now: () => this.time,
				sleep: async (pause) => {
					this.pauses.push(pause);
					this.atPauses.push(this.ids);
					this.time += pause;
				},
			},
			isCancelled: () => false,
			random: () => 0.5,
			...changes,
		});
	}
}

describe('of two registered at once', () => {
	/** Registered on this day of a month, or at a time that the service does not tell. */
	const on = (webhook: Webhook, day: number | undefined): Webhook =>
		day === undefined ? webhook : { ...webhook, createdAt: `2026-01-0${day}T00:00:00Z` };

	/** Days: of the own one in the response and in the list, and of the other. */
	it.each<[string, number | undefined, number | 'absent' | undefined, number | undefined, boolean]>(
		[
			['the other is older', 2, 2, 1, false],
			['the other is younger', 2, 2, 3, true],
			['both are as old', 2, 2, 2, false],
			['the service tells no times', undefined, undefined, undefined, false],
			['only the own time is known', 2, 2, undefined, false],
			["only the other's time is known", undefined, undefined, 2, true],
			['only the list tells that it is older', undefined, 2, 1, false],
			['the own one is not listed yet, and younger', 2, 'absent', 1, false],
			['the own one is not listed yet, and older', 2, 'absent', 3, true],
		],
	)('when %s', async (_what, responded, listed, otherDay, stays) => {
		const response = on(own, responded);
		const all = [on(waiting('other'), otherDay), ...(listed === 'absent' ? [] : [on(own, listed)])];
		const channel = new Channel([], all, response);
		const locked = channel.lock();
		if (stays) {
			expect((await locked).made).toBe(response);
			expect([channel.pauses, channel.webhooks]).toEqual([[], all]);
		} else {
			await expect(locked).rejects.toMatchObject({ reason: 'question_waiting' });
			// It withdrew at once, and did not register again.
			expect(channel.atPauses[0]).toEqual(['other']);
			expect([channel.created, channel.ids]).toEqual([1, ['other']]);
		}
	});
});

it('stays in the queue for the set time, and no longer', async () => {
	const queue = 500 + 750 + 1125 + 1687.5;
	const channel = new Channel([waiting('other')]);
	await expect(channel.lock({ queue })).rejects.toThrow();
	expect(channel.time).toBe(queue);
});

describe('a restored copy of the database, at another address,', () => {
	const copy = {
		owner: { instanceId: 'here' },
		url: 'https://copy.example.com/webhook-waiting/7/n',
	};

	it('keeps its ended question, and one of an execution with the same ID', async () => {
		const over = waiting('over', { ...copy, deadline: -1000 });
		const channel = new Channel([over]);
		await channel.lock();
		expect(channel.ids).toEqual(['over', 'own']);
		const counted = new Channel([waiting('counted', { ...copy, executionId: 'own' })]);
		await expect(counted.lock()).rejects.toMatchObject({ reason: 'question_waiting' });
		expect(counted.ids).toEqual(['counted']);
	});
});

describe('another question that waits', () => {
	const remedies = {
		0: 'To ask after the other question, let the workflow go on from this error to n8n\'s node "Wait", and back to this node.',
		5000: 'The node waited in the queue for as long as "Max Time in Queue" says.',
	};
	it.each([0, 5000] as const)(
		'is told with what to do, after %d ms in the queue',
		async (queue) => {
			const channel = new Channel([waiting('other')]);
			await expect(channel.lock({ queue })).rejects.toMatchObject({
				message:
					'Could not ask the question: another question to this recipient waits for its reply on this channel',
				hint: `Nothing was sent. The other question waits until ${new Date(HOUR).toISOString()}, in execution other of workflow w. ${remedies[queue]} If that execution was cancelled, delete its webhook other with the operation Webhook → Delete.`,
				failure: { effect: 'none' },
			});
			expect(channel.time).toBeGreaterThanOrEqual(Math.max(queue, 3000));
			expect(channel.ids).toEqual(['other']);
		},
	);

	it('keeps only its people from being asked', async () => {
		const channel = new Channel([
			waiting('other', { more: { recipient: 'cleo', approvers: ['ben'] } }),
		]);
		const [ana, ben, cleo] = ['ana', 'ben', 'cleo'].map((mark) => ({ recipient: mark, mark }));
		const { addressees, busy } = await channel.lock({ addressees: [ana!, ben!] });
		expect([addressees, channel.marked]).toEqual([[ana], ['ana']]);
		const hint = expect.stringContaining('execution other') as string;
		expect(busy).toMatchObject([{ recipient: 'ben', error: { reason: 'question_waiting', hint } }]);
		await expect(channel.lock({ addressees: [ben!, cleo!] })).rejects.toMatchObject({
			reason: 'question_waiting',
		});
	});

	it('does not count if it is to somebody else, over, or earlier in the same execution', async () => {
		const here = { owner: { instanceId: 'here' } };
		const channel = new Channel([
			waiting('of ben', { ...here, more: { recipient: 'ben' } }),
			waiting('over', { deadline: -1000 }),
			waiting('earlier', { ...here, executionId: 'own' }),
		]);
		await channel.lock();
		expect([channel.time, channel.ids]).toEqual([0, ['of ben', 'over', 'own']]);
	});
});

it('gives up the registration if the list fails after it', async () => {
	const channel = new Channel([]);
	const list = channel.api.list.bind(channel.api);
	channel.api.list = async () =>
		channel.created > 0 ? await Promise.reject(new Error('down')) : await list();
	await expect(channel.lock()).rejects.toThrow('down');
	expect([channel.created, channel.ids]).toEqual([1, []]);
});

it('says for a cancelled execution that nothing was sent', async () => {
	const channel = new Channel([waiting('other')]);
	await expect(channel.lock({ isCancelled: () => true })).rejects.toMatchObject({
		message: 'Could not ask the question: the execution was cancelled before it was sent',
		hint: 'Nothing was sent.',
		failure: { effect: 'none' },
	});
});

it('takes the time of its webhook from the list, if the response to the registration lacks it', async () => {
	const at = '2026-01-01T00:00:00.000+0000';
	const listed = { ...own, createdAt: at };
	expect((await new Channel([], [listed], own).lock()).registration.at).toBe(at);
	const responded = { ...own, createdAt: '2026-01-02T00:00:00.000+0000' };
	const { registration } = await new Channel([], [listed], responded).lock();
	expect(registration.at).toBe(responded.createdAt);
	expect(registration.times.end).toBeGreaterThanOrEqual(registration.times.start);
});

/** Whether all are free. */
const areFree = (places: QueuePlaces, count: number): boolean => {
	const taken = Array.from({ length: count + 1 }, () => places.take());
	for (const giveBack of taken) giveBack?.();
	return taken.filter(Boolean).length === count;
};

describe('the places in the queue', () => {
	it.each<[string, (places: QueuePlaces) => Promise<unknown>]>([
		[
			'asked from the queue',
			async (places) => {
				const channel = new Channel([waiting('other')]);
				const locked = channel.lock({ queue: 60_000, places });
				channel.webhooks = [];
				return await locked;
			},
		],
		[
			'was cancelled',
			async (places) => {
				const channel = new Channel([waiting('other')]);
				const request = { queue: 60_000, places, isCancelled: () => channel.time > 0 };
				await expect(channel.lock(request)).rejects.toMatchObject({ reason: 'cancelled' });
				expect(channel.ids).toEqual(['other']);
			},
		],
		[
			'waited in vain',
			async (places) => {
				const locked = new Channel([waiting('other')]).lock({ queue: 60_000, places });
				await expect(locked).rejects.toMatchObject({ reason: 'question_waiting' });
			},
		],
		[
			'failed because of the service',
			async (places) => {
				const channel = new Channel([waiting('other')]);
				const list = channel.api.list.bind(channel.api);
				channel.api.list = async () =>
					channel.time > 0 ? await Promise.reject(new Error('down')) : await list();
				await expect(channel.lock({ queue: 60_000, places })).rejects.toThrow('down');
			},
		],
	])('are free again once an execution %s', async (_what, run) => {
		const places = new QueuePlaces(1);
		await run(places);
		expect(areFree(places, 1)).toBe(true);
	});

	it('refuse at once when none is free, and say what to do', async () => {
		const channel = new Channel([waiting('other')]);
		const locked = channel.lock({ queue: 60_000, places: new QueuePlaces(0) });
		await expect(locked).rejects.toMatchObject({
			reason: 'question_waiting',
			hint: expect.stringContaining(
				'Three executions of this n8n process are in the queue already',
			),
		});
		expect([channel.time, channel.created]).toEqual([0, 0]);
	});
});

describe('a question whose execution is gone', () => {
	const asked = { sent: [null] };
	const gone = waiting('gone', { owner: { instanceId: 'here' }, more: asked });

	it.each([0, 60_000])(
		'gives way to the next question of its person, after two looks ten seconds apart: queue %d',
		async (queue) => {
			const channel = new Channel([gone]);
			const looks: number[] = [];
			const look = async () => {
				looks.push(channel.time);
				return 'gone' as const;
			};
			expect((await channel.lock({ queue, look })).busy).toEqual([]);
			expect(looks).toEqual([0, 10_000]);
			expect(channel.ids).toEqual(['own']);
		},
	);

	it.each([0, 60_000])(
		'is looked at with one of the places, and left to the next question if none is free: queue %d',
		async (queue) => {
			const places = new QueuePlaces(1);
			const isHeld: boolean[] = [];
			const look = jest.fn(async () => {
				const place = places.take();
				isHeld.push(place === undefined);
				place?.();
				return 'gone' as const;
			});
			await new Channel([gone]).lock({ queue, look, places });
			expect(isHeld).toEqual([true, true]);
			expect(areFree(places, 1)).toBe(true);
			const leave = places.take();
			const locked = new Channel([gone]).lock({ queue, look, places });
			await expect(locked).rejects.toMatchObject({ reason: 'question_waiting' });
			expect(look).toHaveBeenCalledTimes(2);
			leave?.();
		},
	);

	it.each(['alive', 'running', 'unknown'] as const)(
		'stays if the second look does not say so, but: %s',
		async (second) => {
			const channel = new Channel([gone]);
			const verdicts = ['gone' as const, second];
			const look = async () => verdicts.shift() ?? 'gone';
			await expect(channel.lock({ look })).rejects.toMatchObject({ reason: 'question_waiting' });
			expect(channel.ids).toEqual(['gone']);
		},
	);

	it.each<[string, Webhook]>([
		['is of another n8n', waiting('other', { more: asked })],
		[
			'goes to another address',
			waiting('elsewhere', {
				owner: { instanceId: 'here' },
				url: 'https://copy.example.com/webhook-waiting/1/node',
				more: asked,
			}),
		],
	])('is not looked at if it %s', async (_what, webhook) => {
		const channel = new Channel([webhook]);
		const look = jest.fn(async () => 'gone' as const);
		await expect(channel.lock({ look })).rejects.toMatchObject({ reason: 'question_waiting' });
		expect(look).not.toHaveBeenCalled();
	});

	it('is not removed by an execution that is cancelled between the looks', async () => {
		const channel = new Channel([gone]);
		const clock = { now: () => channel.time, sleep: async () => {} };
		const request = { look: async () => 'gone' as const, clock, isCancelled: () => true };
		await expect(channel.lock(request)).rejects.toMatchObject({ reason: 'cancelled' });
		expect(channel.ids).toEqual(['gone']);
	});

	it('is counted as waiting if it cannot be removed, and the log is told', async () => {
		const channel = new Channel([gone]);
		channel.api.delete = async () => await Promise.reject(new Error('not today'));
		const look = async () => 'gone' as const;
		await expect(channel.lock({ look })).rejects.toMatchObject({ reason: 'question_waiting' });
		expect(channel.stuck).toContain('not today');
	});
});

it('is held by no question that was answered, whose webhook stays for a moment', async () => {
	const taken = waiting('taken', {
		owner: { instanceId: 'here' },
		executionId: 'own',
		more: { version: 3, took: 'a message', sent: [null] },
	});
	const channel = new Channel([taken]);
	await channel.lock();
	expect([channel.time, channel.ids]).toEqual([0, ['taken', 'own']]);
});
