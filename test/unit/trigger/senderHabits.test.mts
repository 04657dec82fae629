import { SenderHabits } from '../../../nodes/BusinessMessaging/trigger/senderHabits.ts';

/** Lets deliveries wait one after the other. @param written when the message of each was, and @param waited how long each waits, milliseconds */
function oneByOne(habits: SenderHabits, written: number[], waited = 3000, node = 'node') {
	return written.map((moment) => {
		const arriving = habits.arrive(node, moment);
		return arriving ?? habits.leave(node, moment, waited, false);
	});
}

const told = (answers: unknown[]) => answers.filter((answer) => answer !== undefined);
/** Messages that were each written a second after the other. */
const everySecond = (count: number) => Array.from({ length: count }, (_, index) => index * 1000);

it('notices, once, that messages written while one waited come only after its answer', () => {
	const habits = new SenderHabits();
	expect(told(oneByOne(habits, everySecond(5)))).toEqual([]);
	expect(oneByOne(habits, [5000])).toEqual(['oneAtATime']);
	expect(told(oneByOne(habits, everySecond(20)))).toEqual([]);
});

it.each([
	[
		'are written later than the one before could wait',
		[0, 3000, 6000, 9000, 12_000, 15_000, 18_000],
	],
	[
		'are written at the end of its wait: they were on their way',
		[0, 2900, 5800, 8700, 11_600, 14_500, 17_400],
	],
	['are written in the middle of its wait', [0, 1500, 3000, 4500, 6000, 7500, 9000]],
	['are older: they come again', [7000, 6000, 5000, 4000, 3000, 2000, 1000]],
	['do not tell when they were written', Array.from({ length: 7 }, () => NaN)],
])('thinks nothing of messages that %s', (_what, written) => {
	expect(told(oneByOne(new SenderHabits(), written))).toEqual([]);
});

it('knows that the service delivers several at once when it sees it', () => {
	const habits = new SenderHabits();
	oneByOne(habits, everySecond(5));
	habits.arrive('node', 5000);
	habits.arrive('node', 5001);
	habits.leave('node', 5000, 3000, false);
	habits.leave('node', 5001, 3000, false);
	expect(told(oneByOne(habits, [5500, 6000, 6500]))).toEqual([]);
});

it('counts anew once it has seen several at once', () => {
	const habits = new SenderHabits();
	oneByOne(habits, everySecond(5));
	for (const written of [0, 1]) expect(habits.arrive('node', written)).toBeUndefined();
	for (const written of [0, 1]) habits.leave('node', written, 3000, false);
	expect(told(oneByOne(habits, [5000, 5100, 5200, 5300, 5400]))).toEqual([]);
	expect(oneByOne(habits, [5500])).toEqual(['oneAtATime']);
});

it('notices messages that were written at the same moment', () => {
	expect(told(oneByOne(new SenderHabits(), [7, 7, 7, 7, 7, 7]))).toEqual(['oneAtATime']);
});

it('notices, once, a sender that goes away again and again', () => {
	const habits = new SenderHabits();
	const give = (isGone: boolean) => {
		habits.arrive('node', NaN);
		return habits.leave('node', NaN, 100, isGone);
	};
	expect(told([true, true, true, true, false, true, true, true, true].map(give))).toEqual([]);
	expect(give(true)).toBe('givesUp');
	expect(told(Array.from({ length: 20 }, () => give(true)))).toEqual([]);
});

it('keeps nodes apart, and remembers no more than a thousand', () => {
	const habits = new SenderHabits();
	oneByOne(habits, everySecond(5), 3000, 'first');
	expect(told(oneByOne(habits, [5000], 3000, 'second'))).toEqual([]);
	for (let node = 0; node < 1000; node++) oneByOne(habits, [0], 3000, String(node));
	expect(told(oneByOne(habits, everySecond(5), 3000, 'first'))).toEqual([]);
});

it('remembers a thousand nodes, and forgets the oldest for one more', () => {
	const habits = new SenderHabits();
	const nodes = Array.from({ length: 1000 }, (_, index) => `node ${index}`);
	for (const node of nodes) oneByOne(habits, everySecond(5), 3000, node);
	oneByOne(habits, [0], 3000, 'one more');
	// Each is a message short of a habit.
	expect(oneByOne(habits, [5000], 3000, 'node 1')).toEqual(['oneAtATime']);
	expect(oneByOne(habits, [5000], 3000, 'node 999')).toEqual(['oneAtATime']);
	expect(told(oneByOne(habits, [5000], 3000, 'node 0'))).toEqual([]);
});
