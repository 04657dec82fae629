import { sleep } from 'n8n-workflow';

/** Longest single sleep: timers take no more than 24 days. In milliseconds. */
const LONGEST_SLEEP = 86_400_000;
/** After a deadline n8n goes on with the execution; then its webhook is nobody's. In milliseconds. */
const GRACE = 1000;
/** Before the next try, when the service could not be reached. In milliseconds. */
const TRY_AGAIN = 60_000;

/** Deletes what is over. Resolves to the next deadline on the channel, in milliseconds, or to undefined. */
export type Sweep = () => Promise<number | undefined>;

interface Watch {
	wakesAt: number;
	sweep: Sweep;
}

/**
 * Sweeps channels when the time of their questions is over: n8n runs nothing of a node whose wait has timed out. One watch for each channel, however many
 * questions wait there, and in memory only: after a restart of n8n it begins anew with the channel's next question or message.
 */
export class DeadlineWatch {
	private readonly watches = new Map<string, Watch>();

	constructor(
		private readonly now: () => number = () => Date.now(),
		private readonly pause: (milliseconds: number) => Promise<void> = sleep,
	) {}

	/**
	 * @param channel what tells the channel, and the account, from every other
	 * @param deadline milliseconds
	 * @param sweep takes the place of the one given before
	 */
	watch(channel: string, deadline: number, sweep: Sweep): void {
		const watch = this.watches.get(channel);
		const wakesAt = deadline + GRACE;
		if (watch) watch.sweep = sweep;
		// It wakes no later, and learns of the next deadline then.
		if (watch && watch.wakesAt <= wakesAt) return;
		const started = { wakesAt, sweep };
		this.watches.set(channel, started);
		void this.run(channel, started);
	}

	private async run(channel: string, watch: Watch): Promise<void> {
		for (let rest = watch.wakesAt - this.now(); rest > 0; rest = watch.wakesAt - this.now()) {
			await this.pause(Math.min(rest, LONGEST_SLEEP));
			// One that wakes sooner has taken its place.
			if (this.watches.get(channel) !== watch) return;
		}
		this.watches.delete(channel);
		const next = await watch.sweep().catch(() => this.now() + TRY_AGAIN);
		if (next !== undefined) this.watch(channel, Math.max(next, this.now()), watch.sweep);
	}
}

/** One for all executions of the process. */
export const deadlines = new DeadlineWatch();
