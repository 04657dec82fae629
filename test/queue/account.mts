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
import { beginningsIn, forgottenKeys } from './causes.mts';
import { CONCURRENCY } from './cluster.mts';
import type { Listening, Run } from './run.mts';
import { BULK, senderOf } from './workflows.mts';

/** What is counted, and the first of it by name. */
const named = (values: readonly unknown[]): string =>
	[values.length, ...values.slice(0, 10)].join(values.length > 0 ? ' ' : '');

interface Counting {
	run: Run;
	report: Report;
	/** The beginnings of executions, up to the retries. */
	begun: ReadonlyMap<string, unknown[]>;
}

/**
 * Retries, from the executions list, what n8n ended without running it and still has the data of.
 * Says which were cut off: with the worker that was killed, or before a worker began them.
 */
async function retryWhatCan(
	{ run, report, begun }: Counting,
	name: string,
	part: Listening,
): Promise<number> {
	const { executions } = await readExecutions(run.cluster.postgres.query, part.workflow.id);
	const withStatus = (wanted: string) =>
		executions.filter(({ status }) => status === wanted).map(({ id }) => id);
	const crashed = withStatus('crashed');
	const [killed] = run.cluster.workers;
	const waiting = crashed.filter((id) => !begun.has(id));
	report.figure(`${name}: executions that failed`, named(withStatus('error')));
	report.figure(`${name}: executions that n8n ended as crashed`, named(crashed));
	report.figure(`${name}: of them, before a worker began them`, named(waiting));
	const others = crashed.filter((id) => begun.get(id)?.includes(killed) === false);
	report.must(`${name}: of them, of the worker that nobody killed`, others.length, 0, others);
	const { retryable } = accountFor(await part.traffic.records(), executions, oncePerDelivery);
	for (const id of toRetry(retryable, executions)) await run.host.client.retryExecution(id);
	return retryable.length;
}

interface Counted {
	executions: ExecutionRecord[];
	account: Account;
	texts: string[];
}

/** Counts the outcomes of one workflow's events. */
async function countEvents(counting: Counting, name: string, part: Listening): Promise<Counted> {
	const { run, report } = counting;
	const retried = await retryWhatCan(counting, name, part);
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
	return { executions, account, texts };
}

/** Those that are there more than once. */
const repeatedIn = <Value,>(values: readonly Value[]): Value[] =>
	values.filter((value, index) => values.indexOf(value) !== index);

/**
 * Each item of each execution that succeeded was accepted by the service once, and no item twice,
 * but for those of executions that n8n itself ran twice, as it seldom does after Redis was killed.
 */
function countItems(
	{ report, begun }: Counting,
	name: string,
	{ executions, texts }: Counted,
	textsEach: number,
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
	const unexplained = twice.filter(
		(item = '') => (begun.get(item.split('/')[0]!)?.length ?? 0) < 2,
	);
	report.figure(`${name}: items that the service accepted twice`, named(twice));
	const where = 'of them, of executions that no worker began twice';
	report.must(`${name}: ${where}`, unexplained.length, 0, unexplained);
	const what = `${name}: items of successful executions that the service did not get`;
	report.must(what, missing.length, 0, missing);
}

/**
 * The recipe with Redis: one text for each event, but for those whose execution ended with its
 * worker after the count, and none twice.
 */
function countOnce({ executions, texts, account }: Counted, written: number, report: Report): void {
	const { repeated } = account;
	report.atLeast('once: of its executions, those beyond the first of an event', repeated, 1);
	const told = new Set(texts.map(eventIn));
	const all = Array.from({ length: written }, (_, event) => event);
	const untold = all.filter((event) => !told.has(event));
	report.figure('once: events without a text to the customer', named(untold));
	const cutOff = executions.filter(({ status }) => status !== 'success');
	const excused = new Set(cutOff.flatMap(({ events }) => events));
	const unexplained = untold.filter((event) => !excused.has(event));
	const what = 'once: of them, without an execution that was cut off';
	report.must(what, unexplained.length, 0, unexplained);
	const twice = repeatedIn(texts.map(eventIn));
	report.must('once: texts beyond one for each event', twice.length, 0, twice);
}

/** Each event got at most one reply, although events are executed again. */
function countKeyed({ account, texts }: Counted, forgotten: number[], report: Report): void {
	const twice = repeatedIn(texts);
	report.must('keyed: texts that the service accepted twice', twice.length, 0, twice);
	// What a worker wrote just before it was killed, another's write can take back.
	const kept = 'keyed: accepted texts whose key n8n did not keep';
	report.atMost(kept, forgotten.length, CONCURRENCY);
	report.figure(
		'keyed: events whose text was left in doubt and not accepted',
		account.events - new Set(texts).size,
	);
}

export async function accountForAll(run: Run, report: Report): Promise<void> {
	const counting = { run, report, begun: beginningsIn(run.cluster) };
	const count = async (name: string, part: Listening) => await countEvents(counting, name, part);
	countItems(counting, 'replies', await count('replies', run.replying), 1);
	countItems(counting, 'bulk', await count('bulk', run.bulk), BULK);
	const once = await count('once', run.once);
	countOnce(once, run.once.traffic.written, report);
	const forgotten = await forgottenKeys(run, run.keyed);
	countKeyed(await count('keyed', run.keyed), forgotten, report);
	const grouped = await count('grouped', run.grouped);
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
