import { setTimeout as sleep } from 'node:timers/promises';

import { asError } from '#nodes/service/errors/index.ts';
import type { N8nHost } from '#scripts/n8n/host.mts';
import { signInOwner } from '#scripts/n8n/owner.mts';
import { CREDENTIAL_TYPE } from '#scripts/n8n/provision.mts';
import { SandboxControl } from '#scripts/n8n/sandbox.mts';
import type { StoredWorkflow } from '#scripts/n8n/types.mts';
import { until } from '#scripts/until.mts';
import { Host } from '../host/harness/host.mts';
import { createAccount, type ListedWebhook } from '../host/harness/listener.mts';
import type { ReadState } from '../host/harness/receivers.mts';
import { allEnded, unfinished } from '../load/executions.mts';
import { Strangers, Traffic } from '../load/traffic.mts';
import type { Cluster } from './cluster.mts';
import {
	createBulk,
	createGrouped,
	createKeyed,
	createOnce,
	createReplying,
} from './workflows.mts';

/** Sandbox seconds in a second: the service's waits of minutes become seconds. */
const SPEED = 60;
/** Events of the replying workflow for one of the bulk workflow. */
const REPLIED_FOR_ONE_BULK = 15;
/**
 * Customers who write to the workflow that groups: so few that each writes again within its quiet
 * time.
 */
const FEW = 5;
const DELIVERY_LIMIT_MS = 600_000;
/**
 * The lock of a job whose worker is no more lasts a minute; queue recovery comes every five
 * minutes.
 */
const FINISH_LIMIT_MS = 500_000;
/** For each execution that was queued: two workers end about nine in a second. */
const EACH_LIMIT_MS = 300;
const LOOK_MS = 1000;
/** Consecutive checks that find the workers idle. One can fall between two jobs. */
const LOOKS_AT_REST = 10;

/** A workflow, its channel, and the customers who write there. */
export interface Listening {
	workflow: StoredWorkflow;
	channelId: string;
	webhookId: string;
	traffic: Traffic;
	/** What the trigger had stored when it was published. */
	state: string;
}

/** A host on the cluster's main process, with a credential for the sandbox. */
export async function signInto(
	{ main }: Cluster,
	n8n: N8nHost,
	sandboxUrl: string,
	secretKey: string,
): Promise<Host> {
	const { client } = main.running;
	await signInOwner(main.running);
	return new Host({
		generation: n8n.generation,
		version: n8n.version,
		n8nUrl: main.url,
		session: client.session,
		folder: '',
		home: '',
		sandboxUrl,
		credential: await client.createCredential('Business Messaging account', CREDENTIAL_TYPE, {
			baseUrl: sandboxUrl,
			secretKey,
		}),
	});
}

/** The published workflows on a cluster, and the traffic for them. */
export class Run {
	/** Names of processes that ended by themselves and were restarted. */
	readonly startedAgain: string[] = [];

	private constructor(
		readonly cluster: Cluster,
		readonly host: Host,
		readonly secretKey: string,
		readonly replying: Listening,
		readonly bulk: Listening,
		readonly once: Listening,
		readonly keyed: Listening,
		readonly grouped: Listening,
		readonly strangers: Strangers,
	) {}

	static async prepare(cluster: Cluster, n8n: N8nHost, sandboxUrl: string): Promise<Run> {
		const sandbox = new SandboxControl(sandboxUrl);
		await sandbox.post('/_sandbox/clock', { speed: SPEED });
		const names = ['Replied', 'Bulk', 'Once', 'Keyed', 'Grouped'];
		const { secretKey, channels } = await createAccount({ sandbox }, names);
		const host = await signInto(cluster, n8n, sandboxUrl, secretKey);
		const { client } = host;
		const listen = async (
			channelId = '',
			create: typeof createReplying,
			customers?: number,
		): Promise<Listening & { url: string }> => {
			const workflow = await create(host, channelId);
			await client.publish(workflow.id);
			const listed = await host.callService<ListedWebhook[]>(
				`/v1/channels/${channelId}/webhooks`,
				secretKey,
			);
			const [webhook] = listed;
			if (!webhook || listed.length > 1 || !webhook.url.startsWith(cluster.proxy.url))
				throw new Error(`the trigger registered ${JSON.stringify(listed)}`);
			const state = await until(
				'the state to be stored',
				async () => await readState(cluster, workflow.id),
				DELIVERY_LIMIT_MS,
			);
			return {
				workflow,
				channelId,
				state,
				url: webhook.url,
				webhookId: webhook.id,
				traffic: new Traffic(sandbox, channelId, webhook.id, customers),
			};
		};
		const redis = await client.createCredential('Redis account', 'redis', {
			host: '127.0.0.1',
			port: String(cluster.redis.port),
			database: '1',
		});
		const replying = await listen(channels[0], createReplying);
		const bulk = await listen(channels[1], createBulk);
		const once = await listen(channels[2], async (...given) => await createOnce(...given, redis));
		const keyed = await listen(channels[3], createKeyed);
		const grouped = await listen(channels[4], createGrouped, FEW);
		const strangers = new Strangers(replying.url);
		return new Run(cluster, host, secretKey, replying, bulk, once, keyed, grouped, strangers);
	}

	private get parts(): Listening[] {
		return [this.replying, this.bulk, this.once, this.keyed, this.grouped];
	}

	/** Begins to write to the workflows that go on through all disturbances. */
	begin(events: number): { done: Promise<void> } {
		const writing = [
			this.replying.traffic.begin(events),
			this.keyed.traffic.begin(events),
			this.grouped.traffic.begin(events),
			this.bulk.traffic.begin(Math.ceil(events / REPLIED_FOR_ONE_BULK)),
		];
		return { done: Promise.all(writing.map(async ({ done }) => await done)).then(() => undefined) };
	}

	/**
	 * Events whose responses do not reach the service, which then delivers them again, to the other
	 * processor as often as not.
	 */
	async writeWithLostResponses(events: number): Promise<void> {
		await this.host.sandbox.post('/_sandbox/faults', {
			on: 'webhook',
			webhookId: this.once.webhookId,
			kind: 'dropAfter',
			times: events,
		});
		await this.once.traffic.write(events);
	}

	/** Restarts ended processes like a service manager, until it is stopped. */
	keepUp(): { stop(): Promise<void> } {
		let wanted = true;
		const watch = async (): Promise<void> => {
			while (wanted) {
				for (const member of this.cluster.members)
					if (await member.keepUp()) this.startedAgain.push(member.name);
				await sleep(LOOK_MS);
			}
		};
		const watching = watch().catch((error: unknown) => error);
		return {
			stop: async () => {
				wanted = false;
				const failure = await watching;
				if (failure !== undefined) throw asError(failure);
			},
		};
	}

	/**
	 * Waits until everything is delivered and no worker has anything left to do, drops the jobs whose
	 * worker is gone, restarts the main process, which looks for executions without a job, and waits
	 * until all have ended.
	 *
	 * @returns how many jobs were dropped
	 */
	async settle(): Promise<number> {
		const { main, postgres, redis } = this.cluster;
		for (const { traffic } of this.parts) await traffic.delivered(DELIVERY_LIMIT_MS);
		let idle = 0;
		const hasEnded = async (): Promise<boolean> => {
			idle = (await redis.isIdle()) ? idle + 1 : 0;
			return idle > LOOKS_AT_REST || (await unfinished(postgres.query)).length === 0;
		};
		const queued = (await unfinished(postgres.query)).length;
		const limit = FINISH_LIMIT_MS + queued * EACH_LIMIT_MS;
		await until(`the workers to end the ${queued} that were left`, hasEnded, limit, LOOK_MS);
		const dropped = await redis.dropDeadJobs();
		await main.stop();
		await main.start();
		await allEnded(postgres.query, FINISH_LIMIT_MS, { lookMs: LOOK_MS });
		return dropped;
	}

	/** What n8n keeps of the trigger now. */
	async stateOf({ workflow }: Listening): Promise<string> {
		return (await readState(this.cluster, workflow.id)) ?? '';
	}

	/** Unpublishes all. @returns how many webhooks are left at the service */
	async unpublish(): Promise<number> {
		let left = 0;
		for (const { workflow, channelId } of this.parts) {
			await this.host.client.unpublish(workflow.id);
			left += (
				await this.host.callService<ListedWebhook[]>(
					`/v1/channels/${channelId}/webhooks`,
					this.secretKey,
				)
			).length;
		}
		return left;
	}
}

/** What a trigger stored, from the cluster's database. */
export const secretReader =
	(cluster: Cluster): ReadState =>
	async (workflowId, nodeName) => {
		const state = (await readState(cluster, workflowId)) ?? '{}';
		return (JSON.parse(state) as Record<string, { secret: string }>)[`node:${nodeName}`];
	};

/** The trigger's static data as the database has them. @returns nothing without its secret */
export async function readState(
	{ postgres }: Cluster,
	workflowId: string,
): Promise<string | undefined> {
	const [row] = await postgres.query<{ state: string | null }>(
		`SELECT "staticData"::text AS state FROM workflow_entity WHERE id = '${workflowId}'`,
	);
	return row?.state?.includes('secret') ? row.state : undefined;
}
