/** One customer writes very much at once. What that costs another one, who writes right after. */
import { GROUPING_OPTIONS } from '../../nodes/BusinessMessaging/trigger/grouping/settings.ts';
import type { Host } from '../host/harness/host.mts';
import { publishTrigger, type Receiver } from '../host/harness/receivers.mts';
import { readExecutions, sqliteQuery } from '../load/executions.mts';
import { eventText } from '../load/records.mts';
import { load } from './load.mts';
import { ended, inOwnN8n, LAZY, requestOf } from './n8n.mts';
import { atMost, type Bound } from './report.mts';
import { byTurns } from './statistics.mts';

const ROUNDS = 5;
const FLOOD = 96;
/** Messages of the victim. */
const BURST = 3;
/** Deliveries that the sender has under way. The first is the sandbox's number. */
const UNDER_WAY = [16, 50] as const;
const QUIET_TIME = GROUPING_OPTIONS.quietTime.byDefault;
const [FLOODER, VICTIM] = [1, 2];

let written = 0;

/**
 * All is written at once, the victim's burst last.
 * @returns seconds until all that the victim wrote was acknowledged, and what it became
 */
async function floodOnce(host: Host, receiver: Receiver, underWay: number) {
	const first = written;
	written += FLOOD + BURST;
	const isVictims = (event: number) => event >= first + FLOOD && event < first + FLOOD + BURST;
	const requests = Array.from({ length: FLOOD + BURST }, (_, index) =>
		requestOf(receiver, index < FLOOD ? FLOODER : VICTIM, eventText(first + index)),
	);
	let seconds = 0;
	const began = performance.now();
	await load(
		new URL(receiver.url).origin,
		requests.length,
		underWay,
		(n) => requests[n - 1]!,
		(n) => {
			if (n > FLOOD) seconds = (performance.now() - began) / 1000;
		},
	);
	await ended(host);
	const query = sqliteQuery(host.underTest.home);
	const { executions } = await readExecutions(query, receiver.workflowId);
	return { seconds, executions: executions.filter(({ events }) => events.some(isVictims)).length };
}

async function measureCase(what: string, env: NodeJS.ProcessEnv): Promise<Bound[]> {
	return await inOwnN8n(env, async ({ host }) => {
		const receivers = {
			none: await publishTrigger(host),
			customer: await publishTrigger(host, { grouping: 'customer' }),
		};
		const bounds: Bound[] = [];
		for (const underWay of UNDER_WAY) {
			const { none, customer } = await byTurns(
				['none', 'customer'],
				ROUNDS,
				async (kind) => await floodOnce(host, receivers[kind], underWay),
			);
			const times = customer.map(
				({ seconds }, round) => seconds / (none[round]!.seconds + QUIET_TIME),
			);
			const bursts = customer.map(({ executions }) => executions);
			const where = `${what}, ${underWay} under way`;
			bounds.push(
				atMost(`Time behind a flood, ${where}`, times, 1.3),
				atMost(`Executions of a burst, ${where}`, bursts, 1, { decimals: 0 }),
			);
		}
		return bounds;
	});
}

export const benchFlood = async (): Promise<Bound[]> => [
	...(await measureCase('by default', {})),
	...(await measureCase('lazy', LAZY)),
];
