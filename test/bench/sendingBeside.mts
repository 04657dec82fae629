/**
 * Sending the same texts from the same n8n, by turns: this node, n8n's HTTP Request node, and a
 * bare loop outside n8n.
 */
import { randomUUID } from 'node:crypto';

import type { INodeParameters } from 'n8n-workflow';

import type {
	CredentialReference,
	StoredWorkflow,
	WorkflowNode,
} from '../../scripts/n8n/types.mts';
import {
	clearFaults,
	clearRequests,
	number,
	openConversations,
	sendRequests,
	sendTextParameters,
} from '../host/harness/conversations.mts';
import { ACTION, type Host, startNode } from '../host/harness/host.mts';
import type { BareLoop } from './bare.mts';
import { resultOf, startScript } from './children.mts';
import { atMost, type Measured } from './report.mts';
import { medianOf, showSpread, spreadOf, table } from './statistics.mts';

const ROUNDS = 3;
const TEXTS = 1_000;
const RECIPIENTS = 200;
const CONCURRENCY = 20;
const LATENCIES = [0, 100];

/** One account, its credentials, and what every way of sending is given. */
interface Account {
	host: Host;
	channelId: string;
	recipients: string[];
	url: string;
	authorization: string;
	/** This package's credential, and one of n8n's own for headers. */
	credential: CredentialReference;
	header: CredentialReference;
}

interface Way {
	name: string;
	/** It keeps to `CONCURRENCY`, so that it is compared. */
	isBounded: boolean;
	/** Sends all texts once, and gives the seconds that took. */
	send(): Promise<number>;
}

async function openAccount(host: Host): Promise<Account> {
	const recipients = Array.from({ length: RECIPIENTS }, (_, index) => number(index));
	const { channelId, secretKey, credentialFor } = await openConversations(host, recipients);
	const authorization = `Bearer ${secretKey}`;
	return {
		host,
		channelId,
		recipients,
		url: `${host.underTest.sandboxUrl}/v1/channels/${channelId}/messages`,
		authorization,
		credential: await credentialFor(host.underTest.sandboxUrl),
		header: await host.client.createCredential(`Header ${randomUUID()}`, 'httpHeaderAuth', {
			name: 'Authorization',
			value: authorization,
		}),
	};
}

const textsFor = ({ recipients }: Account) =>
	Array.from({ length: TEXTS }, (_, index) => ({
		to: recipients[index % RECIPIENTS]!,
		text: `text ${index}`,
	}));

/** Seconds of a whole execution, as n8n recorded its start and its end. */
async function secondsOf(host: Host, workflow: StoredWorkflow): Promise<number> {
	const { startedAt, stoppedAt, resultData } = await host.client.execute(workflow, 'Start');
	if (resultData.error) throw new Error(`${workflow.name}: ${resultData.error.message}`);
	return (Date.parse(stoppedAt ?? '') - Date.parse(startedAt ?? '')) / 1000;
}

function builtIn(
	name: string,
	type: string,
	typeVersion: number,
	parameters: INodeParameters,
): WorkflowNode {
	return {
		id: randomUUID(),
		name,
		type: `n8n-nodes-base.${type}`,
		typeVersion,
		position: [0, 0],
		parameters,
	};
}

function httpRequest({ url, header }: Account, options: INodeParameters): WorkflowNode {
	const parameters = {
		method: 'POST',
		url,
		authentication: 'genericCredentialType',
		genericAuthType: 'httpHeaderAuth',
		sendBody: true,
		specifyBody: 'json',
		jsonBody:
			'={{ JSON.stringify({ recipient: { identifier: $json.to }, content: { type: "TEXT", body: { message: $json.text } } }) }}',
		options,
	};
	return {
		...builtIn('Request', 'httpRequest', 4.2, parameters),
		credentials: { httpHeaderAuth: { id: header.id, name: header.name } },
	};
}

async function waysOf(account: Account): Promise<Way[]> {
	const { host, channelId, credential, url, authorization, recipients } = account;
	const items = textsFor(account);
	const run = (workflow: StoredWorkflow) => async () => await secondsOf(host, workflow);
	const node = host.node(
		'Action',
		ACTION,
		sendTextParameters(channelId, { maxConcurrency: CONCURRENCY }),
		credential,
	);
	const spaced = { batching: { batch: { batchSize: CONCURRENCY, batchInterval: 100 } } };
	const split = builtIn('Loop', 'splitInBatches', 3, { batchSize: CONCURRENCY, options: {} });
	const looped = {
		Start: { main: [[{ node: 'Loop', type: 'main', index: 0 }]] },
		// Its first output is for what is done, the second for the next batch.
		Loop: { main: [[], [{ node: 'Request', type: 'main', index: 0 }]] },
		Request: { main: [[{ node: 'Loop', type: 'main', index: 0 }]] },
	};
	const bare: BareLoop = {
		url,
		count: TEXTS,
		concurrency: CONCURRENCY,
		headers: { authorization },
		recipients,
	};
	return [
		{
			name: `this node, Max Concurrency ${CONCURRENCY}`,
			isBounded: true,
			send: run(await host.createWorkflow('This node', [startNode(), node], items)),
		},
		{
			name: `HTTP Request in a loop over batches of ${CONCURRENCY}`,
			isBounded: true,
			send: run(
				await host.createWorkflow(
					'A loop',
					[startNode(), split, httpRequest(account, {})],
					items,
					looped,
				),
			),
		},
		{
			name: `HTTP Request, its option Batching: ${CONCURRENCY} every 100 ms`,
			isBounded: false,
			send: run(
				await host.createWorkflow('Batching', [startNode(), httpRequest(account, spaced)], items),
			),
		},
		{
			name: 'HTTP Request as it is: all at once',
			isBounded: false,
			send: run(
				await host.createWorkflow('At once', [startNode(), httpRequest(account, {})], items),
			),
		},
		{
			name: `bare undici loop, ${CONCURRENCY} connections`,
			isBounded: true,
			send: async () =>
				(
					await resultOf<{ seconds: number }>(
						startScript('test/bench/bare.mts', ['loop', JSON.stringify(bare)]),
					)
				).seconds,
		},
	];
}

const storedMessages = async (host: Host) =>
	(await host.sandbox.get<{ messages: number }>('/_sandbox/state')).messages;

/**
 * Runs one way once.
 *
 * @returns its seconds, and the requests under way at the service. Fails unless every text was
 * accepted.
 */
async function turn({ host, channelId }: Account, way: Way) {
	await clearRequests(host);
	const before = await storedMessages(host);
	const seconds = await way.send();
	const accepted = (await storedMessages(host)) - before;
	if (accepted !== TEXTS)
		throw new Error(`${way.name}: the service accepted ${accepted} of ${TEXTS} texts`);
	const { maxInFlight } = await sendRequests(host, channelId);
	if (way.isBounded && maxInFlight > CONCURRENCY)
		throw new Error(`${way.name}: ${maxInFlight} requests were under way at once`);
	return { seconds, maxInFlight };
}

export async function benchSendingBeside(host: Host): Promise<Measured> {
	const rows: string[][] = [];
	const bounds = [];
	for (const latency of LATENCIES) {
		// Anew, or what the service keeps grows from one latency to the next.
		const account = await openAccount(host);
		const ways = await waysOf(account);
		await clearFaults(host);
		if (latency > 0)
			await host.sandbox.post('/_sandbox/faults', {
				on: 'route',
				operation: 'sendMessage',
				kind: 'latency',
				ms: latency,
			});
		const turns = ways.map(() => [] as Array<Awaited<ReturnType<typeof turn>>>);
		for (let round = 0; round <= ROUNDS; round += 1) {
			for (const [index, way] of ways.entries()) {
				const result = await turn(account, way);
				// The first round warms up.
				if (round > 0) turns[index]!.push(result);
			}
		}
		await clearFaults(host);
		await host.cleanUp();
		const medians = turns.map((results) => medianOf(results.map(({ seconds }) => seconds)));
		for (const [index, { name }] of ways.entries()) {
			const results = turns[index]!;
			rows.push([
				`${latency} ms`,
				name,
				showSpread(spreadOf(results.map(({ seconds }) => seconds))),
				String(Math.max(...results.map(({ maxInFlight }) => maxInFlight))),
				(medians[index]! / medians[0]!).toFixed(2),
			]);
		}
		const [own = NaN, loop = NaN] = medians;
		bounds.push(atMost(`Time at ${latency} ms latency / HTTP Request`, own / loop, 1));
	}
	return {
		blocks: [
			[
				`${TEXTS.toLocaleString('en')} texts to ${RECIPIENTS} recipients, ${ROUNDS} rounds by turns, against the sandbox on the same machine, which responds at once or after 100 ms.`,
				"Seconds are those of the whole execution, by n8n's own record; the service found every text accepted each time.",
			].join(' '),
			table(
				['Latency', 'What', 'Seconds', 'Most under way at the service', 'In those of this node'],
				rows,
			),
			[
				`The HTTP Request node cannot be told how many requests may be under way: without options it starts one for every item at once, and its option Batching starts the next batch`,
				`after a time, whether the batch before had its responses or not. Only in a loop does it wait for a batch's responses, and then for the slowest of them: that is equal concurrency.`,
				'Besides, only this node keeps the order of texts to one recipient, waits when the service asks to, and sends nothing twice when the execution is retried.',
			].join(' '),
		],
		bounds,
	};
}
