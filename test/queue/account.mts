import { acceptedTexts } from '../host/harness/conversations.mts';
import { readExecutions } from '../load/executions.mts';
import {
	type Account,
	accountFor,
	eventIn,
	type ExecutionRecord,
	oncePerDelivery,
	toRetry,
} from '../load/records.mts';
import type { Report } from '../load/report.mts';
import { executionsThatRanTwice, forgottenKeys, workersOf } from './causes.mts';
import type { Listening, Run } from './run.mts';
import { BULK, senderOf } from './workflows.mts';

/** What is counted, and the first of it by name. */
const named = (values: readonly unknown[]): string =>
	[values.length, ...values.slice(0, 10)].join(values.length > 0 ? ' ' : '');

/**
 * Retries, from the executions list, what n8n ended without running it and still has the data of.
 * Says which were cut off: with the worker that was killed, or before a worker began them.
 */
async function retryWhatCan(
	{ name, part, report }: { name: string; part: Listening; report: Report },
	run: Run,
): Promise<number> {
	const { executions } = await readExecutions(run.cluster.postgres.query, part.workflow.id);
	const withStatus = (wanted: string) =>
		executions.filter(({ status }) => status === wanted).map(({ id }) => id);
	const crashed = withStatus('crashed');
	const workers = workersOf(run.cluster);
	const [killed] = run.cluster.workers;
	const waiting = crashed.filter((id) => !workers.has(id));
	report.figure(`${name}: executions that failed`, named(withStatus('error')));
	report.figure(`${name}: executions that n8n ended as crashed`, named(crashed));
	report.figure(`${name}: of them, before a worker began them`, named(waiting));
	const others = crashed.filter((id) => workers.get(id)?.has(killed.name) === false);
	report.must(`${name}: of them, of the worker that nobody killed`, others.length, 0, others);
	const { retryable } = accountFor(await part.traffic.records(), executions, oncePerDelivery);
	for (const id of toRetry(retryable, executions)) await run.host.client.retryExecution(id);
	return retryable.length;
}

interface Counted {
	executions: ExecutionRecord[];
	account: Account;
	texts: string[];
	/** Executions that n8n itself ran more than once. */
	ranTwice: ReadonlySet<string>;
}

/** Counts the outcomes of one workflow's events. */
async function countEvents(
	run: Run,
	name: string,
	part: Listening,
	report: Report,
): Promise<Counted> {
	const retried = await retryWhatCan({ name, part, report }, run);
	const ranTwice = executionsThatRanTwice(run.cluster);
	const { executions, forged } = await readExecutions(run.cluster.postgres.query, part.workflow.id);
	const account = accountFor(await part.traffic.records(), executions, oncePerDelivery);
	const { written } = part.traffic;
	const { acknowledged, executed, repeated, retryable, withoutData, inexcusable } = account;
	const must = (what: string, ...counts: [value: number, wanted: number, details?: unknown[]]) =>
		report.must(`${name}: ${what}`, ...counts);
	const figure = (what: string, value: number) => report.figure(`${name}: ${what}`, value);
	must('events that the service delivered', acknowledged, written);
	const lost = [...retryable, ...withoutData];
	must('delivered events that were executed to the end', executed, written, lost);
	figure('of them, cut off with their worker and executed by a retry from the list', retried);
	const { length } = withoutData;
	must('delivered events whose execution lost its data', length, 0, withoutData);
	figure('executions beyond the first of an event, each with a delivery of its own', repeated);
	const more = inexcusable.length;
	must('events executed more often than they were delivered', more, 0, inexcusable);
	must('executions of forged events', forged, 0);
	const isChanged = (await run.stateOf(part)) !== part.state;
	must("changes of the trigger's stored state", Number(isChanged), 0);
	const texts = (await acceptedTexts(run.host, part.channelId)).map(({ text }) => text);
	figure('texts that the service accepted', texts.length);
	return { executions, account, texts, ranTwice };
}

/** Those that are there more than once. */
const repeatedIn = <Value,>(values: readonly Value[]): Value[] =>
	values.filter((value, index) => values.indexOf(value) !== index);

/**
 * Each item of each execution that succeeded was accepted by the service once, and no item twice,
 * but for those of executions that n8n itself ran twice.
 */
function countItems(
	name: string,
	{ executions, texts, ranTwice }: Counted,
	textsEach: number,
	report: Report,
): void {
	const accepted = texts
		.map(senderOf)
		.map((sender) => sender && `${sender.execution}/${sender.item}`);
	const distinct = new Set(accepted);
	const wanted = executions
		.filter(({ status }) => status === 'success')
		.flatMap(({ id }) => Array.from({ length: textsEach }, (_, item) => `${id}/${item}`));
	const missing = wanted.filter((item) => !distinct.has(item));
	const unknown = accepted.filter((item) => item === undefined).length;
	report.must(`${name}: texts of no known execution`, unknown, 0);
	const twice = repeatedIn(accepted);
	const unexplained = twice.filter((item) => !ranTwice.has(String(item?.split('/')[0])));
	report.figure(`${name}: items that the service accepted twice`, named(twice));
	const where = 'of them, of executions that no worker began twice';
	report.must(`${name}: ${where}`, unexplained.length, 0, unexplained);
	const what = `${name}: items of successful executions that the service did not get`;
	report.must(what, missing.length, 0, missing);
}

/** Executions of an event. */
const of = ({ executions }: Counted, event: number | undefined): ExecutionRecord[] =>
	executions.filter(({ events }) => events.some((each) => each === event));

/**
 * The recipe with Redis: one text for each event, but for those whose execution ended with its
 * worker after the count.
 */
function countOnce(counted: Counted, written: number, report: Report): void {
	const told = new Set(counted.texts.map(eventIn));
	const { repeated } = counted.account;
	report.atLeast('once: of its executions, those beyond the first of an event', repeated, 1);
	const untold = Array.from({ length: written }, (_, event) => event).filter(
		(event) => !told.has(event),
	);
	report.figure('once: events without a text to the customer', named(untold));
	const unexplained = untold.filter((event) =>
		of(counted, event).every(({ status }) => status === 'success'),
	);
	const what = 'once: of them, without an execution that was cut off';
	report.must(what, unexplained.length, 0, unexplained);
	const twice = repeatedIn(counted.texts.map(eventIn)).filter((event) =>
		of(counted, event).every(({ id }) => !counted.ranTwice.has(id)),
	);
	report.must('once: second texts of events that n8n ran once', twice.length, 0, twice);
}

/**
 * Each event got at most one reply, although events are executed again, but for those whose key
 * n8n's list lost, and those that n8n itself ran twice.
 */
function countKeyed(counted: Counted, forgotten: readonly number[], report: Report): void {
	const { account, texts, ranTwice } = counted;
	const twice = repeatedIn(texts).map(eventIn);
	report.figure('keyed: texts that the service accepted twice', named(twice));
	report.figure('keyed: accepted texts whose key n8n did not keep', named(forgotten));
	const unexplained = twice.filter(
		(event) =>
			!forgotten.some((each) => each === event) &&
			of(counted, event).every(({ id }) => !ranTwice.has(id)),
	);
	const what = 'keyed: texts accepted twice of events that n8n ran once and whose key it kept';
	report.must(what, unexplained.length, 0, unexplained);
	report.figure(
		'keyed: events whose text was left in doubt and not accepted',
		account.events - new Set(texts).size,
	);
}

export async function accountForAll(run: Run, report: Report): Promise<void> {
	countItems('replies', await countEvents(run, 'replies', run.replying, report), 1, report);
	countItems('bulk', await countEvents(run, 'bulk', run.bulk, report), BULK, report);
	const once = await countEvents(run, 'once', run.once, report);
	countOnce(once, run.once.traffic.written, report);
	const forgotten = await forgottenKeys(run, run.keyed);
	countKeyed(await countEvents(run, 'keyed', run.keyed, report), forgotten, report);
	const grouped = await countEvents(run, 'grouped', run.grouped, report);
	const together = grouped.account.events - grouped.executions.length;
	report.atLeast('grouped: events that shared an execution with another', together, 1);
	const { strangers, cluster, startedAgain } = run;
	report.must('forged deliveries that were believed', strangers.believed, 0);
	report.atLeast('forged deliveries that were refused with 401', strangers.refused, 1);
	const byToken = cluster.processors.map(
		({ running }) => running.log().split('accepted by its token alone').length - 1,
	);
	const taken = byToken.reduce((sum, count) => sum + count);
	report.must('deliveries taken by the token alone', taken, 0);
	const statuses = [...cluster.proxy.statuses].map(([status, count]) => `${count} × ${status}`);
	report.figure('responses at the public address', statuses.join(', '));
	const names = startedAgain.join(', ') || 'none';
	report.figure('processes that ended by themselves and were started again', names);
}
