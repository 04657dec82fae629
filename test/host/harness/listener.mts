import { randomUUID } from 'node:crypto';

import type { INodeParameters } from 'n8n-workflow';

import type { StoredWorkflow } from '#scripts/n8n/types.mts';
import { until } from '#scripts/until.mts';
import { type Host, TRIGGER } from './host.mts';
import { number } from './conversations.mts';

export interface ListedWebhook {
	id: string;
	url: string;
	events: string[];
	status: string;
	signing: boolean;
	updatedAt: string;
	customAttributes: Record<string, unknown>;
}

const LIMIT_MS = 30_000;
const NODE = 'Trigger';

/** A separate account with its own channels. */
export async function createAccount(
	{ sandbox }: Pick<Host, 'sandbox'>,
	channelNames: string[],
	type?: string,
) {
	const secretKey = `sandbox_sk_${randomUUID()}`;
	const publicKey = secretKey.replace('_sk_', '_pk_');
	const { tenants } = await sandbox.post<{ tenants: Array<{ id: string; channels: string[] }> }>(
		'/_sandbox/seed',
		{
			tenants: [
				{
					name: `Account ${randomUUID()}`,
					secretKey,
					publicKey,
					channels: channelNames.map((name) => ({ name, type })),
				},
			],
		},
	);
	return { secretKey, tenantId: tenants[0]?.id ?? '', channels: tenants[0]?.channels ?? [] };
}

/** A workflow of the trigger alone, with what the service lists for it and what it received. */
export class Listener {
	/** The texts that production must have received. */
	readonly expected: string[] = [];
	/** Ids of other webhooks at n8n's address. */
	readonly foreign = new Set<string>();
	readonly nodeName = NODE;
	private readonly executions = new Map<string, { mode: string; texts: string[] }>();
	private sent = 0;

	constructor(
		readonly host: Host,
		public secretKey: string,
		public workflow: StoredWorkflow,
	) {}

	static async create(
		host: Host,
		secretKey: string,
		channelId: string,
		credential = host.underTest.credential,
		parameters: INodeParameters = {},
	): Promise<Listener> {
		const trigger = host.node(
			NODE,
			TRIGGER,
			{
				source: 'channel',
				channelId: { __rl: true, mode: 'list', value: channelId },
				channelEvents: ['MESSAGE_RECEIVED'],
				...parameters,
			},
			credential,
		);
		return new Listener(host, secretKey, await host.createWorkflow('A listener', [trigger]));
	}

	async list(channelId: string): Promise<ListedWebhook[]> {
		return await this.host.callService(`/v1/channels/${channelId}/webhooks`, this.secretKey);
	}

	/** The webhooks at n8n's address, except the foreign ones. */
	async own(channelId: string): Promise<ListedWebhook[]> {
		return (await this.list(channelId)).filter(
			({ id, url }) => url.startsWith(`${this.host.underTest.n8nUrl}/`) && !this.foreign.has(id),
		);
	}

	/** Waits until exactly one webhook is listed, enabled and signed, for these events. */
	async registered(channelId: string, events = ['MESSAGE_RECEIVED']): Promise<ListedWebhook> {
		return await until(
			`one enabled webhook for ${events.join(', ')}`,
			async () => {
				const [first, ...more] = await this.own(channelId);
				const isRight =
					first?.status === 'ENABLED' &&
					first.signing &&
					[...first.events].sort().join() === [...events].sort().join();
				return isRight && more.length === 0 && first;
			},
			LIMIT_MS,
		);
	}

	async unregistered(channelId: string): Promise<void> {
		await until('no webhook', async () => (await this.own(channelId)).length === 0, LIMIT_MS);
	}

	/** A customer writes. @returns the text */
	async write(channelId: string): Promise<string> {
		const text = `Message ${++this.sent}`;
		await this.host.sandbox.customerWrites({
			channelId,
			from: number(900),
			name: 'Customer',
			text,
		});
		return text;
	}

	/** A customer writes, and production receives it. */
	async receives(channelId: string): Promise<void> {
		await this.arrival(await this.write(channelId));
	}

	async arrival(text: string): Promise<void> {
		this.expected.push(text);
		await until(
			`production to receive '${text}'`,
			async () => (await this.received()).includes(text),
			LIMIT_MS,
		);
	}

	/** The texts in the input of executions, of production or of tests. */
	async received(mode: 'webhook' | 'manual' = 'webhook'): Promise<string[]> {
		for (const { id } of await this.host.client.listExecutions(this.workflow.id)) {
			if (this.executions.has(id)) continue;
			const execution = await this.host.client.finishedExecution(id);
			const items = execution.resultData.runData[NODE]?.[0]?.data?.main[0] ?? [];
			this.executions.set(id, {
				mode: execution.mode,
				texts: items.map(({ json }) => String(json.text)),
			});
		}
		return [...this.executions.values()].flatMap((execution) =>
			execution.mode === mode ? execution.texts : [],
		);
	}

	/** Saves the trigger with other parameters, as the editor does, and publishes it. */
	async republish(parameters: INodeParameters = {}): Promise<void> {
		const { client } = this.host;
		const current = await client.getWorkflow(this.workflow.id);
		const nodes = current.nodes.map((node) => ({
			...node,
			parameters: { ...node.parameters, ...parameters },
		}));
		this.workflow = await client.updateWorkflow({
			...current,
			name: `A listener, ${randomUUID()}`,
			nodes,
		});
		await client.publish(this.workflow.id);
	}

	/**
	 * Waits until n8n responds at the production URL again. It refuses an unproven request there, so
	 * this is no event.
	 */
	async reachable(url: string): Promise<void> {
		await until(
			'the production URL to be served',
			async () => (await fetch(url, { method: 'POST', body: '{}' })).status === 401,
			LIMIT_MS,
		);
	}
}
