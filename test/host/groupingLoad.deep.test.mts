/** Grouped deliveries in a real n8n: more events than it can start, and an end while some wait. */
import { deliver, messageBody } from '../core/harness/deliveries.mts';
import { until } from '#scripts/until.mts';
import { allEnded, readExecutions, sqliteQuery } from '../load/executions.mts';
import { eventText, type ExecutionRecord } from '../load/records.mts';
import { accountOf, Service } from './harness/bursts.mts';
import { Host } from './harness/host.mts';
import { deliveryOf, publishTrigger, type Receiver } from './harness/receivers.mts';

const LIMIT_MS = 110_000;
/** More than n8n starts at once, and few enough for a laptop that does something else. */
const EVENTS = 60;
const host = new Host();
afterEach(async () => await host.cleanUp());

/** A workflow's executions, once they hold these events: n8n 1 responds before it stores. */
async function executionsWith(
	events: number,
	{ workflowId }: Receiver,
): Promise<ExecutionRecord[]> {
	const query = sqliteQuery(host.underTest.home);
	return await until(
		`${events} events to be executed`,
		async () => {
			await allEnded(query, LIMIT_MS);
			const { executions } = await readExecutions(query, workflowId);
			const ended = executions.filter(({ status }) => status === 'success');
			return new Set(ended.flatMap((execution) => execution.events)).size >= events && executions;
		},
		LIMIT_MS,
	);
}

it('groups by arrival without loss or doubles, and n8n 2 starts fewer executions than there are events', async () => {
	const receiver = await publishTrigger(host, { grouping: 'arrival' });
	const service = new Service(receiver);
	await service.load(EVENTS, 20);
	const executions = await executionsWith(EVENTS, receiver);
	expect(accountOf(EVENTS, executions)).toMatchObject({
		executed: EVENTS,
		repeated: 0,
		inexcusable: [],
	});
	// n8n 1 responds before it stores, so hardly any event waits meanwhile. docs/benchmarks.md shows
	// it no faster than ungrouped.
	if (host.underTest.generation === 'current') expect(executions.length).toBeLessThan(EVENTS / 2);
});

it('executes and acknowledges the waiting events when its workflow is unpublished', async () => {
	const receiver = await publishTrigger(host, {
		grouping: 'customer',
		quietTime: 8,
		options: { longestWait: 10 },
	});
	const delivery = deliveryOf(receiver, messageBody({ text: eventText(0) }));
	// Of two copies of one delivery, one waits. The other is to come back, which shows that the first
	// is there. n8n decides which comes first.
	const both = [deliver(receiver.url, delivery), deliver(receiver.url, delivery)];
	expect(await Promise.race(both)).toMatchObject({ status: 503 });
	await host.client.unpublish(receiver.workflowId);
	const statuses = (await Promise.all(both)).map(({ status }) => status);
	expect(statuses.sort()).toEqual([200, 503]);
	const executions = await executionsWith(1, receiver);
	expect(accountOf(1, executions)).toMatchObject({ executed: 1, repeated: 0 });
});
