import { allEnded, readExecutions, sqliteQuery } from '../../load/executions.mts';
import { accountFor, type ExecutionRecord, oncePerLife } from '../../load/records.mts';
import { until } from '../../../scripts/until.mts';
import { outOfOrder, Service, splitBursts } from './bursts.mts';
import type { Host } from './host.mts';
import { publishTrigger, type Receiver } from './receivers.mts';

const LIMIT_MS = 110_000;
const QUIET_MS = 9000;
const WITHIN_MS = 2000;
/**
 * Milliseconds that a message takes whose burst is split because n8n brought it to the trigger too
 * late: the delay, and the quiet time that it waits then.
 */
const BROUGHT_LATE_MS = QUIET_MS - WITHIN_MS + QUIET_MS;

/** A workflow's executions, once all have ended. */
async function executionsOf(home: string, { workflowId }: Receiver): Promise<ExecutionRecord[]> {
	const query = sqliteQuery(home);
	await allEnded(query, LIMIT_MS);
	return (await readExecutions(query, workflowId)).executions;
}

/** The same, once they hold this many events, because n8n 1 responds before it stores. */
export async function executionsWith(
	events: number,
	home: string,
	receiver: Receiver,
): Promise<ExecutionRecord[]> {
	return await until(
		`${events} events to be executed`,
		async () => {
			const executions = await executionsOf(home, receiver);
			const ended = executions.filter(({ status }) => status === 'success');
			return new Set(ended.flatMap((execution) => execution.events)).size >= events && executions;
		},
		LIMIT_MS,
	);
}

/** What happened to the events. Each was acknowledged in the end. */
export const accountOf = (events: number, executions: ExecutionRecord[], restarts: number[] = []) =>
	accountFor(
		Array.from({ length: events }, (_, event) => ({ event, acknowledged: true, attempts: 1 })),
		executions,
		oncePerLife(restarts),
	);

/** Of three bursts of each customer, each is one execution. Nothing is lost, and order is kept. */
export async function expectGroupedBursts(host: Host, customers: number): Promise<void> {
	const [rounds, messages] = [3, 3];
	const receiver = await publishTrigger(host, {
		grouping: 'customer',
		// Longer than a busy machine delays a message from n8n.
		quietTime: QUIET_MS / 1000,
		options: { longestWait: 10, mostWaiting: 2 * customers * messages },
	});
	const service = new Service(receiver);
	const bursts = await service.bursts({ customers, rounds, messages, withinMs: WITHIN_MS });
	const events = customers * rounds * messages;
	const executions = await executionsWith(events, host.underTest.home, receiver);
	expect(accountOf(events, executions)).toMatchObject({
		executed: events,
		repeated: 0,
		inexcusable: [],
	});
	const split = splitBursts(bursts, executions);
	expect(split.length).toBeLessThan(bursts.length);
	// The trigger holds no message longer than its longest wait, so one that took longer was late.
	const took = (event: number): number => service.acknowledged.get(event) ?? 0;
	const byTrigger = split.filter(
		({ burst }) => !burst.some((event) => took(event) >= BROUGHT_LATE_MS),
	);
	expect(byTrigger).toEqual([]);
	expect(outOfOrder(bursts, executions)).toEqual([]);
}
