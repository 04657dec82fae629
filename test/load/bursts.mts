/**
 * Customers who write several messages in a row to a trigger that groups by customer, and what
 * their bursts become.
 */
import type { INodeParameters } from 'n8n-workflow';

import { outOfOrder, Service, splitBursts } from '../host/harness/bursts.mts';
import type { Receiver } from '../host/harness/receivers.mts';
import { type Query, readExecutions, allEnded } from './executions.mts';
import { accountFor, oncePerLife } from './records.mts';
import type { Report } from './report.mts';

const CUSTOMERS = 200;
const MESSAGES = 3;
const WITHIN_MS = 2000;
const LIMIT_MS = 300_000;

/** The trigger's settings: its default times, and room for all customers. */
export const BY_CUSTOMER: INodeParameters = {
	grouping: 'customer',
	options: { mostWaiting: 2 * CUSTOMERS * MESSAGES },
};

/**
 * Has customers write bursts, and reports what became of them: nothing lost, nothing doubled, in
 * order.
 * @param count of bursts, over all customers
 * @param wholeShare of the bursts at least become one execution each
 */
export async function playBursts(
	receiver: Receiver,
	query: Query,
	{ count, wholeShare, where }: { count: number; wholeShare: number; where: string },
	report: Report,
): Promise<void> {
	const bursts = await new Service(receiver).bursts({
		customers: CUSTOMERS,
		rounds: Math.ceil(count / CUSTOMERS),
		messages: MESSAGES,
		withinMs: WITHIN_MS,
	});
	await allEnded(query, LIMIT_MS);
	const { executions } = await readExecutions(query, receiver.workflowId);
	const events = bursts.flat();
	const account = accountFor(
		events.map((event) => ({ event, acknowledged: true, attempts: 1 })),
		executions,
		oncePerLife([]),
	);
	const whole = bursts.length - splitBursts(bursts, executions).length;
	const disordered = outOfOrder(bursts, executions);
	report.figure(
		`${where}: bursts of ${MESSAGES} messages within ${WITHIN_MS / 1000} s, of ${CUSTOMERS} customers`,
		bursts.length,
	);
	report.figure(`${where}: executions`, executions.length);
	report.must(`${where}: events executed`, account.executed, events.length);
	report.must(`${where}: events executed again`, account.repeated, 0);
	report.atLeast(
		`${where}: bursts that became one execution`,
		whole,
		Math.ceil(wholeShare * bursts.length),
	);
	if (wholeShare > 0)
		report.must(`${where}: bursts in another order`, disordered.length, 0, disordered);
}
