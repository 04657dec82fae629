import type { ServiceError } from '../service/errors';
import type { Clock } from '../shared/tools/clock';
import type { Departure } from './departure';
import type { Held } from './holds';
import type { SendJob } from './job';
import type { SentKey } from './once/leases';
import type { Pace } from './pace';

export interface ExecutionBounds {
	maxConcurrency: number;
	/** 0 for no limit. */
	maxPerSecond: number;
	/** Milliseconds in which a message must leave. Left out: it waits 15 minutes at most. */
	within?: number;
}

export interface RequestPorts<Job extends SendJob> {
	/**
	 * Resolves to the message ID, or rejects with a ServiceError.
	 * @param check called directly before the request. It throws if the message must wait after all
	 */
	request(job: Job, check: () => void): Promise<string>;
	/** Gives the pace that all executions of the process share for the job's channel. */
	paceFor(job: Job): Pace;
	/** Room for the bytes of messages under way. False: the execution was cancelled before. */
	room?: { take(job: Job): true | Promise<boolean>; give(job: Job): void };
	/** A wait for the service begins, until a time by the clock: the first of the execution. */
	onHeld?: (held: Held) => void;
	/** Gets milliseconds in which messages waited for the service. Waits that overlap count once. */
	onWait?: (milliseconds: number) => void;
	signal?: AbortSignal;
	clock: Clock;
	/** Of the times in errors. Left out: UTC. */
	timeZone?: () => string;
}

/** What all messages of an execution share: its places, and where it tries no more. */
export class Execution<Job extends SendJob> {
	isStopped = false;
	/** Those that did not end, in order. */
	readonly departures = new Set<Departure<Job>>();
	/** Those that have their turn. `ready`: for a place or the limit. `waiting`: for key or bytes. */
	readonly counts = { ready: 0, underWay: 0, held: 0, waiting: 0 };
	/** What it saw of its Send Once Keys. */
	readonly sentKeys = new Map<string, SentKey>();
	/** By name of a hold: a pause that is too long for this execution. */
	readonly closed = new Map<string, { until: number; error: ServiceError }>();
	private readonly paces = new Set<Pace>();
	private heldFrom: number | undefined;
	private round: Promise<void> = Promise.resolve();
	private tellChange = () => {};

	constructor(
		readonly bounds: ExecutionBounds,
		readonly ports: RequestPorts<Job>,
	) {
		ports.signal?.addEventListener('abort', this.stop);
		if (ports.signal?.aborted) this.stop();
	}

	async while(lasts: () => boolean): Promise<void> {
		while (lasts()) await new Promise<void>((resolve) => (this.tellChange = resolve));
	}

	/** Lets nothing more leave, and ends all that waits. */
	readonly stop = (): void => {
		this.isStopped = true;
		for (const pace of this.paces) pace.withdraw(this);
		this.tellChange();
	};

	end(): void {
		this.ports.signal?.removeEventListener('abort', this.stop);
	}

	count(from: Doing | undefined, to: Doing | undefined, held?: Held): void {
		const { counts, ports } = this;
		if (from) counts[from]--;
		if (to) counts[to]++;
		if (held && counts.held === 1) {
			if (this.heldFrom === undefined) ports.onHeld?.(held);
			this.heldFrom = ports.clock.now();
		}
		if (from === 'held' && counts.held === 0) ports.onWait?.(ports.clock.now() - this.heldFrom!);
		if (from === 'underWay') this.look();
		this.tellChange();
	}

	paceFor(job: Job): Pace {
		const pace = this.ports.paceFor(job);
		this.paces.add(pace);
		return pace;
	}

	close(name: string, until: number, error: ServiceError): void {
		this.closed.set(name, { until, error });
		this.look();
	}

	/**
	 * Lets one request begin in each round of Node.js's event loop. Twenty that begin in one round
	 * get their responses in one round, too, and each then waits while the others are handled.
	 */
	async nextRound(): Promise<void> {
		const isFree = this.round;
		this.round = isFree.then(async () => await this.ports.clock.sleep(0));
		await isFree;
	}

	private readonly look = () => this.paces.forEach((pace) => pace.look());
}

export type Doing = keyof Execution<SendJob>['counts'];
