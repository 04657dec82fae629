import { KeyedQueue } from '../../../nodes/BusinessMessaging/sending/keyedQueue.ts';

/** A job that runs until the test ends it. */
function heldJob() {
	let end = () => {};
	const ended = new Promise<void>((resolve) => (end = resolve));
	const state = { started: false, end };
	return { state, job: async () => ((state.started = true), await ended) };
}

const settled = async () => await new Promise((resolve) => setImmediate(resolve));

test('a job starts when the earlier jobs of its key have ended and the concurrency allows it', async () => {
	const queue = new KeyedQueue({ maxConcurrency: 2, maxQueued: 100 });
	const jobs = [heldJob(), heldJob(), heldJob(), heldJob()];
	['a', 'a', 'b', 'c'].forEach((key, index) => queue.add(key, jobs[index]!.job));
	const started = () => jobs.map(({ state }) => state.started);
	await settled();
	expect(started()).toEqual([true, false, true, false]);
	jobs[0]!.state.end();
	await settled();
	// The job that waited for nothing else started.
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

/** Whether it has room at once, and what resolves when it has. */
async function roomIn(queue: KeyedQueue) {
	let hasRoom = false;
	const asked = queue.untilRoom().then(() => (hasRoom = true));
	await settled();
	return { hasRoom, asked };
}

test('has no room while twice maxConcurrency jobs are ready; jobs behind one key do not count', async () => {
	const queue = new KeyedQueue({ maxConcurrency: 1, maxQueued: 100 });
	const first = heldJob();
	queue.add('slow', first.job);
	for (let index = 0; index < 50; index++) queue.add('slow', async () => {});
	for (const key of ['b', 'c']) {
		await queue.untilRoom();
		queue.add(key, async () => {});
		await settled();
	}
	const { hasRoom, asked } = await roomIn(queue);
	expect(hasRoom).toBe(false);
	first.state.end();
	await asked;
	await queue.untilIdle();
});

test('has no room while maxQueued jobs wait, even behind one key', async () => {
	const queue = new KeyedQueue({ maxConcurrency: 5, maxQueued: 3 });
	const first = heldJob();
	queue.add('a', first.job);
	await settled();
	for (let index = 0; index < 3; index++) {
		await queue.untilRoom();
		queue.add('a', async () => {});
	}
	const { hasRoom, asked } = await roomIn(queue);
	expect(hasRoom).toBe(false);
	first.state.end();
	await asked;
});

test('a job that lends its place lets others start, and goes on once it has a place again', async () => {
	const queue = new KeyedQueue({ maxConcurrency: 1, maxQueued: 100 });
	const [wait, second, third] = [heldJob(), heldJob(), heldJob()];
	let wentOn = false;
	queue.add('a', async () => {
		await queue.lendPlace(wait.job);
		wentOn = true;
	});
	queue.add('a', second.job);
	queue.add('b', third.job);
	await settled();
	expect([second.state.started, third.state.started]).toEqual([false, true]);
	wait.state.end();
	await settled();
	expect(wentOn).toBe(false);
	third.state.end();
	await settled();
	expect([wentOn, second.state.started]).toEqual([true, true]);
	second.state.end();
	await queue.untilIdle();
});
