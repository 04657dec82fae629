/**
 * Counts the expression isolates that n8n makes for a delivery. Each is used once and costs about
 * 20 ms of processor time.
 */
import { DEMO_SECRET_KEY } from '#sandbox/seed.mts';
import type { Generation } from '#scripts/n8n/host.mts';
import { until } from '#scripts/until.mts';
import { deliver } from '../core/harness/deliveries.mts';
import { hostUnderTest } from './harness/host.mts';
import { type OwnN8n, startOwnN8n } from './harness/ownN8n.mts';
import { newDelivery, type ReceiverName, RECEIVERS } from './harness/receivers.mts';
import { countSuccesses } from './harness/staticData.mts';

const DELIVERIES = 10;
/** Milliseconds in which a trigger reads its credential once, at most. */
const READ_EVERY = 2000;
const LIMIT_MS = 30_000;

/** Isolates that n8n made, or took from its stock of one, since its start. */
async function isolates({ host }: OwnN8n): Promise<number> {
	const metrics = await (await fetch(`${host.underTest.n8nUrl}/metrics`)).text();
	return Number(/^n8n_expression_pool_acquired_total(?:\{.*\})? (\d+)$/m.exec(metrics)?.[1] ?? 0);
}

/** As a node comes: a trigger ignores replies, so it reads its credential now and then. */
async function isolatesForADelivery(n8n: OwnN8n, name: ReceiverName): Promise<number> {
	const receiver = await RECEIVERS[name].publish(n8n.host);
	const before = await isolates(n8n);
	const since = performance.now();
	for (let count = 0; count < DELIVERIES; count++)
		expect(await deliver(receiver.url, newDelivery(receiver, 1000))).toMatchObject({ status: 200 });
	await until(
		'the executions',
		() => countSuccesses(n8n.host.underTest.home, receiver.workflowId) === DELIVERIES,
		LIMIT_MS,
	);
	const made = (await isolates(n8n)) - before;
	const readings =
		name === 'trigger' ? 1 + Math.floor((performance.now() - since) / READ_EVERY) : 0;
	const rest = made % DELIVERIES;
	expect(rest).toBeLessThanOrEqual(readings);
	return (made - rest) / DELIVERIES;
}

const CASES: Record<
	Generation,
	Array<[string, NodeJS.ProcessEnv, Record<ReceiverName, number>]>
> = {
	current: [
		[
			'as n8n comes, one to receive it and one to execute it; n8n spares its own Webhook node the first, by its name, from version 2 on',
			{ N8N_EXPRESSION_ENGINE_LAZY_ACQUIRE: 'false' },
			{ trigger: 2, webhook1: 2, webhook: 1 },
		],
		[
			'with N8N_EXPRESSION_ENGINE_LAZY_ACQUIRE, none',
			{ N8N_EXPRESSION_ENGINE_LAZY_ACQUIRE: 'true' },
			{ trigger: 0, webhook1: 1, webhook: 0 },
		],
	],
	oldest: [
		[
			'one to receive it and one to execute it, whatever the node',
			{},
			{ trigger: 2, webhook1: 2, webhook: 2 },
		],
	],
};

test.each(CASES[hostUnderTest().generation])('%s', async (_what, env, expected) => {
	const n8n = await startOwnN8n(DEMO_SECRET_KEY, { N8N_METRICS: 'true', ...env });
	try {
		const counted = {
			trigger: await isolatesForADelivery(n8n, 'trigger'),
			webhook1: await isolatesForADelivery(n8n, 'webhook1'),
			webhook: await isolatesForADelivery(n8n, 'webhook'),
		};
		expect(counted).toEqual(expected);
	} finally {
		await n8n.remove();
	}
});
