import { setTimeout as sleep } from 'node:timers/promises';

import fc from 'fast-check';
import type { IDataObject } from 'n8n-workflow';

import type { N8nHost } from '#scripts/n8n/host.mts';
import { SandboxControl } from '#scripts/n8n/sandbox.mts';
import type { StoredWorkflow } from '#scripts/n8n/types.mts';
import { until } from '#scripts/until.mts';
import { acceptedTexts, number, sendTextParameters } from '../host/harness/conversations.mts';
import { ACTION, startNode } from '../host/harness/host.mts';
import { createAccount } from '../host/harness/listener.mts';
import { type OwnN8n, startN8nFor } from '../host/harness/ownN8n.mts';
import type { Report } from '../load/report.mts';
import { accountForTexts } from '../load/texts.mts';

const RECIPIENTS = 200;
const CONCURRENCY = 10;
const LATENCY_MS = 100;
/** A kill comes up to this many milliseconds after the texts that it waits for. */
const MOMENT_MS = 400;
/**
 * Each form of a 500 answers 2% of the requests: half of them done, half not. The numbers share no
 * factor, so that one request has one of them.
 */
const FAILURES = [
	{ shape: 'A', after: false, every: 97 },
	{ shape: 'A', after: true, every: 103 },
	{ shape: 'B', after: false, every: 113 },
	{ shape: 'B', after: true, every: 89 },
	{ shape: 'framework', after: false, every: 83 },
	{ shape: 'framework', after: true, every: 127 },
];
/** Runs at the end, at most, until no text is in doubt that may be sent again. */
const LAST_RUNS = 6;
const RUN_LIMIT_MS = 300_000;
const NODE = 'Action';

interface Account {
	secretKey: string;
	tenantId: string;
	channelId: string;
}

/** A workflow that sends texts under keys, in an n8n that dies again and again. */
export class OnceRun {
	private kills = 0;
	private killsWhileSending = 0;
	private outcomes: IDataObject[] = [];

	private constructor(
		private readonly n8n: OwnN8n,
		private readonly service: Account,
		private readonly texts: string[],
		private readonly workflow: StoredWorkflow,
		private readonly sendsAgain: boolean,
	) {}

	/** @param whenOutcomeUnknown what the node does with a text in doubt */
	static async prepare(
		program: N8nHost,
		sandboxUrl: string,
		count: number,
		whenOutcomeUnknown: string,
	): Promise<OnceRun> {
		const sandbox = new SandboxControl(sandboxUrl);
		const { secretKey, tenantId, channels } = await createAccount({ sandbox }, ['Once']);
		const [channelId = ''] = channels;
		for (let index = 0; index < RECIPIENTS; index++)
			await sandbox.customerWrites({
				channelId,
				from: number(index),
				name: 'Customer',
				text: 'Hello',
			});
		await sandbox.post('/_sandbox/faults', {
			on: 'route',
			operation: 'sendMessage',
			kind: 'latency',
			ms: LATENCY_MS,
		});
		for (const failure of FAILURES)
			await sandbox.post('/_sandbox/faults', {
				...{ on: 'route', operation: 'sendMessage', kind: 'status', status: 500 },
				...failure,
			});
		const n8n = await startN8nFor({ sandboxUrl, secretKey }, program);
		const items = Array.from({ length: count }, (_, index) => ({
			to: number(index % RECIPIENTS),
			text: `text ${index}`,
		}));
		const options = {
			sendOnceKey: '={{ $json.text }}',
			maxConcurrency: CONCURRENCY,
			whenOutcomeUnknown,
		};
		const action = {
			...n8n.host.node(NODE, ACTION, { ...sendTextParameters(channelId), options }),
			onError: 'continueRegularOutput' as const,
		};
		return new OnceRun(
			n8n,
			{ secretKey, tenantId, channelId },
			items.map(({ text }) => text),
			await n8n.host.createWorkflow('Once', [startNode(), action], items),
			whenOutcomeUnknown === 'sendAgain',
		);
	}

	/**
	 * Runs the workflow and kills n8n, again and again, replaces the secret key half-way, and runs it
	 * once more to its end, or as often as texts are sent again.
	 */
	async live(kills: number, seed: number): Promise<void> {
		const moments = fc.sample(
			fc.noBias(fc.tuple(fc.integer({ min: 0, max: 999 }), fc.nat(MOMENT_MS))),
			{ numRuns: kills, seed },
		);
		for (const [share, delay] of moments) {
			await this.runAndKill(share / 1000, delay, kills - this.kills);
			if (this.kills === Math.ceil(kills / 2)) await this.replaceSecretKey();
		}
		for (let run = 0; run < (this.sendsAgain ? LAST_RUNS : 1); run++) {
			await this.runToEnd();
			if (!this.outcomes.some(({ error }) => error !== undefined)) break;
		}
	}

	private async runToEnd(): Promise<void> {
		const id = await this.run();
		const { client } = this.n8n.host;
		await until(
			'the last run to end',
			async () => (await client.listExecutions(this.workflow.id))[0]?.status !== 'running',
			RUN_LIMIT_MS,
			1000,
		);
		const { resultData } = await client.finishedExecution(id);
		this.outcomes = (resultData.runData[NODE]?.[0]?.data?.main[0] ?? []).map(({ json }) => json);
	}

	/** @param share of the texts that are left for this part, up to which it waits */
	private async runAndKill(share: number, delay: number, killsLeft: number): Promise<void> {
		const { total: before } = await this.requests();
		const left = Math.max(0, this.texts.length - before - this.kills * CONCURRENCY);
		// Twice the even share, so that the parts are of all sizes and some texts are left for the last
		// one.
		const wanted = Math.min(Math.floor((share * 2 * left) / (killsLeft + 1)), 0.9 * left);
		await this.run();
		await until(
			`${wanted} more texts to be sent`,
			async () => (await this.requests()).total >= before + wanted,
			RUN_LIMIT_MS,
			20,
		);
		await sleep(delay);
		const { total, inFlight } = await this.requests();
		await this.n8n.kill();
		this.kills++;
		if (inFlight > 0) this.killsWhileSending++;
		console.log(
			`  kill ${this.kills}, with ${inFlight} texts under way; ${total} of ${this.texts.length} have reached the service`,
		);
		await this.n8n.start();
	}

	private async run(): Promise<string> {
		const id = await this.n8n.host.client.runManually(this.workflow, 'Start');
		if (id === undefined) throw new Error('n8n ran nothing');
		return id;
	}

	/** Requests that reached the service, which are nothing but texts. */
	private async requests(): Promise<{ total: number; inFlight: number }> {
		return await this.n8n.host.sandbox.get('/_sandbox/requests?limit=1');
	}

	private async replaceSecretKey(): Promise<void> {
		const { client, sandbox, underTest } = this.n8n.host;
		const secretKey = `${this.service.secretKey}-new`;
		await sandbox.post('/_sandbox/secret-key', { secretKey, tenant: this.service.tenantId });
		await client.updateCredential(underTest.credential, {
			baseUrl: underTest.sandboxUrl,
			secretKey,
		});
		console.log('  the secret key was replaced');
	}

	async account(report: Report): Promise<void> {
		const { channelId } = this.service;
		const accepted = (await acceptedTexts(this.n8n.host, channelId)).map(({ text }) => text);
		const account = accountForTexts(this.texts, this.outcomes, accepted);
		report.atLeast('kills while texts were under way', this.killsWhileSending, 1);
		report.figure('texts that the service accepted', new Set(accepted).size);
		if (this.sendsAgain)
			report.figure('texts that it accepted twice', account.acceptedTwice.length);
		else
			report.must(
				'texts that it accepted twice',
				account.acceptedTwice.length,
				0,
				account.acceptedTwice,
			);
		report.figure('of the last run: sent', account.sent);
		report.figure('of the last run: already sent', account.alreadySent);
		report.figure('of the last run: in doubt', account.inDoubt);
		report.figure('of them, accepted by the service', account.inDoubtAndAccepted);
		report.must(
			'sent, already sent and in doubt together',
			account.sent + account.alreadySent + account.inDoubt,
			this.texts.length,
			account.failed,
		);
		report.must(
			'texts called sent that the service never got',
			account.neverAccepted.length,
			0,
			account.neverAccepted,
		);
		const missing = this.texts.filter((text) => !accepted.includes(text));
		if (this.sendsAgain) report.must('texts that are missing', missing.length, 0, missing);
		const { total } = await this.requests();
		const failures = FAILURES.reduce((sum, { every }) => sum + total / every, 0);
		const most = this.kills * CONCURRENCY + Math.ceil(failures);
		report.atMost('texts in doubt', account.inDoubt, this.sendsAgain ? 0 : most);
	}

	async close(): Promise<void> {
		await this.n8n.remove();
	}
}
