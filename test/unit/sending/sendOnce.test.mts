import type { Claim } from '../../../nodes/BusinessMessaging/sending/onceKeys.ts';
import { sendOnce, unknownOutcome } from '../../../nodes/BusinessMessaging/sending/sendOnce.ts';
import { failure } from './fakeService.mts';

const ONCE = { key: 'order 1', fingerprint: 'content' };

/** Sends a text under a key that is in some state. @returns what became of it, and what the keys were told after the claim */
async function send(claim: Claim, sending: () => Promise<string | undefined>) {
	const told: string[] = [];
	let isTried = false;
	const tell = (word: string) => async () => void (await Promise.resolve(told.push(word)));
	const keys = {
		claim: async () => await Promise.resolve(claim),
		confirm: tell('confirm'),
		free: tell('free'),
		leaveInDoubt: () => void told.push('leaveInDoubt'),
	};
	const result = await sendOnce('text', ONCE, keys, async () => {
		isTried = true;
		return await sending();
	}).catch((error: unknown) => error);
	return { result, told, isTried };
}

const accepted = async () => await Promise.resolve('id');

test('a free key is confirmed with what was sent, and freed where nothing was', async () => {
	expect(await send('new', accepted)).toEqual({ result: 'id', told: ['confirm'], isTried: true });
	expect(await send('new', async () => await Promise.resolve(undefined))).toEqual({
		result: undefined,
		told: ['free'],
		isTried: true,
	});
});

test('what certainly failed frees the key, and what may have been sent leaves it in doubt', async () => {
	const refused = failure('rejected', 'none');
	const lost = failure('timeout', 'unknown');
	expect(await send('new', () => Promise.reject(refused))).toMatchObject({
		result: refused,
		told: ['free'],
	});
	expect(await send('new', () => Promise.reject(lost))).toMatchObject({
		result: lost,
		told: ['leaveInDoubt'],
	});
});

test('a key that was used sends nothing', async () => {
	expect(await send('sent', accepted)).toEqual({
		result: 'alreadySent',
		told: [],
		isTried: false,
	});
	expect(await send('doubt', accepted)).toMatchObject({
		result: { reason: 'unknown_outcome', failure: { effect: 'unknown' } },
		told: [],
		isTried: false,
	});
	expect(await send('reused', accepted)).toMatchObject({
		result: { reason: 'key_reused', failure: { effect: 'none' } },
		told: [],
		isTried: false,
	});
});

test('the error about an unknown outcome reads as a sentence', () => {
	expect(unknownOutcome('text', 'a cause').message).toContain('tell whether the text was sent');
	expect(unknownOutcome('buttons', 'a cause').message).toContain('the buttons were sent');
});
