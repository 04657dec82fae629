/**
 * Customers answer questions in the chat and write other messages, while a trigger listens on the
 * channel. The deliveries of a message to the question and to the trigger reach two processors.
 */
import { randomUUID } from 'node:crypto';

import type { INodeParameters } from 'n8n-workflow';

import { CHECK_ACCEPTS } from '#nodes/replies/waitingExecution.ts';
import { isTaken, markerOf, readWaiting } from '#nodes/replies/questionMark.ts';
import type { Webhook } from '#nodes/service/contract/index.ts';
import type { N8nHost } from '#scripts/n8n/host.mts';
import { SandboxControl } from '#scripts/n8n/sandbox.mts';
import { until } from '#scripts/until.mts';
import { number } from '../host/harness/conversations.mts';
import { ACTION } from '../host/harness/host.mts';
import { createAccount } from '../host/harness/listener.mts';
import {
	askParameters,
	type Customers,
	listWebhooks,
	newestButtons,
	reply,
	tap,
} from '../host/harness/questions.mts';
import { allEnded, readExecutions } from '../load/executions.mts';
import { inTurn } from '../load/proxy.mts';
import { accountFor, eventText, oncePerLife } from '../load/records.mts';
import type { Report } from '../load/report.mts';
import { Traffic } from '../load/traffic.mts';
import { ONE_REQUEST, start, webhookAt } from './byWebhook.mts';
import type { Cluster } from './cluster.mts';
import { signInto } from './run.mts';
import { createListening, plainNode } from './workflows.mts';

/** Questions at once, each to a customer of its own. */
const AT_ONCE = 10;
/** A tap that comes before its execution waits comes again, at last after five minutes. */
const LIMIT_MS = 600_000;

const WAYS = [
	{ where: 'a processor in turn', first: inTurn() },
	{
		where: 'a processor for the questions, another for the trigger',
		first: (url: string) => Number(url.includes('-waiting/')),
	},
];

const KINDS: Array<{ titles: string[]; parameters: INodeParameters }> = [
	{
		titles: ['Approve', 'Decline'],
		parameters: {
			responseType: 'approval',
			approvalOptions: { values: { approvalType: 'double' } },
		},
	},
	{
		titles: ['Monday', 'Tuesday'],
		parameters: {
			responseType: 'replyInChat',
			choices: { values: [{ choice: 'Monday' }, { choice: 'Tuesday' }] },
		},
	},
];

/** @param count of questions, half of them each way */
export async function askAndListen(
	cluster: Cluster,
	n8n: N8nHost,
	sandboxUrl: string,
	count: number,
	report: Report,
): Promise<void> {
	const { secretKey, channels } = await createAccount({ sandbox: new SandboxControl(sandboxUrl) }, [
		'Questions',
	]);
	const [channelId = ''] = channels;
	const host = await signInto(cluster, n8n, sandboxUrl, secretKey);
	const customers: Customers = { host, channelId, secretKey };
	for (let index = 0; index < count; index++) await reply(customers, number(index), 'Hello');
	const asking = await Promise.all(
		KINDS.map(async ({ parameters }) => await publishAsking(customers, parameters)),
	);
	const listening = await createListening(host, channelId);
	await host.client.publish(listening.id);
	const listens = async () => (await listWebhooks(customers))[0]?.id;
	const traffic = new Traffic(
		host.sandbox,
		channelId,
		await until('the trigger to listen', listens, LIMIT_MS),
	);

	const wanted: string[] = [];
	let events = 0;
	const writes = async (customer: string) => await reply(customers, customer, eventText(events++));

	/** Asks a customer, who answers and writes something else before or afterwards. */
	async function converse(index: number): Promise<void> {
		const customer = number(index);
		const kind = index % KINDS.length;
		const said = KINDS[kind]?.titles[Math.floor(index / KINDS.length) % 2] ?? '';
		wanted.push(answerOf(customer, said));
		await start(cluster, asking[kind]?.path ?? '', { customer });
		if (kind === 0) {
			const asked = async () => await newestButtons(customers, customer).catch(() => undefined);
			await until('the buttons to arrive', asked, LIMIT_MS);
			await writes(customer);
			await tap(customers, customer, said);
		} else {
			await until('words to count', async () => await takesWords(customer), LIMIT_MS);
			await reply(customers, customer, said);
			await until('the answer', async () => !(await questionTo(customer)), LIMIT_MS);
		}
		await writes(customer);
	}

	/** The question that waits for a customer. */
	async function questionTo(customer: string) {
		const mark = markerOf(secretKey).person(channelId, customer);
		return (await listWebhooks(customers))
			.map((webhook) => readWaiting(webhook as Webhook))
			.find((waiting) => waiting?.mark.recipient === mark && !isTaken(waiting));
	}

	/** Whether its execution waits, and what is written now is certainly newer. */
	async function takesWords(customer: string): Promise<boolean> {
		const question = await questionTo(customer);
		if ((question?.mark.sent[0]?.until ?? Infinity) >= Date.now()) return false;
		const headers = { accept: CHECK_ACCEPTS, ...ONE_REQUEST };
		return (await fetch(question?.webhook.url ?? '', { headers })).status === 200;
	}

	for (const [way, { first }] of WAYS.entries()) {
		cluster.proxy.first = first;
		const left = Array.from({ length: count }, (_, index) => index).filter(
			(index) => Math.floor((index * WAYS.length) / count) === way,
		);
		const converseInTurn = async (): Promise<void> => {
			for (let next = left.shift(); next !== undefined; next = left.shift()) await converse(next);
		};
		await Promise.all(Array.from({ length: AT_ONCE }, converseInTurn));
	}
	await traffic.delivered(LIMIT_MS);
	await allEnded(cluster.postgres.query, LIMIT_MS);

	const { executions } = await readExecutions(cluster.postgres.query, listening.id);
	const { executed, repeated } = accountFor(await traffic.records(), executions, oncePerLife([]));
	const started = executions.filter((one) => one.events.length === 0).map(({ id }) => id);
	const answers = await answersOf(
		cluster,
		asking.map(({ workflow }) => workflow.id),
	);
	const missing = wanted.filter((answer) => !answers.includes(answer));
	report.must('questions that got their answer', count - missing.length, count, missing);
	report.must('answers that started the workflow', started.length, 0, started);
	report.must('other messages that started it', executed, events);
	report.must('of them, started it again', repeated, 0);
}

/** How what was answered is found in n8n's database. */
const answerOf = (customer: string, said: string): string => `answer-${customer}-${said}-`;

/** Asks whom a request names. */
async function publishAsking({ host, channelId }: Customers, parameters: INodeParameters) {
	const path = randomUUID();
	const customer = "$('Webhook').first().json.body.customer";
	const said = "$json.data.choice ?? ($json.data.approved ? 'Approve' : 'Decline')";
	const workflow = await host.createWorkflow('Asking', [
		webhookAt(path),
		host.node('Ask', ACTION, {
			...askParameters(channelId, `={{ ${customer} }}`, parameters),
			askIn: 'chat',
		}),
		plainNode('Answer', 'set', 3.4, {
			mode: 'raw',
			jsonOutput: `={{ { answer: ['answer', ${customer}, ${said}, ''].join('-') } }}`,
			options: {},
		}),
	]);
	await host.client.publish(workflow.id);
	return { path, workflow };
}

async function answersOf({ postgres }: Cluster, workflowIds: string[]): Promise<string[]> {
	const names = workflowIds.map((id) => `'${id}'`).join(', ');
	const rows = await postgres.query<{ data: string }>(
		`SELECT d.data FROM execution_entity e JOIN execution_data d ON d."executionId" = e.id WHERE e."workflowId" IN (${names}) AND e.status = 'success'`,
	);
	return rows.flatMap(({ data }) =>
		Array.from(data.matchAll(/answer-\d+-\w+-/g), ([answer]) => answer),
	);
}
