import { Clock } from '#sandbox/core/clock.mts';
import { Database } from '#sandbox/core/database.mts';
import { Meta } from '#sandbox/core/meta.mts';
import { Queue } from '#sandbox/delivery/queue.mts';
import { type Attempt, Deliveries, WAITING } from '#sandbox/store/deliveries.mts';
import { deliveryHarness, CUSTOMER } from './deliveryHarness.mts';
import { until } from './helpers.mts';

const START = Date.UTC(2026, 6, 15);
const BODY = JSON.stringify({
	...{ channel_id: '0'.repeat(32), tenant: '1'.repeat(32), name: 'Ours', type: 'OFFICIAL_CHATAPP' },
	...{ connection_event: 'CONNECTED', business_number: '55', moment: START },
});
const FAILED = { requestHeaders: {}, requestGzip: null, faults: [], url: '', at: 0, duration: 0 };

let db: Database;
let clock: Clock;
let deliveries: Deliveries;
let queue: Queue;
beforeEach(() => {
	db = new Database(':memory:');
	clock = new Clock(new Meta(db));
	clock.set(START, 0);
	deliveries = new Deliveries(db, clock);
	queue = new Queue('A', deliveries);
});
afterEach(() => db.close());

const add = (count: number, webhookId = 'A') =>
	Array.from({ length: count }, () => deliveries.add(webhookId, 'CONNECTED', 'topic:0', BODY).id);
/** Records a failed attempt, and schedules the next after `seconds`. */
function fail(id: number, seconds: number): void {
	const number = deliveries.get(id)!.attempts + 1;
	const attempt = { ...FAILED, number, status: null, responseHeaders: null, responseBody: null };
	deliveries.record(
		id,
		{ ...attempt, error: 'failed' } satisfies Attempt,
		'PENDING',
		clock.now() + seconds * 1000,
	);
	queue.finish(id);
	queue.expect(clock.now() + seconds * 1000);
}
const startAll = (ids: number[]) => ids.forEach((id) => void queue.start(id));

describe('a queue as fast as possible', () => {
	it('returns due deliveries in order, up to the limit in flight, and none twice', () => {
		const ids = add(40);
		add(5, 'B');
		const first = queue.take('parallel', clock.now(), 64);
		expect(first).toEqual(ids.slice(0, 16));
		startAll(first);
		expect(queue.take('parallel', clock.now(), 64)).toEqual([]);
		for (const id of [first[3]!, first[7]!]) fail(id, 60);
		const second = queue.take('parallel', clock.now(), 64);
		expect(second).toEqual(ids.slice(16, 18));
		startAll(second);
		for (const id of [...first, ...second]) queue.finish(id);
		expect(queue.take('parallel', clock.now(), 3)).toHaveLength(3);
	});

	it('is not blocked by a delivery that waits for its next attempt, and takes it when due', () => {
		const [failed, other] = add(2);
		startAll(queue.take('parallel', clock.now(), 1));
		fail(failed!, 60);
		expect(queue.take('parallel', clock.now(), 64)).toEqual([other]);
		startAll([other!]);
		expect(queue.take('parallel', clock.now(), 64)).toEqual([]);
		expect(queue.nextDue).toBe(START + 60_000);
		expect(queue.take('parallel', START + 59_999, 64)).toEqual([]);
		expect(queue.take('parallel', START + 60_000, 64)).toEqual([failed]);
	});

	it('knows that nothing waits, until a delivery is added', () => {
		expect(queue.take('parallel', clock.now(), 64)).toEqual([]);
		expect(queue.nextDue).toBe(Infinity);
		const ids = add(1);
		queue.expect(clock.now());
		expect(queue.take('parallel', clock.now(), 64)).toEqual(ids);
	});
});

describe('a queue whose order is kept', () => {
	it('returns one at a time, and a failed one blocks the rest', () => {
		const [first, second] = add(3);
		expect(queue.take('kept', clock.now(), 64)).toEqual([first]);
		startAll([first!]);
		expect(queue.take('kept', clock.now(), 64)).toEqual([]);
		fail(first!, 60);
		expect(queue.take('kept', clock.now(), 64)).toEqual([]);
		expect(queue.nextDue).toBe(START + 60_000);
		// A new delivery in the meantime changes nothing.
		add(1);
		queue.expect(clock.now());
		expect(queue.take('kept', clock.now(), 64)).toEqual([]);
		expect(queue.take('kept', START + 60_000, 64)).toEqual([first]);
		startAll([first!]);
		fail(first!, 60);
		expect(queue.take('parallel', clock.now(), 1)).toEqual([second]);
	});
});

it('a shuffled queue returns everything once, in another order', () => {
	const ids = add(200);
	const given: number[] = [];
	while (given.length < ids.length) {
		const next = queue.take('shuffled', clock.now(), 64);
		expect(next).toHaveLength(Math.min(16, ids.length - given.length));
		startAll(next);
		for (const id of next) {
			fail(id, 3600);
			given.push(id);
		}
	}
	expect(queue.take('shuffled', clock.now(), 64)).toEqual([]);
	expect(given).not.toEqual(ids);
	expect([...given].sort((left, right) => left - right)).toEqual(ids);
});

it.each([
	['due', 'deliveries_due'],
	['oldest', 'deliveries_pending'],
] as const)('finds waiting deliveries by an index: the %s first', (first, index) => {
	const plan = db.statement<{ detail: string }>(`EXPLAIN QUERY PLAN ${WAITING[first]}`).all('A', 1);
	expect(plan).toEqual([
		expect.objectContaining({ detail: expect.stringMatching(`^SEARCH .* INDEX ${index} `) }),
	]);
});

describe('several webhooks', () => {
	const harness = deliveryHarness();

	it('share the deliveries in flight, so that busy ones do not starve the others', async () => {
		const held: Array<() => void> = [];
		const react = () => ({ held: new Promise<void>((release) => held.push(release)) });
		const release = () => held.splice(0).forEach((respond) => respond());
		const subscribe = async (count: number) => {
			const sinks = [];
			for (let n = 0; n < count; n += 1) {
				const sink = await harness.receiver(react);
				await harness.subscribe(sink.url);
				sinks.push(sink);
			}
			return sinks;
		};
		const counts = (sinks: Awaited<ReturnType<typeof subscribe>>) =>
			sinks.map(({ received }) => received.length);
		const busy = await subscribe(4);
		for (let n = 0; n < 60; n += 1) await harness.sandbox.inbound(CUSTOMER, `early ${n}`);
		await until('all places are taken', () => held.length === 64);
		expect(counts(busy)).toEqual([16, 16, 16, 16]);
		const late = await subscribe(2);
		for (let n = 0; n < 5; n += 1) await harness.sandbox.inbound(CUSTOMER, `late ${n}`);
		expect(counts(late)).toEqual([0, 0]);
		for (let turn = 0; turn < 2; turn += 1) {
			release();
			await until('all places are taken again', () => held.length === 64);
		}
		expect(counts(late)).toEqual([5, 5]);
		await until('everything arrived', () => {
			release();
			return [...busy, ...late].every(({ received }, n) => received.length === (n < 4 ? 65 : 5));
		});
	});
});
