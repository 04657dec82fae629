import { steadyClock } from '#nodes/shared/tools/clock.ts';
import { Remembered } from '#nodes/shared/tools/remembered.ts';
import { failure } from '../sending/fakeService.mts';

/** A reading that a test ends. */
function heldReading() {
	let reject = (_error: Error) => {};
	const promise = new Promise<string>((_resolve, fail) => (reject = fail));
	return { read: async () => await promise, reject: (error: Error) => reject(error) };
}

it('reads again for others what a cancelled execution was reading, once for all of them', async () => {
	const memory = new Remembered<string>(1000, 10);
	const first = heldReading();
	const cancelled = memory.get('key', first.read);
	let readings = 0;
	const read = async () => await Promise.resolve(`reading ${++readings}`);
	const others = [memory.get('key', read), memory.get('key', read)];
	first.reject(failure('cancelled', 'unknown'));
	await expect(cancelled).rejects.toMatchObject({ reason: 'cancelled' });
	expect(await Promise.all(others)).toEqual(['reading 1', 'reading 1']);
	expect(await memory.get('key', read)).toBe('reading 1');
});

it('shares a reading that takes longer than it is kept, and keeps a failure as long as it says', async () => {
	let time = 0;
	jest.spyOn(steadyClock, 'now').mockImplementation(() => time);
	const memory = new Remembered<string>(1000, 10, 2000);
	const first = heldReading();
	const both = [memory.get('key', first.read)];
	time = 1500;
	both.push(memory.get('key', async () => 'another'));
	first.reject(failure('timeout', 'unknown'));
	for (const reading of both) await expect(reading).rejects.toMatchObject({ reason: 'timeout' });
	time = 1999;
	await expect(memory.get('key', async () => 'too early')).rejects.toThrow();
	time = 2000;
	expect(await memory.get('key', async () => 'in time')).toBe('in time');
	jest.restoreAllMocks();
});

it('remembers another failure for all who wait', async () => {
	const memory = new Remembered<string>(1000, 10);
	const first = heldReading();
	const all = [memory.get('key', first.read), memory.get('key', async () => 'not read')];
	first.reject(failure('timeout', 'unknown'));
	for (const reading of all) await expect(reading).rejects.toMatchObject({ reason: 'timeout' });
});

it('holds nothing once its time is over, even if nobody asks again', async () => {
	const wakers: Array<() => void> = [];
	const sleep = jest.spyOn(steadyClock, 'sleep');
	sleep.mockImplementation(async () => await new Promise((resolve) => wakers.push(resolve)));
	const memory = new Remembered<string>(300_000, 10, 60_000);
	const held = () => (memory as unknown as { entries: Map<string, unknown> }).entries.size;
	await memory.get('read', async () => 'a long list');
	const failed = memory.get('failed', async () => await Promise.reject(new Error('no')));
	await expect(failed).rejects.toThrow('no');
	expect(held()).toBe(2);
	expect(sleep.mock.calls.map(([wait]) => Math.ceil(wait / 1000))).toEqual([300, 60]);
	for (const wake of wakers) wake();
	await new Promise(setImmediate);
	expect(held()).toBe(0);
	jest.restoreAllMocks();
});
