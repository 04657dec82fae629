/** One customer writes very much at once. What that costs another one, who writes right after. */
import { GROUPING_OPTIONS } from '../../nodes/BusinessMessaging/trigger/grouping/settings.ts';
import { DEMO_SECRET_KEY } from '../../sandbox/seed.mts';
import type { Host } from '../host/harness/host.mts';
import { startOwnN8n } from '../host/harness/ownN8n.mts';
import type { Receiver } from '../host/harness/receivers.mts';
import { allEnded, readExecutions, sqliteQuery } from '../load/executions.mts';
import { eventText } from '../load/records.mts';
import { KINDS, requestOf } from './groupingKinds.mts';
import { load } from './load.mts';
import { atMost, type Bound, type Measured } from './report.mts';
import { medianOf, showSpread, spreadOf, table } from './statistics.mts';

const ROUNDS = 5;
const FLOOD = 96;
/** Messages of the victim. */
const BURST = 3;
/** Deliveries that the sender has under way. The first is the sandbox's number. */
const UNDER_WAY = [16, 50] as const;
const QUIET_TIME = GROUPING_OPTIONS.quietTime.byDefault;
const MOST_TIMES = 1.3;
const LIMIT_MS = 120_000;
const [FLOODER, VICTIM] = [1, 2];

interface Round {
	/** Seconds until all that the victim wrote was acknowledged. */
	seconds: number;
	/** What the victim's burst became. */
	executions: number;
}

let written = 0;

/** All is written at once, the victim's burst last. */
async function floodOnce(host: Host, receiver: Receiver, underWay: number): Promise<Round> {
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
	const query = sqliteQuery(host.underTest.home);
	await allEnded(query, LIMIT_MS);
	const { executions } = await readExecutions(query, receiver.workflowId);
	return { seconds, executions: executions.filter(({ events }) => events.some(isVictims)).length };
}

interface Case {
	what: string;
	env: NodeJS.ProcessEnv;
}

async function measureCase({ what, env }: Case): Promise<{ rows: string[][]; bounds: Bound[] }> {
	const n8n = await startOwnN8n(DEMO_SECRET_KEY, env, 'current');
	try {
		const { host } = n8n;
		const receivers = {
			none: await KINDS.none.publish(host),
			customer: await KINDS.customer.publish(host),
		};
		const rows: string[][] = [];
		const bounds: Bound[] = [];
		for (const underWay of UNDER_WAY) {
			const rounds: Record<keyof typeof receivers, Round[]> = { none: [], customer: [] };
			for (let round = 0; round <= ROUNDS; round += 1)
				for (const kind of round % 2
					? (['none', 'customer'] as const)
					: (['customer', 'none'] as const)) {
					const figures = await floodOnce(host, receivers[kind], underWay);
					// The first round warms up.
					if (round > 0) rounds[kind].push(figures);
				}
			const times = rounds.customer.map(
				({ seconds }, round) => seconds / (rounds.none[round]!.seconds + QUIET_TIME),
			);
			const bursts = rounds.customer.map(({ executions }) => executions);
			rows.push([
				what,
				String(underWay),
				...(['none', 'customer'] as const).map((kind) =>
					showSpread(spreadOf(rounds[kind].map(({ seconds }) => seconds)), 1),
				),
				showSpread(spreadOf(times)),
				showSpread(spreadOf(bursts), 0),
			]);
			const where = `${what}, ${underWay} under way`;
			bounds.push(
				atMost(`Time behind a flood, ${where}`, medianOf(times), MOST_TIMES),
				atMost(`Executions of a burst, ${where}`, medianOf(bursts), 1, {
					decimals: 0,
				}),
			);
		}
		return { rows, bounds };
	} finally {
		await n8n.remove();
	}
}

export async function benchFlood(): Promise<Measured> {
	const cases = [
		await measureCase({ what: 'by default', env: {} }),
		await measureCase({
			what: 'lazy',
			env: { N8N_EXPRESSION_ENGINE_LAZY_ACQUIRE: 'true' },
		}),
	];
	return {
		blocks: [
			`One customer writes ${FLOOD} messages at once, and another ${BURST} right after them, to the trigger as it is dropped on the canvas: until all of the other's were acknowledged, and what they became. ${ROUNDS} rounds by turns.`,
			table(
				[
					'n8n 2',
					'Under way at the sender',
					'Ungrouped, s',
					'By customer, s',
					`In the time ungrouped and *Quiet Time* (${QUIET_TIME} s)`,
					'Executions of the other customer',
				],
				cases.flatMap(({ rows }) => rows),
			),
		],
		bounds: cases.flatMap(({ bounds }) => bounds),
	};
}
