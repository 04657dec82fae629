/**
 * One customer sends a flood, and another writes right after it. The service keeps a limited number
 * of deliveries in flight.
 */
import { GROUPING_OPTIONS, type GroupRules } from '#nodes/trigger/groupingSettings.ts';
import { Groups } from '#nodes/trigger/grouping/groups.ts';
import { FakeResponse } from '../../../support/fakeResponse.mts';
import { PlayedClock, settled } from '../../../support/clocks.mts';

const FLOOD = 96;
const BURST = 3;
/** Milliseconds that n8n needs to store an execution by default. It stores one after the other. */
const STORING = 70;
const { quietTime, longestWait, mostWaiting, mostEvents } = GROUPING_OPTIONS;
const rules: GroupRules = {
	mostEvents: mostEvents.byDefault,
	pause: {
		quietTime: quietTime.byDefault * 1000,
		longestWait: longestWait.byDefault * 1000,
		mostWaiting: mostWaiting.byDefault,
	},
};

/**
 * Everything is written at once, with the victim's burst last.
 * @returns when the burst was acknowledged, and its executions
 */
async function played(underWay: number) {
	const clock = new PlayedClock();
	const groups = new Groups<string>(clock);
	const writers = [...Array<string>(FLOOD).fill('flood'), ...Array<string>(BURST).fill('victim')];
	const executions: string[][] = [];
	let storing = Promise.resolve();
	const deliver = async (writer: string) => {
		const response = new FakeResponse();
		const delivery = { content: Promise.resolve(writer), events: 1, since: clock.now(), response };
		const turn = await groups.enter(writer, delivery, rules);
		if (turn.role === 'leader') {
			storing = storing.then(async () => await clock.sleep(STORING));
			await storing;
			executions.push(turn.contents);
		}
		response.end(200);
	};
	let acknowledgedAt = 0;
	let left = underWay;
	const connection = async () => {
		for (let writer = writers.shift(); writer; writer = writers.shift()) {
			await deliver(writer);
			if (writer === 'victim') acknowledgedAt = clock.now();
		}
		left -= 1;
	};
	for (let number = 0; number < underWay; number += 1) void connection();
	for (let second = 0; second < 120 && left > 0; second += 1) await clock.pass(1000);
	await settled();
	return { acknowledgedAt, victims: executions.filter(([writer]) => writer === 'victim') };
}

it.each([16, 50])(
	"with %s in flight, neither delays nor splits another customer's burst",
	async (underWay) => {
		const { acknowledgedAt, victims } = await played(underWay);
		const ungrouped = (FLOOD + BURST) * STORING;
		expect(acknowledgedAt).toBeGreaterThan(0);
		expect(acknowledgedAt).toBeLessThan(1.3 * (ungrouped + quietTime.byDefault * 1000));
		expect(victims).toEqual([Array<string>(BURST).fill('victim')]);
	},
);
