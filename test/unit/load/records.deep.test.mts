/**
 * The counting of `npm run test:chaos` and `npm run test:queue`, which must see the faults that
 * they look for.
 */
import { Report } from '../../load/report.mts';
import {
	accountFor,
	type DeliveryRecord,
	eventIn,
	eventsIn,
	eventText,
	type ExecutionRecord,
	oncePerDelivery,
	oncePerLife,
	toRetry,
} from '../../load/records.mts';

const delivery = (event: number, changes: Partial<DeliveryRecord> = {}): DeliveryRecord => ({
	...{ event, acknowledged: true, attempts: 1 },
	...changes,
});
const execution = (events: number[], changes: Partial<ExecutionRecord> = {}): ExecutionRecord => ({
	...{ id: '1', status: 'success', events, createdAt: 100, retryOf: null },
	...changes,
});
const crashed = { status: 'crashed' };
const twice = [execution([1]), execution([1], { id: '2', createdAt: 300 })];

test('finds an event in what n8n stored', () => {
	expect(eventIn(JSON.stringify([{ text: `${eventText(17)}0-run-4-` }]))).toBe(17);
	expect(eventIn('forged-event 3')).toBeUndefined();
	expect(eventsIn(JSON.stringify([eventText(17), eventText(4), eventText(17)]))).toEqual([17, 4]);
});

test.each<[string, DeliveryRecord[], ExecutionRecord[], typeof oncePerDelivery, object]>([
	[
		'an acknowledged event without a successful execution is not executed',
		[delivery(1), delivery(2), delivery(3)],
		[execution([1]), execution([2], crashed), execution([], { status: 'error' })],
		oncePerDelivery,
		{ events: 3, acknowledged: 3, executed: 1, retryable: [2], withoutData: [3] },
	],
	[
		'an event that was not acknowledged needs no execution',
		[delivery(1, { acknowledged: false })],
		[],
		oncePerDelivery,
		{ acknowledged: 0, executed: 0, retryable: [], withoutData: [] },
	],
	[
		'a retry from the executions list replaces a failed execution, and is no repetition',
		[delivery(1)],
		[execution([1], crashed), execution([1], { id: '2', retryOf: '1' })],
		oncePerLife([]),
		{ executed: 1, retryable: [], repeated: 0, inexcusable: [] },
	],
	['again after a restart', [delivery(1)], twice, oncePerLife([200]), { inexcusable: [] }],
	['again in one process', [delivery(1)], twice, oncePerLife([400]), { inexcusable: [1] }],
	['twice for one delivery', [delivery(1)], twice, oncePerDelivery, { inexcusable: [1] }],
	[
		'once for each delivery',
		[delivery(1, { attempts: 2 })],
		twice,
		oncePerDelivery,
		{ repeated: 1, inexcusable: [] },
	],
])('%s', (_what, deliveries, executions, mayRepeat, account) => {
	expect(accountFor(deliveries, executions, mayRepeat)).toMatchObject(account);
});

test('counts a shared execution for each of its events, and retries it once', () => {
	const [a, b] = ['a', 'b'].map((id) => ({ ...crashed, id }));
	const executions = [execution([1, 2], a), execution([2, 3], { ...b, createdAt: 200 })];
	const deliveries = [1, 2, 3].map((event) => delivery(event));
	expect(accountFor(deliveries, executions, oncePerLife([]))).toMatchObject({
		...{ executed: 0, retryable: [1, 2, 3], repeated: 1, inexcusable: [2] },
	});
	expect([...toRetry([1, 2], executions)]).toEqual(['a', 'b']);
	expect([...toRetry([2, 3], executions)]).toEqual(['b']);
});

test('fails the run for a wrong count, and names it', () => {
	const printed = jest.spyOn(console, 'log').mockImplementation(() => undefined);
	const report = new Report();
	report.must('events lost', 0, 0);
	expect(() => report.close('A run')).not.toThrow();
	report.must('events lost', 2, 0, [7, 9]);
	report.atLeast('forgeries refused', 0, 1);
	expect(() => report.close('A run')).toThrow(
		'2 of the counts are wrong:\nevents lost: 2 (must be 0): 7, 9\nforgeries refused: 0 (must be at least 1)',
	);
	printed.mockRestore();
});
