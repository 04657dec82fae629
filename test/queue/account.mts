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
import type { Listening, Run } from './run.mts';
import { BULK, senderOf } from './workflows.mts';

/**
 * Retries, from the executions list, what n8n ended without running it and still has the data of.
 */
async function retryWhatCan(run: Run, part: Listening): Promise<number> {
	const { executions } = await readExecutions(run.cluster.postgres.query, part.workflow.id);
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
async function countEvents(
	run: Run,
	name: string,
	part: Listening,
	report: Report,
): Promise<Counted> {
	const retried = await retryWhatCan(run, part);
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

/**
 * Each item of each execution that succeeded was accepted by the service once, and no item twice.
 */
function countItems(
	name: string,
	{ executions, texts }: Counted,
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
	report.must(`${name}: items that the service accepted twice`, accepted.length - distinct.size, 0);
	const what = `${name}: items of successful executions that the service did not get`;
	report.must(what, missing.length, 0, missing);
}

/** Each event got at most one reply, although events are executed again. */
function countKeyed({ account, texts }: Counted, report: Report): void {
	const distinct = new Set(texts);
	report.must('keyed: texts that the service accepted twice', texts.length - distinct.size, 0);
	report.figure(
		'keyed: events whose text was left in doubt and not accepted',
		account.events - distinct.size,
	);
}

export async function accountForAll(run: Run, report: Report): Promise<void> {
	countItems('replies', await countEvents(run, 'replies', run.replying, report), 1, report);
	countItems('bulk', await countEvents(run, 'bulk', run.bulk, report), BULK, report);
	const once = await countEvents(run, 'once', run.once, report);
	const { written } = run.once.traffic;
	const again = once.account.repeated;
	report.atLeast('once: of its executions, those beyond the first of an event', again, 1);
	const told = new Set(once.texts.map(eventIn)).size;
	report.must('once: texts to the customers, one for each event', told, written);
	report.must('once: texts beyond one for each event', once.texts.length - written, 0);
	countKeyed(await countEvents(run, 'keyed', run.keyed, report), report);
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
