import { setImmediate as tick } from 'node:timers/promises';

import { Turns } from '#nodes/shared/tools/turns.ts';

test('work of one key waits for the work before it, also if that fails, and other keys do not', async () => {
	const turns = new Turns();
	const began: string[] = [];
	let fail = (_error: Error) => {};
	const first = turns.take('a', async () => {
		began.push('first');
		await new Promise((_resolve, reject) => (fail = reject));
	});
	const second = turns.take('a', async () => began.push('second'));
	await turns.take('b', async () => began.push('other'));
	await tick();
	expect(began).toEqual(['first', 'other']);
	fail(new Error('failed'));
	await expect(first).rejects.toThrow('failed');
	expect(await second).toBe(3);
	expect(await turns.take('a', async () => 'at once')).toBe('at once');
});
