import type { N8nHost } from '#scripts/n8n/host.mts';
import { SandboxControl } from '#scripts/n8n/sandbox.mts';
import type { StoredWorkflow } from '#scripts/n8n/types.mts';
import { until } from '#scripts/until.mts';
import { byId, type Host, TRIGGER } from '../host/harness/host.mts';
import { createAccount, type ListedWebhook } from '../host/harness/listener.mts';
import { type OwnN8n, startN8nFor } from '../host/harness/ownN8n.mts';
import { readExecutions, sqliteQuery, allEnded } from '../load/executions.mts';
import { type Proxy, openProxy } from '../load/proxy.mts';
import { accountFor, oncePerLife, toRetry } from '../load/records.mts';
import type { Report } from '../load/report.mts';
import { Strangers, Traffic } from '../load/traffic.mts';

/** Sandbox seconds in a second: the service's waits of minutes become seconds. */
const SPEED = 60;
/** For what was struck again and again, and waits for hours. */
const SPEED_AT_THE_END = 3600;
const PART_LIMIT_MS = 900_000;
const FINISH_LIMIT_MS = 300_000;
/**
 * The trigger's settings, by what is grouped. Pauses are short, for the service has 16 deliveries
 * to a webhook under way at most.
 */
export const GROUPINGS = {
	none: {},
	arrival: { grouping: 'arrival' },
	customer: { grouping: 'customer', quietTime: 0.5, options: { longestWait: 2 } },
};
export const isGrouping = (text: string): text is keyof typeof GROUPINGS =>
	Object.hasOwn(GROUPINGS, text);
/** n8n by itself keeps the last 10,000 executions only. */
const ENV = { EXECUTIONS_DATA_PRUNE: 'false' };

/** A trigger in an n8n that dies again and again, behind a proxy as the guide has it. */
export class ChaosRun {
	/** When n8n was killed, milliseconds. */
	private readonly kills: number[] = [];

	private constructor(
		private readonly n8n: OwnN8n,
		private readonly proxy: Proxy,
		private readonly workflow: StoredWorkflow,
		private readonly traffic: Traffic,
		private readonly strangers: Strangers,
		private readonly isGrouped: boolean,
	) {}

	static async prepare(
		program: N8nHost,
		sandboxUrl: string,
		grouping: keyof typeof GROUPINGS,
	): Promise<ChaosRun> {
		const sandbox = new SandboxControl(sandboxUrl);
		await sandbox.post('/_sandbox/clock', { speed: SPEED });
		const { secretKey, channels } = await createAccount({ sandbox }, ['Chaos']);
		const [channelId = ''] = channels;
		const proxy = await openProxy();
		const env = { ...ENV, WEBHOOK_URL: `${proxy.url}/` };
		const n8n = await startN8nFor({ sandboxUrl, secretKey }, program, env);
		const { host } = n8n;
		proxy.backends.push(new URL(host.underTest.n8nUrl));
		const workflow = await host.createWorkflow('Chaos', [
			host.node('Trigger', TRIGGER, { channelId: byId(channelId), ...GROUPINGS[grouping] }),
		]);
		await host.client.publish(workflow.id);
		const [webhook] = await host.callService<ListedWebhook[]>(
			`/v1/channels/${channelId}/webhooks`,
			secretKey,
		);
		if (!webhook) throw new Error('the trigger registered no webhook');
		return new ChaosRun(
			n8n,
			proxy,
			workflow,
			new Traffic(sandbox, channelId, webhook.id),
			new Strangers(webhook.url),
			grouping !== 'none',
		);
	}

	get host(): Host {
		return this.n8n.host;
	}

	/**
	 * Writes the events in one part more than there are kills, each but the first with a kill in it.
	 */
	async live(events: number, kills: number): Promise<void> {
		const share = Math.ceil(events / (kills + 1));
		for (let part = 0; part <= kills; part++) {
			const before = this.traffic.written;
			const writing = this.traffic.begin(Math.min(share, events - before));
			await until(
				'half of the part to be written',
				() => this.traffic.written >= before + share / 2 || this.traffic.written >= events,
				PART_LIMIT_MS,
			);
			if (part > 0) await this.killAndStart();
			await this.strangers.forge();
			await writing.done;
			console.log(
				`  ${this.traffic.written} events written, n8n killed ${this.kills.length} times`,
			);
		}
	}

	private async killAndStart(): Promise<void> {
		await this.n8n.kill();
		this.kills.push(Date.now());
		await this.n8n.start();
	}

	async settle(): Promise<void> {
		await this.host.sandbox.post('/_sandbox/clock', { speed: SPEED_AT_THE_END });
		await this.traffic.delivered(PART_LIMIT_MS);
		await allEnded(sqliteQuery(this.host.underTest.home), FINISH_LIMIT_MS, { lookMs: 1000 });
	}

	async close(): Promise<void> {
		await this.proxy.stop();
		await this.n8n.remove();
	}

	/** Retries what the kills cut off, as the guide says, and counts. */
	async account(report: Report): Promise<void> {
		const mayRepeat = oncePerLife(this.kills);
		const { executions: before } = await readExecutions(
			sqliteQuery(this.host.underTest.home),
			this.workflow.id,
		);
		const first = accountFor(await this.traffic.records(), before, mayRepeat);
		for (const id of toRetry(first.retryable, before)) await this.host.client.retryExecution(id);
		const { executions, forged } = await readExecutions(
			sqliteQuery(this.host.underTest.home),
			this.workflow.id,
		);
		const account = accountFor(await this.traffic.records(), executions, mayRepeat);
		report.figure(
			'responses of the proxy',
			[...this.proxy.statuses]
				.sort()
				.map(([status, count]) => `${count} × ${status}`)
				.join(', '),
		);
		report.figure('executions', executions.length);
		if (this.isGrouped)
			report.atLeast(
				'events in an execution with others',
				new Set(executions.flatMap(({ events }) => (events.length > 1 ? events : []))).size,
				1,
			);
		report.must('events that the service delivered', account.acknowledged, this.traffic.written);
		const becameOf = (event: number): string =>
			`event ${event} (${executions
				.filter((execution) => execution.events.includes(event))
				.map(
					({ id, status, retryOf }) =>
						`${id} ${status}${retryOf === null ? '' : `, retry of ${retryOf}`}`,
				)
				.join('; ')})`;
		report.must(
			'delivered events that were executed',
			account.executed,
			this.traffic.written,
			[...account.retryable, ...account.withoutData].map(becameOf),
		);
		report.figure(
			'of them, cut off by a kill and executed by a retry from the executions list',
			first.retryable.length,
		);
		report.figure('executions beyond the first of an event, each after a kill', account.repeated);
		report.must(
			'events executed twice by one process',
			account.inexcusable.length,
			0,
			account.inexcusable.map(becameOf),
		);
		report.must('executions of forged events', forged, 0);
		report.must('forged deliveries that were believed', this.strangers.believed, 0);
		report.atLeast('forged deliveries that were refused with 401', this.strangers.refused, 1);
	}
}
