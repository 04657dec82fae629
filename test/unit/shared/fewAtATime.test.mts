import { setImmediate } from 'node:timers/promises';

import { fewAtATime } from '#nodes/shared/tools/remembered.ts';

const numbers = Array.from({ length: 23 }, (_, number) => number);

it.each([0, 1, 5, 23])(
	'does the work for %d values, five at a time, in their order',
	async (count) => {
		let [atOnce, most] = [0, 0];
		const doubled = await fewAtATime(numbers.slice(0, count), async (number) => {
			most = Math.max(most, ++atOnce);
			// The first take longest.
			for (let turn = number; turn < 23; turn += 1) await setImmediate();
			atOnce -= 1;
			return number * 2;
		});
		expect(doubled).toEqual(numbers.slice(0, count).map((number) => number * 2));
		expect(most).toBe(Math.min(count, 5));
	},
);

it('begins nothing more after a failure', async () => {
	const begun: number[] = [];
	const work = fewAtATime(numbers, async (number) => {
		begun.push(number);
		await setImmediate();
		if (number === 2) throw new Error('broken');
	});
	await expect(work).rejects.toThrow('broken');
	for (let turns = 0; turns < 50; turns += 1) await setImmediate();
	expect(begun.length).toBeLessThan(11);
});
