/** Messages that wait for a Send Once Key, and what they leave behind. */
import { setImmediate as nextRound } from 'node:timers/promises';

import { OnceKeys } from '#nodes/sending/once/keys.ts';
import { entriesOf } from '#nodes/sending/once/entries.ts';
import type { ServiceError } from '#nodes/service/errors/index.ts';
import { closed, failure, jobsTo, recipients, send, sharedWith } from '../fakeService.mts';
import { type Sending, templateInstead } from '../fakeService.mts';
import { VirtualClock } from '../../../support/clocks.mts';
import { Memory, processKeys, untilIdle } from './memory.mts';

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const slowDown = (wait: number) => failure('rate_limited', 'none', wait);
const errorOf = (sent: Awaited<ReturnType<typeof send>>, index = 0) => {
	const outcome = sent.outcomes.get(index);
	return outcome && 'error' in outcome ? (outcome.error as ServiceError) : undefined;
};

/** Keys of one node in this process. */
function keysOfNode(memory = new Memory(), keys = processKeys()) {
	const onceKeys: NonNullable<Sending['onceKeys']> = {
		claim: async (once, takesDoubt, waits) => await keys.claim(once, memory, takesDoubt, waits),
		confirm: async (once, covered) => await keys.confirm(once, memory, covered),
		free: async (once) => await keys.free(once, memory),
		leaveInDoubt: (once) => keys.leaveInDoubt(once),
	};
	return { onceKeys, keys };
}
const orHangs = async <Result,>(work: Promise<Result>) =>
	await Promise.race([
		work,
		new Promise<'hangs'>((resolve) => setTimeout(() => resolve('hangs'), 5000)),
	]);

describe('twelve items with one key, ten places, and a 429', () => {
	const jobs = jobsTo(recipients(12)).map((job) => ({
		...{ ...job, once: { key: 'one', fingerprint: 'x' } },
	}));
	const failures = () => ({ 'text 0': [slowDown(SECOND)] });

	test('end, and send once', async () => {
		const sent = await orHangs(send(jobs, { ...keysOfNode(), failures: failures() }));
		if (sent === 'hangs') throw new Error(sent);
		expect([sent.outcomes.size, sent.accepted]).toEqual([12, ['text 0']]);
	});

	test('end when the execution is cancelled, and leave the key to the next', async () => {
		const cancel = new AbortController();
		const clock = new VirtualClock(cancel.signal);
		void clock.sleep(500).then(() => cancel.abort());
		const { onceKeys, keys } = keysOfNode();
		const given = { onceKeys, clock, signal: cancel.signal, failures: failures() };
		const sent = await orHangs(send(jobs, given));
		if (sent === 'hangs') throw new Error(sent);
		expect(sent.outcomes.size).toBe(0);
		await untilIdle(keys);
		expect((await send(jobs.slice(0, 1), { onceKeys })).accepted).toEqual(['text 0']);
	});
});

test.each([
	['one recipient', () => 'a'],
	['a recipient each', (index: number) => `${index}`],
])('500 items with one key, to %s: one is sent, and no timer is left', async (_to, recipient) => {
	const jobs = jobsTo(recipients(500).map((_, index) => recipient(index))).map((job) => ({
		...{ ...job, once: { key: 'one', fingerprint: job.recipient } },
	}));
	const clock = new VirtualClock();
	const memory = new Memory();
	const sleep = jest.spyOn(clock, 'sleep');
	const onWait = jest.fn();
	const { outcomes, accepted } = await send(jobs, { ...keysOfNode(memory), clock, onWait });
	expect([outcomes.size, accepted, clock.timers]).toEqual([500, ['text 0'], 0]);
	expect(sleep.mock.calls.length).toBeLessThan(20);
	expect(memory.calls).toBeLessThan(10);
	expect(onWait).not.toHaveBeenCalled();
});

test('a message is written as begun in the call that writes the one before as sent', async () => {
	const memory = new Memory();
	const inDoubt: number[] = [];
	const record = memory.record.bind(memory);
	let sent = 0;
	memory.record = async (values) => {
		const known = await record(values);
		sent += (values.length - known.size) % 2;
		// Three entries for each key that was sent, and two for one in doubt.
		inDoubt.push((memory.stored.length - 3 * sent) / 2);
		return known;
	};
	const jobs = jobsTo(recipients(50)).map((job) => ({
		...{ ...job, once: { key: job.text, fingerprint: 'x' } },
	}));
	const keys = new OnceKeys(500, async () => await nextRound());
	const { accepted } = await send(jobs, { ...keysOfNode(memory, keys), maxConcurrency: 1 });
	expect([accepted.length, memory.calls]).toEqual([50, 51]);
	expect(inDoubt).toEqual([...jobs.map(() => 1), 0]);
});

test('who waits for a key for 15 minutes fails for that, and blames nobody else', async () => {
	const clock = new VirtualClock();
	const shared = { clock, ...sharedWith(clock), ...keysOfNode() };
	const [first, behind] = jobsTo(['a', 'a']).map((job) => ({
		...{ ...job, once: { key: job.text === 'text 0' ? 'one' : 'two', fingerprint: 'x' } },
	}));
	void send([first!], { ...shared, latency: 40 * MINUTE });
	await clock.sleep(1);
	const onWait = jest.fn();
	const failures = { 'text 1': [slowDown(14 * MINUTE)] };
	const sent = await send([first!, behind!], { ...shared, failures, onWait, latency: 0 });
	expect(errorOf(sent)).toMatchObject({
		...{ reason: 'key_waiting', message: expect.stringContaining('its Send Once Key') as string },
		details: { retryAt: expect.any(String) as string },
	});
	expect([errorOf(sent, 1), onWait.mock.calls]).toEqual([undefined, [[14 * MINUTE]]]);
});

test('three executions wait for the service, or for a key whose holder does, and the others fail', async () => {
	const clock = new VirtualClock();
	const shared = { clock, ...sharedWith(clock), ...keysOfNode(), latency: 100 };
	const sendOne = async () => {
		const jobs = jobsTo(['a']).map((job) => ({ ...job, once: { key: 'k', fingerprint: 'x' } }));
		return await send(jobs, { ...shared, failures: { 'text 0': [slowDown(MINUTE)] } });
	};
	const first = sendOne();
	await clock.sleep(150);
	const others = await Promise.all(Array.from({ length: 4 }, sendOne));
	expect(others.map((sent) => errorOf(sent)?.reason)).toEqual([
		...[undefined, undefined, 'key_waiting', 'key_waiting'],
	]);
	expect(errorOf(await first)).toBeUndefined();
});

test('of a list whose messages are replaced by a template, no more keys are begun than messages are under way', async () => {
	const clock = new VirtualClock();
	const jobs = jobsTo(recipients(50)).map((job) => ({
		...{ ...job, once: { key: job.text, fingerprint: 'x' } },
	}));
	const entries = jobs.map(({ once }) => entriesOf(once));
	let mostInDoubt = 0;
	class WatchedMemory extends Memory {
		override async record(values: string[]): Promise<Set<string>> {
			const known = await super.record(values);
			const stored = new Set(this.stored);
			const inDoubt = entries.filter(({ begun, sent }) => stored.has(begun) && !stored.has(sent));
			mostInDoubt = Math.max(mostInDoubt, inDoubt.length);
			return known;
		}
	}
	const failures = Object.fromEntries(jobs.map(({ text }) => [text, [closed()]]));
	const { accepted } = await send(jobs, {
		...{ clock, ...keysOfNode(new WatchedMemory()), failures, insteadOf: templateInstead },
		...{ latency: ({ index }) => 20 + (index % 7) * 5, maxConcurrency: 5 },
	});
	expect([new Set(accepted).size, accepted.length, mostInDoubt]).toEqual([50, 50, 5]);
});
