/** Holds executions between the nodes of a workflow, so that a test can kill n8n there. */
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

import type { Workflow, WorkflowNode } from '../../../scripts/n8n/types.mts';
import { until } from '../../../scripts/until.mts';

const LIMIT_MS = 180_000;

export class Gates {
	private readonly passed = new Map<string, string[]>();
	private readonly holds = new Map<string, number | string>();
	private readonly held = new Map<string, () => void>();
	private readonly server = createServer((request, response) => {
		void this.pass(request, response);
	});

	static async start(): Promise<Gates> {
		const gates = new Gates();
		gates.server.listen(0, '127.0.0.1');
		await once(gates.server, 'listening');
		return gates;
	}

	/** The connections that the executions of a chat came by, in order. */
	stepsOf(chat: string): string[] {
		return this.passed.get(chat) ?? [];
	}

	/** Holds the execution of a chat at its step with this index, or with this name. */
	hold(chat: string, step: number | string): void {
		this.holds.set(chat, step);
	}

	isHeld(chat: string): boolean {
		return this.held.has(chat);
	}

	async untilHeld(chat: string): Promise<void> {
		await until(`the execution of ${chat} to be held`, () => this.isHeld(chat), LIMIT_MS);
	}

	/** Lets the held execution of a chat go on. */
	release(chat: string): void {
		this.held.get(chat)?.();
		this.held.delete(chat);
	}

	/** From now on nothing is held. */
	open(): void {
		this.holds.clear();
		for (const chat of this.held.keys()) this.release(chat);
	}

	async close(): Promise<void> {
		this.server.close();
		this.server.closeAllConnections();
		await once(this.server, 'close');
	}

	/**
	 * Puts a gate into each connection behind the trigger. A gate gives the items that it gets.
	 *
	 * @param chat expression of the chat. Executions for which it is empty are not counted
	 */
	between(workflow: Workflow, trigger: string, chat: string): Workflow {
		const { port } = this.server.address() as AddressInfo;
		const nodes: WorkflowNode[] = [...workflow.nodes];
		const connections = structuredClone(workflow.connections);
		const names = [trigger];
		for (const from of names)
			for (const next of (connections[from]?.main ?? []).flat()) {
				if (!names.includes(next.node)) names.push(next.node);
				const name = `${from} → ${next.node}`;
				connections[name] = { main: [[{ ...next }]] };
				const url = `=http://127.0.0.1:${port}/?step=${encodeURIComponent(name)}&chat={{ ${chat} }}&item={{ $itemIndex }}`;
				nodes.push(gate(name, url));
				next.node = name;
			}
		return { ...workflow, nodes, connections };
	}

	private async pass(request: IncomingMessage, response: ServerResponse): Promise<void> {
		const { searchParams } = new URL(request.url ?? '', 'http://gates');
		const [chat, step] = [searchParams.get('chat') ?? '', searchParams.get('step') ?? ''];
		const chunks: Buffer[] = [];
		for await (const chunk of request) chunks.push(chunk as Buffer);
		const goOn = () =>
			response.setHeader('content-type', 'application/json').end(Buffer.concat(chunks));
		if (chat === '' || searchParams.get('item') !== '0') return void goOn();
		const steps = [...this.stepsOf(chat), step];
		this.passed.set(chat, steps);
		const hold = this.holds.get(chat);
		if (hold === steps.length - 1 || hold === step) this.held.set(chat, goOn);
		else goOn();
	}
}

const gate = (name: string, url: string): WorkflowNode => ({
	...{ id: randomUUID(), name, type: 'n8n-nodes-base.httpRequest', typeVersion: 4.2 },
	position: [0, 0],
	parameters: {
		...{ method: 'POST', url, sendBody: true, specifyBody: 'json' },
		...{ jsonBody: '={{ JSON.stringify($json) }}', options: {} },
	},
});
