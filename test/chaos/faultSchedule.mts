import { setTimeout as sleep } from 'node:timers/promises';

import { asError } from '#nodes/service/errors/index.ts';
import type { SandboxControl } from '#scripts/n8n/sandbox.mts';
import { until } from '#scripts/until.mts';

/**
 * What goes wrong between the service and n8n, one kind after the other, and how many attempts each
 * strikes.
 */
const FAULTS = [
	{ kind: 'dropBefore', times: 15 },
	{ kind: 'dropAfter', times: 25 },
	{ kind: 'duplicate', copies: 2, times: 25 },
	{ kind: 'badSignature', times: 15 },
	{ kind: 'staleSignature', times: 10 },
	{ kind: 'latency', ms: 400, times: 15 },
	{ kind: 'status', status: 503, retryAfter: 2, times: 10 },
	{ kind: 'gzip', mode: 'always', times: 25 },
] as const;

/** Each attempt is held back for a random time up to this, and the queue is taken in any order. */
const SHUFFLE_MS = 150;
/** Longest that a fault waits for attempts to strike: n8n may be down. */
const STRIKE_LIMIT_MS = 120_000;
const LOOK_MS = 500;
/** Pause between two faults. Without it, the service gives up events that every attempt strikes. */
const PAUSE_MS = 2000;

/**
 * Sets one fault after the other until it is stopped. `struck` counts the attempts that each kind
 * hit.
 */
export class FaultSchedule {
	readonly struck = new Map<string, number>();
	private wanted = true;
	private running: Promise<unknown> = Promise.resolve();

	constructor(private readonly sandbox: SandboxControl) {}

	async start(): Promise<void> {
		await this.sandbox.post('/_sandbox/faults', {
			on: 'webhook',
			kind: 'reorder',
			withinMs: SHUFFLE_MS,
		});
		// stop() throws it: nobody awaits it before.
		this.running = this.run().catch((error: unknown) => asError(error));
	}

	/** Ends the schedule and takes the remaining faults back. */
	async stop(): Promise<void> {
		this.wanted = false;
		const failure = await this.running;
		if (failure instanceof Error) throw failure;
		await fetch(new URL('/_sandbox/faults', this.sandbox.url), { method: 'DELETE' });
	}

	private async run(): Promise<void> {
		for (let index = 0; this.wanted; index++) {
			const fault = FAULTS[index % FAULTS.length];
			if (!fault) return;
			const { id } = await this.sandbox.post<{ id: string }>('/_sandbox/faults', {
				on: 'webhook',
				...fault,
			});
			const isSpent = async (): Promise<boolean> => {
				const { faults } = await this.sandbox.get<{ faults: Array<{ id: string }> }>(
					'/_sandbox/faults',
				);
				return !this.wanted || faults.every((active) => active.id !== id);
			};
			await until(`the fault ${fault.kind} to strike`, isSpent, STRIKE_LIMIT_MS, LOOK_MS);
			if (this.wanted)
				this.struck.set(fault.kind, (this.struck.get(fault.kind) ?? 0) + fault.times);
			await sleep(PAUSE_MS);
		}
	}
}
