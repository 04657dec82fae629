/** The counting of `npm run test:chaos` and `npm run test:queue`: that it sees what those are there to find. */
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

test('an event is found again in what n8n stored', () => {
	expect(eventIn(JSON.stringify([{ text: `${eventText(17)}0-run-4-` }]))).toBe(17);
	expect(eventIn('forged-event 3')).toBeUndefined();
	expect(eventsIn(JSON.stringify([eventText(17), eventText(4), eventText(17)]))).toEqual([17, 4]);
	expect(eventsIn('forged-event 3')).toEqual([]);
});

test('an acknowledged event without an execution, or with one that failed, is not executed', () => {
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

test('an execution that several events share counts for each of them, and is retried once', () => {
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

test('an event that was not acknowledged may have no execution', () => {
	expect(accountFor([delivery(1, { acknowledged: false })], [], oncePerDelivery)).toMatchObject({
		acknowledged: 0,
		executed: 0,
		retryable: [],
		withoutData: [],
	});
});

test('a retry from the executions list makes a failed one good, and is no repetition', () => {
	const account = accountFor(
		[delivery(1)],
		[execution(1, { status: 'crashed' }), execution(1, { id: '2', retryOf: '1' })],
		oncePerLife([]),
	);
	expect(account).toMatchObject({ executed: 1, retryable: [], repeated: 0, inexcusable: [] });
});

test('one process runs an event once; after a restart it can run again', () => {
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

test('over several processes, each execution needs a delivery of its own', () => {
	const twice = [execution(1), execution(1, { id: '2' })];
	expect(accountFor([delivery(1, { attempts: 2 })], twice, oncePerDelivery)).toMatchObject({
		inexcusable: [],
	});
	expect(accountFor([delivery(1)], twice, oncePerDelivery)).toMatchObject({ inexcusable: [1] });
});

test('a count that is not what it must be fails the run, and says which', () => {
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
