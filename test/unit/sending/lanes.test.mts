import { runInLanes } from '../../../nodes/BusinessMessaging/sending/lanes.ts';

async function* numbers(count: number) {
	for (let number = 0; number < count; number++) yield await Promise.resolve(number);
}

test('the first jobs start one by one, so that their answers do not come all at once; later ones start as soon as a place is free', async () => {
	let pauses = 0;
	const startedAfterPauses: number[] = [];
	const letOthersRun = async () => {
		await new Promise((resolve) => setImmediate(resolve));
		pauses++;
	};
	const work = async (job: number) => {
		startedAfterPauses.push(pauses);
		// Until all four places are taken.
		while (job < 4 && startedAfterPauses.length < 4) await new Promise((resolve) => setImmediate(resolve));
	};
	await runInLanes(numbers(6), String, work, { maxConcurrency: 4, isStopped: () => false, letOthersRun });
	expect(startedAfterPauses.slice(0, 4)).toEqual([0, 1, 2, 3]);
	expect(startedAfterPauses).toHaveLength(6);
});

test('stopped in the pause between two first jobs, it starts no other and still waits for the one under way', async () => {
	let stopped = false;
	let ended = 0;
	const work = async () => {
		await new Promise((resolve) => setImmediate(resolve));
		ended++;
	};
	const letOthersRun = async () => {
		stopped = true;
		await Promise.resolve();
	};
	await runInLanes(numbers(6), String, work, { maxConcurrency: 4, isStopped: () => stopped, letOthersRun });
	expect(ended).toBe(1);
});
