import {
	Grouping,
	type GroupRules,
	type Turn,
} from '../../../nodes/BusinessMessaging/trigger/grouping.ts';
import { FakeResponse } from '../fakeResponse.mts';
import { PlayedClock, settled } from './playedClock.mts';

const byArrival: GroupRules = { mostEvents: 3, mostWaiting: 10, quietTime: 0, longestWait: 0 };
const byCustomer: GroupRules = { ...byArrival, quietTime: 3000, longestWait: 8000 };

let clock: PlayedClock;
let grouping: Grouping<string>;

beforeEach(() => {
	clock = new PlayedClock();
	grouping = new Grouping(clock);
});

interface Entered {
	response: FakeResponse;
	/** Undefined while it waits. */
	turn: Turn<string> | undefined;
}

/** Lets a delivery in. */
async function enter(content: string, rules = byArrival, key = 'node', events = 1) {
	const entered: Entered = { response: new FakeResponse(), turn: undefined };
	void grouping
		.enter(key, { content, events, response: entered.response }, rules)
		.then((turn) => (entered.turn = turn));
	await settled();
	return entered;
}

const carries = (...contents: string[]) => ({ role: 'carrier', contents });
const WAITS = undefined;
const STORED = { role: 'passenger', stored: true };
const NOT_STORED = { role: 'passenger', stored: false };
const GONE = { role: 'gone' };
/** Deliveries that have nothing left to wait for. */
const EMPTY = { waiting: 0, groups: 0, storing: 0 };

describe('by arrival', () => {
	it('starts at once while nothing is being stored, without a timer', async () => {
		expect((await enter('a')).turn).toEqual(carries('a'));
		expect(clock.sleeping).toBe(0);
	});

	it('takes all that came while an execution was being stored into the next one', async () => {
		const first = await enter('a');
		const [second, third] = [await enter('b'), await enter('c')];
		expect([second.turn, third.turn]).toEqual([WAITS, WAITS]);
		first.response.end(200);
		await settled();
		expect([second.turn, third.turn]).toEqual([carries('b', 'c'), WAITS]);
		second.response.end(200);
		await settled();
		expect(third.turn).toEqual(STORED);
		expect(grouping.size).toEqual(EMPTY);
		expect(clock.sleeping).toBe(0);
	});

	it('starts the next group when an execution could not be stored, too', async () => {
		const first = await enter('a');
		const second = await enter('b');
		first.response.end(500);
		await settled();
		expect(second.turn).toEqual(carries('b'));
	});

	it.each([500, 503, 404, 302, 199])('tells passengers of a %s', async (status) => {
		const first = await enter('a');
		const [second, third] = [await enter('b'), await enter('c')];
		first.response.end(200);
		await settled();
		second.response.end(status);
		await settled();
		expect(third.turn).toEqual(NOT_STORED);
	});

	it('starts a full group at once', async () => {
		await enter('a');
		const [second, third] = [await enter('b'), await enter('c')];
		const fourth = await enter('d');
		expect([second.turn, third.turn, fourth.turn]).toEqual([carries('b', 'c', 'd'), WAITS, WAITS]);
		expect((await enter('e')).turn).toEqual(WAITS);
	});

	it('starts a group that a delivery of several events would overfill, and lets that one wait', async () => {
		await enter('a');
		const second = await enter('b');
		const third = await enter('cde', byArrival, 'other', 2);
		expect([second.turn, third.turn]).toEqual([WAITS, carries('cde')]);
		const fourth = await enter('fg', byArrival, 'other', 2);
		const fifth = await enter('hi', byArrival, 'other', 2);
		expect([fourth.turn, fifth.turn]).toEqual([carries('fg'), WAITS]);
	});

	it('keeps nodes apart', async () => {
		await enter('a', byArrival, 'one');
		expect((await enter('b', byArrival, 'other')).turn).toEqual(carries('b'));
	});

	it('waits for the last of several executions that are being stored', async () => {
		const first = await enter('a');
		const carriers = [await enter('b'), await enter('c'), await enter('d')].slice(0, 1);
		const waits = await enter('e');
		first.response.end(200);
		await settled();
		expect(waits.turn).toEqual(WAITS);
		carriers[0]?.response.end(200);
		await settled();
		expect(waits.turn).toEqual(carries('e'));
	});
});

describe('by customer', () => {
	it('waits for a pause since the last', async () => {
		const first = await enter('a', byCustomer);
		await clock.pass(2999);
		const second = await enter('b', byCustomer);
		await clock.pass(2999);
		expect([first.turn, second.turn]).toEqual([WAITS, WAITS]);
		await clock.pass(1);
		expect([first.turn, second.turn]).toEqual([carries('a', 'b'), WAITS]);
	});

	it('waits no longer than the longest wait since the first', async () => {
		const rules = { ...byCustomer, mostEvents: 100 };
		const first = await enter('0', rules);
		for (const content of ['1', '2', '3']) {
			await clock.pass(2500);
			await enter(content, rules);
		}
		await clock.pass(499);
		expect(first.turn).toEqual(WAITS);
		await clock.pass(1);
		expect(first.turn).toEqual(carries('0', '1', '2', '3'));
	});

	it('starts at once when it is full', async () => {
		const [first] = [await enter('a', byCustomer), await enter('b', byCustomer)];
		await enter('c', byCustomer);
		expect(first?.turn).toEqual(carries('a', 'b', 'c'));
	});

	it('keeps the order of a customer: a group that is ready waits until the one before is stored', async () => {
		const first = await enter('a', byCustomer);
		await clock.pass(3000);
		const second = await enter('b', byCustomer);
		await clock.pass(20_000);
		expect(second.turn).toEqual(WAITS);
		first.response.end(200);
		await settled();
		expect(second.turn).toEqual(carries('b'));
	});

	it('goes on waiting for the pause when the one before is stored earlier', async () => {
		const first = await enter('a', byCustomer);
		await clock.pass(3000);
		const second = await enter('b', byCustomer);
		first.response.end(200);
		await clock.pass(2999);
		expect(second.turn).toEqual(WAITS);
		await clock.pass(1);
		expect(second.turn).toEqual(carries('b'));
	});
});

describe('what goes away', () => {
	it('is no more in a group that has not started', async () => {
		const first = await enter('a', byCustomer);
		const second = await enter('b', byCustomer);
		first.response.close();
		await settled();
		expect(first.turn).toEqual(GONE);
		await clock.pass(3000);
		expect(second.turn).toEqual(carries('b'));
	});

	it('leaves no empty group, nor a time that would start the next one early', async () => {
		const first = await enter('a', byCustomer);
		await clock.pass(2000);
		first.response.close();
		await settled();
		expect(grouping.size).toEqual(EMPTY);
		const second = await enter('b', byCustomer);
		await clock.pass(2999);
		expect(second.turn).toEqual(WAITS);
		await clock.pass(1);
		expect(second.turn).toEqual(carries('b'));
	});

	it('leaves room in its group', async () => {
		await enter('a');
		const second = await enter('b');
		const third = await enter('c');
		second.response.close();
		const fourth = await enter('d');
		expect([third.turn, fourth.turn]).toEqual([WAITS, WAITS]);
		await enter('e');
		expect(third.turn).toEqual(carries('c', 'd', 'e'));
	});

	it('stays with its event in a group that has started', async () => {
		const first = await enter('a', byCustomer);
		const second = await enter('b', byCustomer);
		await clock.pass(3000);
		second.response.close();
		await settled();
		expect([first.turn, second.turn]).toEqual([carries('a', 'b'), WAITS]);
		first.response.end(200);
		await settled();
		expect(second.turn).toEqual(STORED);
	});

	it('carries no group: the first that is still there does, with the event of the other', async () => {
		const first = await enter('a', byCustomer);
		const second = await enter('b', byCustomer);
		// The connection ended, and the event that tells so is still to come.
		first.response.destroyed = true;
		await clock.pass(3000);
		expect([first.turn, second.turn]).toEqual([WAITS, carries('a', 'b')]);
		second.response.end(200);
		await settled();
		expect(first.turn).toEqual(STORED);
	});

	it('starts nothing when nobody is left', async () => {
		const first = await enter('a', byCustomer);
		first.response.destroyed = true;
		await clock.pass(3000);
		expect(first.turn).toEqual(GONE);
		expect(grouping.size).toEqual(EMPTY);
	});
});

describe('a carrier whose sender goes away while its execution is being stored', () => {
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
	])('tells its passengers what n8n answered all the same: %s', async (status, turn) => {
		const { first, second } = await abandoned();
		first.response.end(status);
		await clock.pass(100);
		expect(second.turn).toEqual(turn);
	});

	it('is not waited for for ever', async () => {
		const { second } = await abandoned();
		await clock.pass(54_900);
		expect(second.turn).toEqual(WAITS);
		await clock.pass(200);
		expect(second.turn).toEqual(NOT_STORED);
		expect(grouping.size).toEqual(EMPTY);
		expect(clock.sleeping).toBe(0);
	});
});

describe('where too many wait', () => {
	const rules = { ...byCustomer, mostWaiting: 2 };

	it('starts the oldest group of the process', async () => {
		const first = await enter('a', rules, 'one');
		await clock.pass(1);
		const second = await enter('b', rules, 'two');
		const third = await enter('c', rules, 'three');
		expect([first.turn, second.turn, third.turn]).toEqual([carries('a'), WAITS, WAITS]);
		expect(grouping.size.waiting).toBe(2);
	});

	it('starts a delivery at once when all that wait are passengers', async () => {
		for (const content of ['a', 'b', 'c']) await enter(content, byCustomer, 'one');
		expect(grouping.size).toEqual({ waiting: 2, groups: 0, storing: 1 });
		expect((await enter('d', rules, 'two')).turn).toEqual(carries('d'));
		expect(grouping.size.waiting).toBe(2);
	});
});
