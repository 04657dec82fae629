import type { N8nHost } from '../../scripts/n8n/host.mts';
import { until } from '../../scripts/until.mts';
import { outOfOrder, Service, splitBursts } from '../host/harness/bursts.mts';
import { type OwnN8n, startN8nFor } from '../host/harness/ownN8n.mts';
import { publishTrigger } from '../host/harness/receivers.mts';
import { readExecutions, sqliteQuery, unfinished } from '../load/executions.mts';
import { accountFor, oncePerLife } from '../load/records.mts';
import type { Report } from '../load/report.mts';

const CUSTOMERS = 200;
const MESSAGES = 3;
const WITHIN_MS = 2000;
const WHOLE_SHARE = 0.99;
const LIMIT_MS = 300_000;
/** The guide's advice for many events; and n8n by itself keeps the last 10,000 executions only. */
const ENV = { N8N_EXPRESSION_ENGINE_LAZY_ACQUIRE: 'true', EXECUTIONS_DATA_PRUNE: 'false' };

/** Customers who write several messages in a row to a trigger that groups by customer, with its own times. */
export class BurstsRun {
	private constructor(private readonly n8n: OwnN8n) {}

	static async prepare(
		program: N8nHost,
		sandboxUrl: string,
		secretKey: string,
	): Promise<BurstsRun> {
		return new BurstsRun(await startN8nFor({ sandboxUrl, secretKey }, program, ENV));
	}

	/** @param count of bursts, over all customers */
	async play(count: number, report: Report): Promise<void> {
		const { host } = this.n8n;
		const receiver = await publishTrigger(host, {
			grouping: 'customer',
			options: { mostWaiting: 2 * CUSTOMERS * MESSAGES },
		});
		const bursts = await new Service(receiver).bursts({
			customers: CUSTOMERS,
			rounds: Math.ceil(count / CUSTOMERS),
			messages: MESSAGES,
			withinMs: WITHIN_MS,
		});
		const query = sqliteQuery(host.underTest.home);
		await until(
			'all executions to end',
			async () => (await unfinished(query)).length === 0,
			LIMIT_MS,
		);
		const { executions } = await readExecutions(query, receiver.workflowId);
		const events = bursts.flat();
		const account = accountFor(
			events.map((event) => ({ event, acknowledged: true, attempts: 1 })),
			executions,
			oncePerLife([]),
		);
		const split = splitBursts(bursts, executions);
		const whole = bursts.length - split.length;
		const disordered = outOfOrder(bursts, executions);
		report.figure('customers', CUSTOMERS);
		report.figure(`bursts of ${MESSAGES} messages within ${WITHIN_MS / 1000} s`, bursts.length);
		report.figure('executions', executions.length);
		report.must('events executed', account.executed, events.length);
		report.must('events executed again', account.repeated, 0);
		report.atLeast(
			'bursts that became one execution',
			whole,
			Math.ceil(WHOLE_SHARE * bursts.length),
		);
		report.must('bursts in another order', disordered.length, 0, disordered);
	}

	async close(): Promise<void> {
		await this.n8n.remove();
	}
}
