/** Send Once Keys of executions that are cancelled. */
import { onceKeysIn } from '#nodes/resources/message/batch/onceKey.ts';
import { contextWith } from './actionNode.mts';

const once = { key: 'order', fingerprint: 'x' };
const entries = new Set<unknown>();
const helpers = {
	checkProcessedAndRecord: async (values: unknown[]) => {
		const processed = values.filter((value) => entries.has(value));
		for (const value of values) entries.add(value);
		return await Promise.resolve({ processed });
	},
	removeProcessed: async (values: unknown[]) => {
		for (const value of values) entries.delete(value);
		await Promise.resolve();
	},
};
const keysOf = (signal: AbortSignal) =>
	onceKeysIn(contextWith({}, { signal, helpers }).context, 10);

/** A call to the memory gathers for a moment what else is to be written. */
const soon = async <T,>(claimed: Promise<T>): Promise<T> => {
	await jest.advanceTimersByTimeAsync(50);
	return await claimed;
};

beforeEach(() => jest.useFakeTimers());
afterEach(() => jest.useRealTimers());

it('a key that an execution left behind ends half a minute after it, in doubt', async () => {
	const left = new AbortController();
	expect(await soon(keysOf(left.signal).claim(once, false))).toBe('new');
	const next = keysOf(new AbortController().signal).claim(once, false);
	left.abort();
	await jest.advanceTimersByTimeAsync(29_000);
	expect(await Promise.race([next, Promise.resolve('waits')])).toBe('waits');
	await jest.advanceTimersByTimeAsync(1000);
	expect(await soon(next)).toBe('doubt');
});

it.each(['free', 'leaveInDoubt'] as const)(
	'a key that an execution let go (%s) stays with the next one when the first is cancelled',
	async (letGo) => {
		const given = { key: letGo, fingerprint: 'x' };
		const cancelled = new AbortController();
		const [first, others] = [keysOf(cancelled.signal), keysOf(new AbortController().signal)];
		await soon(first.claim(given, true));
		await soon(Promise.resolve(first[letGo](given)));
		expect(await soon(others.claim(given, true))).toBe('new');
		await jest.advanceTimersByTimeAsync(50);
		cancelled.abort();
		const waiting = others.claim(given, true);
		await jest.advanceTimersByTimeAsync(31_000);
		expect(await Promise.race([waiting, Promise.resolve('waits')])).toBe('waits');
	},
);

it('who waits for a key waits no longer than its execution', async () => {
	const holder = keysOf(new AbortController().signal);
	const other = { key: 'other', fingerprint: 'x' };
	await soon(holder.claim(other, false));
	const cancel = new AbortController();
	const waiting = keysOf(cancel.signal).claim(other, false);
	cancel.abort();
	expect(await soon(waiting)).toBe('stopped');
	holder.leaveInDoubt(other);
});
