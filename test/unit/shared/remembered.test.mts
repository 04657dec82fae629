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
