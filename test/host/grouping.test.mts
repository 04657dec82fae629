/**
 * Grouped deliveries in a real n8n: bursts of customers, more events than n8n can start executions,
 * and n8n killed at work.
 */

import { DEMO_SECRET_KEY } from '../../sandbox/seed.mts';
import { until } from '../../scripts/until.mts';
import { deliver, messageBody } from '../core/harness/deliveries.mts';
import { allEnded, readExecutions, sqliteQuery, unfinished } from '../load/executions.mts';
import { openProxy } from '../load/proxy.mts';
import { accountFor, eventText, type ExecutionRecord, oncePerLife } from '../load/records.mts';
import { outOfOrder, Service, splitBursts } from './harness/bursts.mts';
import { Host } from './harness/host.mts';
import { type OwnN8n, startOwnN8n } from './harness/ownN8n.mts';
import { deliveryOf, publishTrigger, type Receiver } from './harness/receivers.mts';

const LIMIT_MS = 110_000;

const RESTARTS_LIMIT_MS = 240_000;

const host = new Host();
/** An n8n that can be stopped, with the setting that the guide recommends for many events. */
let own: OwnN8n;
beforeAll(async () => {
	own = await startOwnN8n(DEMO_SECRET_KEY, { N8N_EXPRESSION_ENGINE_LAZY_ACQUIRE: 'true' });
});
afterEach(async () => await host.cleanUp());
afterAll(async () => await own?.remove());

/** A workflow's executions, once all have ended. */
async function executionsOf(home: string, { workflowId }: Receiver): Promise<ExecutionRecord[]> {
	const query = sqliteQuery(home);
	await allEnded(query, LIMIT_MS);
	return (await readExecutions(query, workflowId)).executions;
}

/** The same, once they hold this many events, because n8n 1 responds before it stores. */
async function executionsWith(
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
const accountOf = (events: number, executions: ExecutionRecord[], restarts: number[] = []) =>
	accountFor(
		Array.from({ length: events }, (_, event) => ({ event, acknowledged: true, attempts: 1 })),
		executions,
		oncePerLife(restarts),
	);

it('groups each burst of a customer into one execution, loses and doubles nothing, and keeps the order', async () => {
	const [customers, rounds, messages] = [20, 3, 3];
	const receiver = await publishTrigger(own.host, {
		grouping: 'customer',
		// Longer than a busy machine delays a message from n8n.
		quietTime: 6,
		options: { longestWait: 10, mostWaiting: 2 * customers * messages },
	});
	const service = new Service(receiver);
	const bursts = await service.bursts({ customers, rounds, messages, withinMs: 2000 });
	const events = customers * rounds * messages;
	const executions = await executionsWith(events, own.host.underTest.home, receiver);
	expect(accountOf(events, executions)).toMatchObject({
		executed: events,
		repeated: 0,
		inexcusable: [],
	});
	const split = splitBursts(bursts, executions);
	// 99 of 100 must be whole.
	expect(split).toHaveLength(Math.min(split.length, Math.floor(bursts.length / 100)));
	expect(outOfOrder(bursts, executions)).toEqual([]);
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

it(
	'acknowledges nothing that n8n had not stored when it was killed or stopped',
	async () => {
		// While n8n starts, it responds 200 to deliveries that it drops.
		const proxy = await openProxy();
		proxy.backends.push(new URL(own.host.underTest.n8nUrl));
		try {
			const receiver = await publishTrigger(own.host, { grouping: 'arrival' });
			const { pathname } = new URL(receiver.url);
			const service = new Service({ ...receiver, url: `${proxy.url}${pathname}` });
			const writing = service.load(300, 20);
			const ends: number[] = [];
			const written = async (share: number) =>
				await until('a part to be written', () => service.acknowledged.size >= share, LIMIT_MS, 5);
			const { generation, home } = own.host.underTest;
			const query = sqliteQuery(home);
			await written(75);
			await own.kill();
			ends.push(Date.now());
			// At its start, n8n 2 marks the executions it was killed at as crashed. n8n 1 may leave them
			// as running for good.
			const leftRunning = generation === 'current' ? [] : await unfinished(query);
			await own.start();
			await written(150);
			await own.stop();
			ends.push(Date.now());
			await own.start();
			await writing;
			await allEnded(query, LIMIT_MS, { except: leftRunning });
			const { executions } = await readExecutions(query, receiver.workflowId);
			const account = accountOf(300, executions, ends);
			// n8n 1 responds before it stores.
			if (generation === 'current') expect(account.withoutData).toEqual([]);
			// An execution that n8n had stored before it was killed can be retried.
			expect(account.executed + account.retryable.length + account.withoutData.length).toBe(300);
			expect(account.inexcusable).toEqual([]);
		} finally {
			await proxy.stop();
		}
	},
	RESTARTS_LIMIT_MS,
);
