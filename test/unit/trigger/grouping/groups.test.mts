import { Groups, type Turn } from '#nodes/trigger/grouping/groups.ts';
import type { GroupRules, Pause } from '#nodes/trigger/groupingSettings.ts';
import { FakeResponse } from '../../../support/fakeResponse.mts';
import { PlayedClock, settled } from '../../../support/clocks.mts';

const byArrival: GroupRules = { mostEvents: 3 };
const pause: Pause = { quietTime: 3000, longestWait: 8000, mostWaiting: 10 };
const byCustomer = { ...byArrival, pause };

let clock: PlayedClock;
let groups: Groups<string>;

beforeEach(() => {
	clock = new PlayedClock();
	groups = new Groups(clock);
});

interface Entered {
	response: FakeResponse;
	/** Undefined while it waits. */
	turn: Turn<string> | undefined;
}

/** Lets a delivery in. @param since when its request came */
async function enter(
	content: string | Promise<string | undefined>,
	rules = byArrival,
	key = 'node',
	events = 1,
	since = clock.now(),
) {
	const entered: Entered = { response: new FakeResponse(), turn: undefined };
	void groups
		.enter(
			key,
			{ content: Promise.resolve(content), events, since, response: entered.response },
			rules,
		)
		.then((turn) => (entered.turn = turn));
	await settled();
	return entered;
}

/** n8n's response to what a leader started. */
async function end({ response }: Entered, status: number): Promise<void> {
	response.end(status);
	await settled();
}
async function goAway({ response }: Entered): Promise<void> {
	response.close();
	await settled();
}
/** It waits for exactly this long. */
async function startsAfter(entered: Entered, milliseconds: number, turn: Turn<string> | object) {
	await clock.pass(milliseconds - 1);
	expect(entered.turn).toEqual(WAITS);
	await clock.pass(1);
	expect(entered.turn).toEqual(turn);
}

const leads = (...contents: string[]) => ({ role: 'leader', contents });
const WAITS = undefined;
const STORED = { role: 'follower', stored: true };
const NOT_STORED = { role: 'follower', stored: false };
const GONE = { role: 'gone' };
/** Deliveries with nothing left to wait for. */
const EMPTY = { waiting: 0, groups: 0, storing: 0 };

describe('by arrival', () => {
	it("keeps the order of the requests' arrival, whatever the order of their entry", async () => {
		const first = await enter('a');
		await clock.pass(2);
		const late = await enter('c', byArrival, 'node', 1, 2);
		const early = await enter('b', byArrival, 'node', 1, 1);
		await end(first, 200);
		expect([early.turn, late.turn]).toEqual([WAITS, leads('b', 'c')]);
	});

	it('puts all deliveries that came while an execution was stored into the next one', async () => {
		const first = await enter('a');
		expect([first.turn, clock.sleeping]).toEqual([leads('a'), 0]);
		const [second, third] = [await enter('b'), await enter('c')];
		expect([second.turn, third.turn]).toEqual([WAITS, WAITS]);
		await end(first, 200);
		expect([second.turn, third.turn]).toEqual([leads('b', 'c'), WAITS]);
		await end(second, 200);
		expect(third.turn).toEqual(STORED);
		expect(groups.size).toEqual(EMPTY);
		expect(clock.sleeping).toBe(0);
	});

	it.each([500, 503, 404, 302, 199])(
		'starts the next group after a %s, and tells its followers of one',
		async (status) => {
			const first = await enter('a');
			const [second, third] = [await enter('b'), await enter('c')];
			await end(first, status);
			expect(second.turn).toEqual(leads('b', 'c'));
			await end(second, status);
			expect(third.turn).toEqual(NOT_STORED);
		},
	);

	it('counts no longer who left', async () => {
		const four = { ...byCustomer, mostEvents: 4 };
		const first = await enter('a', four);
		await goAway(await enter('bb', four, undefined, 2));
		await enter('c', four);
		await enter('d', four);
		expect(first.turn).toEqual(WAITS);
		await enter('e', four);
		expect(first.turn).toEqual(leads('a', 'c', 'd', 'e'));
	});

	it('starts a full group at once', async () => {
		await enter('a');
		const [second, third] = [await enter('b'), await enter('c')];
		const fourth = await enter('d');
		expect([second.turn, third.turn, fourth.turn]).toEqual([leads('b', 'c', 'd'), WAITS, WAITS]);
		expect((await enter('e')).turn).toEqual(WAITS);
	});

	it('starts a group that a delivery of several events would overfill, and lets the delivery wait', async () => {
		await enter('a');
		const second = await enter('b');
		const third = await enter('cde', byArrival, 'other', 2);
		expect([second.turn, third.turn]).toEqual([WAITS, leads('cde')]);
		const fourth = await enter('fg', byArrival, 'other', 2);
		const fifth = await enter('hi', byArrival, 'other', 2);
		expect([fourth.turn, fifth.turn]).toEqual([leads('fg'), WAITS]);
	});
});

describe('by customer', () => {
	it('waits for a pause after the last one', async () => {
		const first = await enter('a', byCustomer);
		await clock.pass(2999);
		const second = await enter('b', byCustomer);
		await clock.pass(2999);
		expect([first.turn, second.turn]).toEqual([WAITS, WAITS]);
		await clock.pass(1);
		expect([first.turn, second.turn]).toEqual([leads('a', 'b'), WAITS]);
	});

	it('waits at most the longest wait after the first one', async () => {
		const rules = { ...byCustomer, mostEvents: 100 };
		const first = await enter('0', rules);
		for (const content of ['1', '2', '3']) {
			await clock.pass(2500);
			await enter(content, rules);
		}
		await startsAfter(first, 500, leads('0', '1', '2', '3'));
	});

	it('counts the longest wait from the arrival of the first request, even if that was held up', async () => {
		await clock.pass(10_000);
		const patient = { ...byCustomer, pause: { ...pause, quietTime: 8000 } };
		const late = await enter('a', patient, 'node', 1, 4000);
		await startsAfter(late, 2000, leads('a'));
		late.response.end(200);
		const tooLate = await enter('b', byCustomer, 'node', 1, 0);
		expect(tooLate.turn).toEqual(leads('b'));
		expect(clock.sleeping).toBe(0);
	});

	it('keeps the order of a customer: a ready group waits until the previous one is stored', async () => {
		const first = await enter('a', byCustomer);
		await clock.pass(3000);
		const second = await enter('b', byCustomer);
		await clock.pass(20_000);
		expect(second.turn).toEqual(WAITS);
		await end(first, 200);
		expect(second.turn).toEqual(leads('b'));
	});
});

describe('while it is not clear whose a message is', () => {
	/** A message, and who tells whose it is. */
	const unclear = async () => {
		let judge!: (content: string | undefined) => void;
		const entered = await enter(new Promise((resolve) => (judge = resolve)), byCustomer);
		return { entered, judge: async (content?: string) => (judge(content), await settled()) };
	};

	it.each([1, 1500, 2999])('has its place by its arrival, known after %s ms', async (known) => {
		const first = await unclear();
		await clock.pass(known);
		await first.judge('a');
		await clock.pass(3400 - known);
		expect(first.entered.turn).toEqual(leads('a'));
		first.entered.response.end(200);
		await startsAfter(await enter('b', byCustomer), 3000, leads('b'));
	});

	it('joins what comes within its pause, and nothing that comes after it', async () => {
		const [first, second] = [await unclear(), await enter('b', byCustomer)];
		await clock.pass(3400);
		const third = await enter('c', byCustomer);
		expect([second.turn, groups.size.waiting]).toEqual([WAITS, 1]);
		await first.judge('a');
		expect([first.entered.turn, second.turn]).toEqual([leads('a', 'b'), WAITS]);
		await clock.pass(4000);
		expect(third.turn).toEqual(WAITS);
		await end(first.entered, 200);
		expect([second.turn, third.turn]).toEqual([STORED, leads('c')]);
	});

	it('leaves its group if a question took it, open or closed', async () => {
		const [first, second] = [await unclear(), await unclear()];
		const third = await enter('c', byCustomer);
		await first.judge();
		await clock.pass(3000);
		expect([first.entered.turn, third.turn]).toEqual([GONE, WAITS]);
		await second.judge();
		expect([second.entered.turn, third.turn]).toEqual([GONE, leads('c')]);
		await end(third, 200);
		expect(groups.size).toEqual(EMPTY);
	});

	it('holds the others up for their longest wait, and starts after them', async () => {
		const [first, second] = [await unclear(), await enter('b', byCustomer)];
		await startsAfter(second, 8000, leads('b'));
		await end(second, 200);
		expect(first.entered.turn).toEqual(WAITS);
		await first.judge('a');
		expect(first.entered.turn).toEqual(leads('a'));
		await end(first.entered, 200);
		expect([groups.size, clock.sleeping]).toEqual([EMPTY, 0]);
	});
});

describe('a delivery whose sender disconnects', () => {
	it('leaves a group that has not started', async () => {
		const first = await enter('a', byCustomer);
		const second = await enter('b', byCustomer);
		await goAway(first);
		expect(first.turn).toEqual(GONE);
		await clock.pass(3000);
		expect(second.turn).toEqual(leads('b'));
	});

	it('stays with its event in a group that has started', async () => {
		const first = await enter('a', byCustomer);
		const second = await enter('b', byCustomer);
		await clock.pass(3000);
		await goAway(second);
		expect([first.turn, second.turn]).toEqual([leads('a', 'b'), WAITS]);
		await end(first, 200);
		expect(second.turn).toEqual(STORED);
	});

	it('does not lead: the first member that is still connected does, with the event of the other', async () => {
		const first = await enter('a', byCustomer);
		const second = await enter('b', byCustomer);
		// The connection ended, and its event has not arrived yet.
		first.response.destroyed = true;
		await clock.pass(3000);
		expect([first.turn, second.turn]).toEqual([WAITS, leads('a', 'b')]);
		await end(second, 200);
		expect(first.turn).toEqual(STORED);
	});

	it('starts nothing if it was the last', async () => {
		const first = await enter('a', byCustomer);
		first.response.destroyed = true;
		await clock.pass(3000);
		expect(first.turn).toEqual(GONE);
		expect(groups.size).toEqual(EMPTY);
	});
});

describe('a leader whose sender disconnects while its execution is being stored', () => {
	async function abandoned() {
		const first = await enter('a', byCustomer);
		const second = await enter('b', byCustomer);
		await clock.pass(3000);
		first.response.close();
		await clock.pass(5000);
		expect(second.turn).toEqual(WAITS);
		return { first, second };
	}

	it.each([
		[200, STORED],
		[500, NOT_STORED],
	])("passes n8n's own status on to its followers: %s", async (status, turn) => {
		const { first, second } = await abandoned();
		first.response.end(status);
		await clock.pass(100);
		expect(second.turn).toEqual(turn);
	});

	it('is awaited for at most a minute', async () => {
		const { second } = await abandoned();
		await clock.pass(54_900);
		expect(second.turn).toEqual(WAITS);
		await clock.pass(200);
		expect(second.turn).toEqual(NOT_STORED);
		expect(groups.size).toEqual(EMPTY);
		expect(clock.sleeping).toBe(0);
	});
});

describe('when the waiting deliveries reach their limit', () => {
	const atMost = (mostWaiting: number) => ({ mostEvents: 100, pause: { ...pause, mostWaiting } });

	it('starts the group with the most deliveries, even if the last one entered another', async () => {
		const victim = await enter('a', atMost(5), 'victim');
		const flood = [await enter('1', atMost(5), 'flood'), await enter('2', atMost(5), 'flood')];
		await enter('b', atMost(5), 'victim');
		expect([victim.turn, flood[0]?.turn]).toEqual([WAITS, WAITS]);
		const last = await enter('3', atMost(5), 'flood');
		expect([flood[0]?.turn, last.turn]).toEqual([leads('1', '2', '3'), WAITS]);
		expect([victim.turn, groups.size.waiting]).toEqual([WAITS, 2]);
		await enter('d', atMost(5), 'third');
		await enter('e', atMost(5), 'fourth');
		const fifth = await enter('f', atMost(5), 'fifth');
		expect([victim.turn, fifth.turn]).toEqual([leads('a', 'b'), WAITS]);
	});

	it('neither counts nor starts deliveries that wait by arrival', async () => {
		const leader = await enter('a', { mostEvents: 100 }, 'arrival');
		const held: Entered[] = [];
		for (let number = 0; number < 20; number += 1)
			held.push(await enter(`${number}`, { mostEvents: 100 }, 'arrival'));
		const customer = await enter('b', atMost(2), 'customer');
		expect([held[0]?.turn, customer.turn]).toEqual([WAITS, WAITS]);
		await enter('c', atMost(2), 'customer');
		expect([held[0]?.turn, customer.turn]).toEqual([WAITS, leads('b', 'c')]);
		await end(leader, 200);
		expect(held[0]?.turn).toMatchObject({ role: 'leader' });
	});
});
