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
	report.must(
		`${name}: events that the service delivered`,
		account.acknowledged,
		part.traffic.written,
	);
	report.must(
		`${name}: delivered events that were executed to the end`,
		account.executed,
		part.traffic.written,
		[...account.retryable, ...account.withoutData],
	);
	report.figure(
		`${name}: of them, cut off with their worker and executed by a retry from the executions list`,
		retried,
	);
	report.must(
		`${name}: delivered events whose execution lost its data`,
		account.withoutData.length,
		0,
		account.withoutData,
	);
	report.figure(
		`${name}: executions beyond the first of an event, each with a delivery of its own`,
		account.repeated,
	);
	report.must(
		`${name}: events executed more often than they were delivered`,
		account.inexcusable.length,
		0,
		account.inexcusable,
	);
	report.must(`${name}: executions of forged events`, forged, 0);
	report.must(
		`${name}: changes of the trigger's stored state`,
		(await run.stateOf(part)) === part.state ? 0 : 1,
		0,
	);
	const texts = (await acceptedTexts(run.host, part.channelId)).map(({ text }) => text);
	report.figure(`${name}: texts that the service accepted`, texts.length);
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
	report.must(
		`${name}: texts of no known execution`,
		accepted.filter((item) => item === undefined).length,
		0,
	);
	report.must(`${name}: items that the service accepted twice`, accepted.length - distinct.size, 0);
	report.must(
		`${name}: items of successful executions that the service did not get`,
		missing.length,
		0,
		missing,
	);
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
	report.atLeast(
		'once: of its executions, those beyond the first of an event',
		once.account.repeated,
		1,
	);
	report.must(
		'once: texts to the customers, one for each event',
		new Set(once.texts.map(eventIn)).size,
		run.once.traffic.written,
	);
	report.must(
		'once: texts beyond one for each event',
		once.texts.length - run.once.traffic.written,
		0,
	);
	countKeyed(await countEvents(run, 'keyed', run.keyed, report), report);
	const grouped = await countEvents(run, 'grouped', run.grouped, report);
	report.atLeast(
		'grouped: events that shared an execution with another',
		grouped.account.events - grouped.executions.length,
		1,
	);
	const { strangers, cluster, startedAgain } = run;
	report.must('forged deliveries that were believed', strangers.believed, 0);
	report.atLeast('forged deliveries that were refused with 401', strangers.refused, 1);
	report.must(
		'deliveries taken by the token alone',
		cluster.processors.reduce(
			(sum, { running }) => sum + running.log().split('accepted by its token alone').length - 1,
			0,
		),
		0,
	);
	report.figure(
		'responses at the public address',
		[...cluster.proxy.statuses].map(([status, count]) => `${count} × ${status}`).join(', '),
	);
	report.figure(
		'processes that ended by themselves and were started again',
		startedAgain.length === 0 ? 'none' : startedAgain.join(', '),
	);
}
