import { KeyedQueue } from '../../../nodes/BusinessMessaging/sending/keyedQueue.ts';

/** A job that is under way until it is told to end. */
function heldJob() {
	let end = () => {};
	const ended = new Promise<void>((resolve) => (end = resolve));
	const state = { started: false, end };
	return { state, job: async () => ((state.started = true), await ended) };
}

const settled = async () => await new Promise((resolve) => setImmediate(resolve));

test('a job starts when the earlier ones of its key have ended and a place is free', async () => {
	const queue = new KeyedQueue({ maxConcurrency: 2, maxQueued: 100 });
	const jobs = [heldJob(), heldJob(), heldJob(), heldJob()];
	['a', 'a', 'b', 'c'].forEach((key, index) => queue.add(key, jobs[index]!.job));
	const started = () => jobs.map(({ state }) => state.started);
	await settled();
	expect(started()).toEqual([true, false, true, false]);
	jobs[0]!.state.end();
	await settled();
	// The place went to the one that waited for nothing else.
	expect(started()).toEqual([true, false, true, true]);
	jobs[2]!.state.end();
	await settled();
	expect(started()).toEqual([true, true, true, true]);
	let idle = false;
	void queue.untilIdle().then(() => (idle = true));
	await settled();
	expect(idle).toBe(false);
	for (const { state } of jobs) state.end();
	await settled();
	expect(idle).toBe(true);
});

test('there is no room while twice as many wait as may be under way, however many wait behind one key', async () => {
	const queue = new KeyedQueue({ maxConcurrency: 1, maxQueued: 100 });
	const first = heldJob();
	queue.add('slow', first.job);
	for (let index = 0; index < 50; index++) queue.add('slow', async () => {});
	await queue.untilRoom();
	queue.add('b', async () => {});
	await settled();
	await queue.untilRoom();
	queue.add('c', async () => {});
	await settled();
	let room = false;
	const asked = queue.untilRoom().then(() => (room = true));
	await settled();
	expect(room).toBe(false);
	first.state.end();
	await asked;
	await queue.untilIdle();
});

test('there is no room while as many wait as are let in, even behind one key', async () => {
	const queue = new KeyedQueue({ maxConcurrency: 5, maxQueued: 3 });
	const first = heldJob();
	queue.add('a', first.job);
	await settled();
	for (let index = 0; index < 3; index++) {
		await queue.untilRoom();
		queue.add('a', async () => {});
	}
	let room = false;
	const asked = queue.untilRoom().then(() => (room = true));
	await settled();
	expect(room).toBe(false);
	first.state.end();
	await asked;
});
