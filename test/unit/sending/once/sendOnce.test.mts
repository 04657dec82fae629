import type { OnceKey } from '#nodes/sending/once/entries.ts';
import type { KeyState } from '#nodes/sending/once/keyLocks.ts';
import { type OnceSettings, sendOnce, unknownOutcome } from '#nodes/sending/once/sendOnce.ts';
import { failure, lost, refused } from '../fakeService.mts';

const ONCE = { key: 'order 1', fingerprint: 'content' };

/** Sends a text under a key in some state. @returns the result, and the calls after the claim */
async function send(
	claim: KeyState,
	sending: () => Promise<string | undefined>,
	settings: OnceSettings<string> = {},
) {
	const told: string[] = [];
	let isTried = false;
	const tell = (word: string) => async () => void (await Promise.resolve(told.push(word)));
	const keys = {
		claim: async () => await Promise.resolve(claim),
		confirm: async (_once: OnceKey, covered: readonly OnceKey[] = []) =>
			await tell(['confirm', ...covered.map(({ key }) => key)].join(' '))(),
		free: tell('free'),
		leaveInDoubt: () => void told.push('leaveInDoubt'),
	};
	const isTriedNow = async () => {
		isTried = true;
		return await sending();
	};
	const result = await sendOnce('text', ONCE, keys, isTriedNow, settings).catch(
		(error: unknown) => error,
	);
	return { result, told, isTried };
}

const accepted = async () => await Promise.resolve('id');

const failing = (error: Error) => () => Promise.reject<string>(error);

test('a free key is confirmed after sending, and freed if nothing was sent', async () => {
	expect(await send('new', accepted)).toEqual({ result: 'id', told: ['confirm'], isTried: true });
	const stopped = async () => await Promise.resolve(undefined);
	expect(await send('new', stopped)).toEqual({ result: undefined, told: ['free'], isTried: true });
});

test('what a message covers is confirmed with it', async () => {
	const coveredBy = (result: string) => [{ key: `part of ${result}`, fingerprint: 'content' }];
	expect((await send('new', accepted, { coveredBy })).told).toEqual(['confirm part of id']);
});

test.each<[string, Error, object, string]>([
	['a certain failure frees the key', refused(), { reason: 'rejected' }, 'free'],
	['an unknown outcome keeps it', lost(), { reason: 'timeout' }, 'leaveInDoubt'],
	[
		'what is unlikely keeps it, and is told as an unknown outcome',
		failure('service_error', 'unlikely'),
		{ reason: 'unknown_outcome', failure: { effect: 'unknown', cause: 'service_error' } },
		'leaveInDoubt',
	],
])('%s', async (_what, error, result, told) => {
	expect(await send('new', failing(error))).toMatchObject({ result, told: [told] });
});

test('a key in doubt is sent again where that was chosen, and only there', async () => {
	const sendAgain = { sendAgain: true };
	const asked: boolean[] = [];
	const claim = async (_once: OnceKey, takesDoubt: boolean) => {
		asked.push(takesDoubt);
		return await Promise.resolve<KeyState>('sent');
	};
	const keys = { claim, confirm: jest.fn(), free: jest.fn(), leaveInDoubt: jest.fn() };
	for (const settings of [{}, sendAgain]) await sendOnce('text', ONCE, keys, accepted, settings);
	expect(asked).toEqual([false, true]);
	for (const claim of ['sent', 'reused', 'doubt'] as const)
		expect(await send(claim, accepted, sendAgain)).toMatchObject({ told: [], isTried: false });
	const unlikely = failing(failure('service_error', 'unlikely'));
	expect(await send('new', unlikely, sendAgain)).toMatchObject({
		result: { reason: 'unknown_outcome', hint: expect.stringMatching(/retry sends it again/) },
		told: ['leaveInDoubt'],
	});
});

test.each<[KeyState, unknown]>([
	['sent', 'alreadySent'],
	['doubt', { reason: 'unknown_outcome', failure: { effect: 'unknown' } }],
	['reused', { reason: 'key_reused', failure: { effect: 'none' } }],
])('a used key sends nothing: %s', async (claim, result) => {
	expect(await send(claim, accepted)).toMatchObject({ result, told: [], isTried: false });
});

test('the error about an unknown outcome reads as a sentence', () => {
	expect(unknownOutcome('text', 'a cause').message).toContain('tell whether the text was sent');
	expect(unknownOutcome('buttons', 'a cause').message).toContain('the buttons were sent');
});
