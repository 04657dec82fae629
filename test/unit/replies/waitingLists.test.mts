import { type WaitingList, WaitingLists } from '#nodes/replies/waitingLists.ts';
import { markerOf } from '#nodes/replies/questionMark.ts';
import { PlayedClock, playTimeouts, settled } from '../../support/clocks.mts';
import { CHANNEL, OTHER_CHANNEL } from '../../support/constants.mts';

const place = { account: 'account', channelId: CHANNEL };
const marker = markerOf('key');

afterEach(() => jest.restoreAllMocks());

/** Lists whose readings the test answers. */
function played() {
	const clock = new PlayedClock(0.37);
	playTimeouts(clock);
	const lists = new WaitingLists(clock);
	const timeouts: number[] = [];
	const answers: Array<(list?: WaitingList) => void> = [];
	const read = async (timeout: number) => {
		timeouts.push(timeout);
		return await new Promise<WaitingList>((resolve, reject) =>
			answers.push((list) => (list ? resolve(list) : reject(new Error('no list')))),
		);
	};
	const ask = (how: 'recent' | 'fresh', at = place) => lists[how](at, read, clock.now() + 12_000);
	const answer = async (index: number, list?: WaitingList) => {
		answers[index]?.(list);
		await settled();
	};
	return { clock, lists, timeouts, answers, ask, answer };
}
const list = (): WaitingList => ({ questions: [], marker });

it('shares one reading, keeps it for two seconds, and keeps that it failed', async () => {
	const { clock, answers, ask, answer } = played();
	const both = [ask('recent'), ask('recent')];
	const first = list();
	await answer(0, first);
	expect(await Promise.all(both)).toEqual([first, first]);
	await clock.pass(1999);
	expect(await ask('recent')).toBe(first);
	await clock.pass(1.5);
	const second = ask('recent');
	await answer(1);
	expect(await second).toBeUndefined();
	await clock.pass(1999);
	expect(await ask('recent')).toBeUndefined();
	expect(answers).toHaveLength(2);
	await clock.pass(1);
	void ask('recent');
	expect(answers).toHaveLength(3);
});

it('reads for each channel and account', async () => {
	const { answers, ask } = played();
	void ask('recent');
	void ask('recent', { ...place, channelId: CHANNEL.toLowerCase() });
	expect(answers).toHaveLength(1);
	void ask('recent', { ...place, account: 'another' });
	void ask('recent', { ...place, channelId: OTHER_CHANNEL });
	expect(answers).toHaveLength(3);
});

it('a fresh list was requested after the call, one at a time, for all who came meanwhile', async () => {
	const { answers, ask, answer } = played();
	const before = ask('recent');
	const calls = [ask('fresh'), ask('fresh'), ask('fresh')];
	expect(answers).toHaveLength(1);
	const [old, fresh] = [list(), list()];
	await answer(0, old);
	expect(answers).toHaveLength(2);
	await answer(1, fresh);
	expect(await before).toBe(old);
	for (const call of calls) expect(await call).toBe(fresh);
	const [third, fourth] = [ask('fresh'), ask('fresh')];
	const newest = list();
	await answer(2, old);
	await answer(3, newest);
	expect(await Promise.all([third, fourth])).toEqual([old, newest]);
	expect(await fourth).toBe(newest);
});

it('a reading from before a question was asked counts for nobody who comes after it', async () => {
	const { lists, answers, ask, answer } = played();
	const before = ask('recent');
	lists.noteAsked(place);
	const after = ask('recent');
	const [old, newer] = [list(), list()];
	await answer(0, old);
	await answer(1, newer);
	expect(await before).toBe(old);
	expect(await after).toBe(newer);
	expect(await ask('recent')).toBe(newer);
	expect(answers).toHaveLength(2);
	lists.noteAsked(place);
	void ask('recent');
	expect(answers).toHaveLength(3);
});

it('waits for a list no longer than five seconds, nor than its delivery, which ends no reading', async () => {
	const { clock, lists, timeouts, answer, ask } = played();
	const read = async (timeout: number) => {
		timeouts.push(timeout);
		throw new Error('no list');
	};
	await lists.fresh(place, read, clock.now() + 12_000);
	expect(timeouts).toEqual([5000]);
	const whole = ask('fresh');
	const ends: number[] = [];
	for (const left of [700, 0, -1])
		void lists
			.fresh(place, read, clock.now() + left)
			.then((found) => ends.push(found ? Number.NaN : clock.now()));
	const start = clock.now();
	await clock.pass(1000);
	expect(ends.map((end) => Math.round(end - start))).toEqual([1, 1, 700]);
	const found = list();
	await answer(0, found);
	expect(await whole).toBe(found);
	expect(timeouts).toEqual([5000, 5000, 5000]);
});

it('forgets the channel first that was not used for the longest time', async () => {
	const { lists } = played();
	const read = jest.fn(async () => list());
	const use = async (index: number) =>
		await lists.recent({ ...place, channelId: `channel ${index}` }, read, Infinity);
	for (let index = 0; index < 500; index += 1) await use(index);
	await use(0);
	expect(read).toHaveBeenCalledTimes(500);
	await use(500);
	await use(0);
	expect(read).toHaveBeenCalledTimes(501);
	await use(1);
	expect(read).toHaveBeenCalledTimes(502);
});
