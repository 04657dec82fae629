/** Grouped deliveries while n8n is killed and stopped at work. */
import { DEMO_SECRET_KEY } from '#sandbox/seed.mts';
import { until } from '#scripts/until.mts';
import { allEnded, readExecutions, sqliteQuery, unfinished } from '../load/executions.mts';
import { openProxy } from '../load/proxy.mts';
import { accountOf, Service } from './harness/bursts.mts';
import { type OwnN8n, startOwnN8n } from './harness/ownN8n.mts';
import { publishTrigger } from './harness/receivers.mts';

const LIMIT_MS = 110_000;

const RESTARTS_LIMIT_MS = 240_000;

/** An n8n that can be stopped, with the setting that the guide recommends for many events. */
let own: OwnN8n;
beforeAll(async () => {
	own = await startOwnN8n(DEMO_SECRET_KEY, { N8N_EXPRESSION_ENGINE_LAZY_ACQUIRE: 'true' });
});
afterAll(async () => await own?.remove());

it(
	'acknowledges nothing that n8n had not stored when it was killed or stopped',
	async () => {
		// While n8n starts, it responds 200 to deliveries that it drops.
		const proxy = await openProxy();
		proxy.backends.push(new URL(own.host.underTest.n8nUrl));
		try {
			const receiver = await publishTrigger(own.host, { grouping: 'arrival' });
			const { pathname } = new URL(receiver.url);
			const service = new Service({ ...receiver, url: `${proxy.url}${pathname}` });
			const writing = service.load(300, 20);
			const ends: number[] = [];
			const written = async (share: number) =>
				await until('a part to be written', () => service.acknowledged.size >= share, LIMIT_MS, 5);
			const { generation, home } = own.host.underTest;
			const query = sqliteQuery(home);
			// What n8n was ended at may stay running for good: n8n 1 leaves it, and n8n 2 once did, in
			// a run on a busy machine. It is stored, so it counts as what can be retried.
			const leftRunning: string[] = [];
			await written(75);
			await own.kill();
			ends.push(Date.now());
			leftRunning.push(...(await unfinished(query)));
			await own.start();
			await written(150);
			await own.stop();
			ends.push(Date.now());
			leftRunning.push(...(await unfinished(query)));
			await own.start();
			await writing;
			await allEnded(query, LIMIT_MS, { except: leftRunning });
			const { executions } = await readExecutions(query, receiver.workflowId);
			const account = accountOf(300, executions, ends);
			// n8n 1 responds before it stores.
			if (generation === 'current') expect(account.withoutData).toEqual([]);
			// An execution that n8n had stored before it was killed can be retried.
			expect(account.executed + account.retryable.length + account.withoutData.length).toBe(300);
			expect(account.inexcusable).toEqual([]);
		} finally {
			await proxy.stop();
		}
	},
	RESTARTS_LIMIT_MS,
);
