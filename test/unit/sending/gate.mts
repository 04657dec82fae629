/** Messages that wait at a pace, each execution with as many places as it likes. */
import { Departure } from '#nodes/sending/departure.ts';
import { Execution } from '#nodes/sending/execution.ts';
import type { RequestPorts, SendJob } from '#nodes/sending/execution.ts';
import type { Pace } from '#nodes/sending/pace.ts';
import type { Clock } from '#nodes/shared/tools/clock.ts';

const JOB: SendJob = { index: 0, name: 'text', channelId: 'A', recipient: 'a' };

/** The pace for messages that wait for as long as it takes. */
export class Gate {
	private readonly executions = new Map<object, Execution<SendJob>>();

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
		const execution = this.executions.get(who) ?? new Execution(bounds, ports);
		this.executions.set(who, execution);
		Object.assign(execution.bounds, bounds);
		const departure = new Departure(execution, JOB);
		const hasLeft = await departure.toLeave();
		return hasLeft ? { leave: () => this.pace.leave(departure, true) } : undefined;
	}

	withdraw(who: object): void {
		this.executions.get(who)?.stop();
	}

	/** As a 503 does. */
	pause(milliseconds: number): void {
		this.pace.holds.pause(this.clock.now(), milliseconds);
	}
}
