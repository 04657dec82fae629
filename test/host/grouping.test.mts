/** Grouped deliveries in a real n8n: bursts of customers, and more events than it can start. */
import { deliver, messageBody } from '../core/harness/deliveries.mts';
import { eventText } from '../load/records.mts';
import { Service } from './harness/bursts.mts';
import { accountOf, executionsWith, expectGroupedBursts } from './harness/grouped.mts';
import { Host } from './harness/host.mts';
import { deliveryOf, publishTrigger } from './harness/receivers.mts';

const host = new Host();
afterEach(async () => await host.cleanUp());

it('groups each burst of a customer into one execution, loses and doubles nothing, and keeps the order', async () => {
	await expectGroupedBursts(host, 8);
});

it('groups by arrival without loss or doubles, and n8n 2 starts fewer executions than there are events', async () => {
	const receiver = await publishTrigger(host, { grouping: 'arrival' });
	const service = new Service(receiver);
	await service.load(400, 20);
	const executions = await executionsWith(400, host.underTest.home, receiver);
	expect(accountOf(400, executions)).toMatchObject({ executed: 400, repeated: 0, inexcusable: [] });
	// n8n 1 responds before it stores, so hardly any event waits meanwhile. docs/benchmarks.md shows
	// it no faster than ungrouped.
	if (host.underTest.generation === 'current') expect(executions.length).toBeLessThan(200);
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
	const executions = await executionsWith(1, host.underTest.home, receiver);
	expect(accountOf(1, executions)).toMatchObject({ executed: 1, repeated: 0 });
});
