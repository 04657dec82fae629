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
	event,
	acknowledged: true,
	attempts: 1,
	...changes,
});
const execution = (
	events: number | number[] | undefined,
	changes: Partial<ExecutionRecord> = {},
): ExecutionRecord => ({
	id: '1',
	status: 'success',
	events: events === undefined ? [] : [events].flat(),
	createdAt: 100,
	retryOf: null,
	...changes,
});

test('finds an event in what n8n stored', () => {
	expect(eventIn(JSON.stringify([{ text: `${eventText(17)}0-run-4-` }]))).toBe(17);
	expect(eventIn('forged-event 3')).toBeUndefined();
	expect(eventsIn(JSON.stringify([eventText(17), eventText(4), eventText(17)]))).toEqual([17, 4]);
	expect(eventsIn('forged-event 3')).toEqual([]);
});

test('counts an acknowledged event without a successful execution as not executed', () => {
	const account = accountFor(
		[delivery(1), delivery(2), delivery(3)],
		[execution(1), execution(2, { status: 'crashed' }), execution(undefined, { status: 'error' })],
		oncePerDelivery,
	);
	expect(account).toMatchObject({
		events: 3,
		acknowledged: 3,
		executed: 1,
		retryable: [2],
		withoutData: [3],
	});
});

test('counts a shared execution for each of its events, and retries it once', () => {
	const executions = [
		execution([1, 2], { id: 'a', status: 'crashed' }),
		execution([2, 3], { id: 'b', status: 'crashed', createdAt: 200 }),
	];
	const account = accountFor(
		[1, 2, 3].map((event) => delivery(event)),
		executions,
		oncePerLife([]),
	);
	expect(account).toMatchObject({
		executed: 0,
		retryable: [1, 2, 3],
		repeated: 1,
		inexcusable: [2],
	});
	expect([...toRetry([1, 2], executions)]).toEqual(['a', 'b']);
	expect([...toRetry([2, 3], executions)]).toEqual(['b']);
});

test('accepts an event without an execution if it was not acknowledged', () => {
	expect(accountFor([delivery(1, { acknowledged: false })], [], oncePerDelivery)).toMatchObject({
		acknowledged: 0,
		executed: 0,
		retryable: [],
		withoutData: [],
	});
});

test('a retry from the executions list replaces a failed execution, and is no repetition', () => {
	const account = accountFor(
		[delivery(1)],
		[execution(1, { status: 'crashed' }), execution(1, { id: '2', retryOf: '1' })],
		oncePerLife([]),
	);
	expect(account).toMatchObject({ executed: 1, retryable: [], repeated: 0, inexcusable: [] });
});

test('allows one execution of an event per process, and another after a restart', () => {
	const twice = [execution(1), execution(1, { id: '2', createdAt: 300 })];
	expect(accountFor([delivery(1, { attempts: 2 })], twice, oncePerLife([200]))).toMatchObject({
		repeated: 1,
		inexcusable: [],
	});
	expect(accountFor([delivery(1, { attempts: 2 })], twice, oncePerLife([400]))).toMatchObject({
		repeated: 1,
		inexcusable: [1],
	});
});

test('needs a delivery for each execution over several processes', () => {
	const twice = [execution(1), execution(1, { id: '2' })];
	expect(accountFor([delivery(1, { attempts: 2 })], twice, oncePerDelivery)).toMatchObject({
		inexcusable: [],
	});
	expect(accountFor([delivery(1)], twice, oncePerDelivery)).toMatchObject({ inexcusable: [1] });
});

test('fails the run for a wrong count, and names it', () => {
	const printed = jest.spyOn(console, 'log').mockImplementation(() => undefined);
	const report = new Report();
	report.must('events lost', 0, 0);
	report.atLeast('forgeries refused', 5, 1);
	expect(() => report.close('A run')).not.toThrow();
	report.must('events lost', 2, 0, [7, 9]);
	report.atLeast('forgeries refused', 0, 1);
	expect(() => report.close('A run')).toThrow(
		'2 of the counts are wrong:\nevents lost: 2 (must be 0): 7, 9\nforgeries refused: 0 (must be at least 1)',
	);
	expect(printed.mock.calls.at(-1)?.[0]).toContain('WRONG  events lost: 2 (must be 0)');
	printed.mockRestore();
});
