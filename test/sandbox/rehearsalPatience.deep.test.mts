/** The waits of a rehearsal, on played timers. */
import { pollPatiently, waitForPace } from '#sandbox/rehearsal/patience.mts';

/** Timers on which time passes only in `sleep`. */
function played() {
	let time = 0;
	return {
		now: () => time,
		sleep: async (milliseconds: number) => {
			time += milliseconds;
		},
	};
}

describe('a wait for something expected', () => {
	/** When it ended, and whether it came. @param heldUpUntil @param comesAt milliseconds */
	async function waits(limit: number, heldUpUntil: number, comesAt = Infinity) {
		const timers = played();
		const late: number[] = [];
		const found = await pollPatiently(
			async () => (timers.now() >= comesAt ? true : undefined),
			limit,
			async (isLate) => {
				if (isLate) late.push(timers.now());
				return timers.now() < heldUpUntil;
			},
			timers,
		);
		return { found: found ?? false, at: timers.now(), lateFrom: late[0] };
	}

	it.each<[string, Parameters<typeof waits>, object]>([
		['gives up at its limit', [1000, 0], { found: false, at: 1000 }],
		['takes what comes at its limit', [1000, 0, 1000], { found: true, at: 1000 }],
		['does not give up while words wait', [1000, 5000, 4000], { found: true, at: 4000 }],
		['starts again when they are delivered', [1000, 5000, 5900], { found: true, at: 5900 }],
		['gives up a limit after that', [1000, 5000], { found: false, at: 5975 }],
		['starts again just before its limit, too', [5000, 4900, 9800], { found: true, at: 9800 }],
		['waits without a limit, too', [0, 5000, 4000], { found: true, at: 4000 }],
	])('%s', async (_name, parameters, expected) => {
		expect(await waits(...parameters)).toMatchObject(expected);
	});

	it('knows when it is late', async () => {
		expect(await waits(1000, 5000)).toMatchObject({ lateFrom: 1000 });
	});
});

describe('a customer who reads before writing', () => {
	/** When the customer writes. @param messages when they come */
	async function writes(pace: number, messages: number[], isStopped = false) {
		const timers = played();
		await waitForPace(
			pace,
			async () => {
				const number = messages.filter((time) => time <= timers.now()).length;
				const age = isStopped ? 0 : timers.now() - messages[number - 1]!;
				return number === 0 ? undefined : { number, age };
			},
			timers,
		);
		return timers.now();
	}

	it.each<[string, Parameters<typeof writes>, number]>([
		['at once, if nothing came', [2000, []], 0],
		['a moment after the message', [2000, [0]], 2000],
		['after the rest of the moment', [2000, [-1500]], 500],
		['at once, if the moment has passed', [2000, [-2000]], 0],
		['a moment after the last message', [2000, [0, 1500]], 3500],
		['at once without a pace', [0, [0]], 0],
		['by the time here, if the clock stands still', [2000, [0, 1500], true], 3500],
	])('writes %s', async (_name, parameters, at) => {
		expect(await writes(...parameters)).toBe(at);
	});

	it('does not wait for ever for a workflow that never stops', async () => {
		const every100 = Array.from({ length: 1000 }, (_, index) => index * 100);
		expect(await writes(2000, every100)).toBeLessThan(20_000);
	});
});
