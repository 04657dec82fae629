/** Messages that wait at a pace, each execution with as many places as it likes. */
import { OutgoingItem } from '#nodes/sending/outgoing.ts';
import { Batch } from '#nodes/sending/batch.ts';
import type { RequestPorts, SendJob } from '#nodes/sending/batch.ts';
import type { Pace } from '#nodes/sending/pace.ts';
import type { Clock } from '#nodes/shared/tools/clock.ts';

const JOB: SendJob = { index: 0, name: 'text', channelId: 'A', recipient: 'a' };

/** The pace for messages that wait for as long as it takes. */
export class Gate {
	private readonly executions = new Map<object, Batch<SendJob>>();

	constructor(
		private readonly pace: Pace,
		private readonly clock: Clock,
	) {}

	get isIdle(): boolean {
		return this.pace.isIdle;
	}

	/** @param who whose message it is */
	async enter(maxPerSecond: number, who: object, more: Partial<RequestPorts<SendJob>> = {}) {
		const request = () => Promise.reject(new Error('not sent'));
		const ports = { request, clock: this.clock, paceFor: () => this.pace, ...more };
		const bounds = { maxConcurrency: Infinity, maxPerSecond };
		const batch = this.executions.get(who) ?? new Batch(bounds, ports);
		this.executions.set(who, batch);
		Object.assign(batch.bounds, bounds);
		const outgoing = new OutgoingItem(batch, JOB);
		const hasLeft = await outgoing.toLeave();
		return hasLeft ? { leave: () => this.pace.leave(outgoing, true) } : undefined;
	}

	withdraw(who: object): void {
		this.executions.get(who)?.stop();
	}

	/** As a 503 does. */
	pause(milliseconds: number): void {
		this.pace.holds.pause(this.clock.now(), milliseconds);
	}
}
