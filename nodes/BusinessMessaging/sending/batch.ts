/** What a run of the node sends, what became of it, and what its messages share. */
import { idKey } from '../service/contract';
import type { ServiceError } from '../service/errors';
import { identifierOf } from '../service/recipient';
import type { Clock } from '../shared/tools/clock';
import type { GiveBack } from './byteBudget';
import type { Held } from './holds';
import type { SentKey } from './once/keyLocks';
import type { OnceKey } from './once/entries';
import { Outage } from './outage';
import type { Pace } from './pace';
import type { SendingHours } from './sendingHours';

/** What the customer reads, for the output. Of a template that could be read. */
export type ShownText = {
	text?: string;
	/** ISO date, if the template was remembered: when it was read. */
	textReadAt?: string;
};

export interface SendJob extends ShownText {
	/** What is sent, to follow "the ": "text". */
	name: string;
	/** Left out: sent without a key. */
	once?: OnceKey;
	index: number;
	channelId: string;
	recipient: string;
	/** Identifies its file, if it has one. */
	fileId?: string;
	/** When its first message may leave. Left out: at any time. */
	hours?: Pick<SendingHours, 'opensIn'>;
	/** One of several messages of its item. */
	part?: {
		/** From 1 on. */
		number: number;
		/** Identifies everything that the item sends: a part of another text is another message. */
		whole: string;
	};
}

/** Messages to one target keep their order, however its channel and recipient are written. */
export const targetOf = ({ channelId, recipient }: SendJob): string =>
	`${idKey(channelId)} ${identifierOf(recipient)}`;

/** An input item that makes several messages to one recipient. */
export interface PartedItem<Job extends SendJob> {
	index: number;
	/** In order, each with its `part`. At least two. */
	parts: readonly [Job, ...Job[]];
}

/** The target of a message that failed, as far as it could be read. */
export type Addressee = Partial<Pick<SendJob, 'channelId' | 'recipient'>>;

/** An input item that makes no message. */
export interface InvalidItem extends Addressee {
	index: number;
	error: Error;
}

/** A message that the service accepted, with the text of the job that left. */
export type SentMessage = ShownText & {
	messageId: string;
	channelId: string;
	recipient: string;
	/** The window was closed, and its fallback left in its place. */
	sentAs?: 'template';
};

/** What became of an item: its message, or its error. */
export type SendOutcome =
	| SentMessage
	/** Several messages, in order. Null: sent before, under the item's key. */
	| { messageId: string; messageIds: Array<string | null>; channelId: string; recipient: string }
	| { messageId: null; channelId: string; recipient: string; alreadySent: true }
	| FailedSend;

export type FailedSend = Addressee & { error: Error };

export interface BatchBounds {
	maxConcurrency: number;
	/** 0 for no limit. */
	maxPerSecond: number;
	/** Milliseconds in which a message must leave. Left out: it waits 15 minutes at most. */
	within?: number;
	/** Whether that is looked at directly before the request, too. */
	isDeadline?: boolean;
}

export interface RequestPorts<Job extends SendJob> {
	/**
	 * Resolves to the message ID, or rejects with a ServiceError.
	 * @param check called directly before the request. It throws if the message must wait after all
	 */
	request(job: Job, check: () => void): Promise<string>;
	/** Gives the pace that all executions of the process share for the job's channel. */
	paceFor(job: Job): Pace;
	/** Takes room for the bytes of a message. Undefined: the execution was cancelled before. */
	takeRoom?: (job: Job) => GiveBack | Promise<GiveBack | undefined>;
	/** A wait for the service begins, until a time by the clock: the first of the batch. */
	onHeld?: (held: Held) => void;
	/** Gets milliseconds in which messages waited for the service. Waits that overlap count once. */
	onWait?: (milliseconds: number) => void;
	signal?: AbortSignal;
	clock: Clock;
	/** Of the times in errors. Left out: UTC. */
	timeZone?: () => string;
	/** Whether it runs in the editor. Then it takes no place of those that wait. */
	isTest?: boolean;
}

/** A message, for the others of its batch. */
export interface Member {
	/** Of what can hold it. */
	readonly names: Readonly<Record<Held['of'], string>>;
	/** What holds it now. */
	readonly heldBy: Held['of'] | undefined;
	/** It, or what it follows, is held from now on, if it was not before. */
	holdFrom(now: number): void;
}

/** What all messages that a run of the node sends share: its places, and where it tries no more. */
export class Batch<Job extends SendJob> {
	isStopped = false;
	/** Those that did not end, in order. */
	readonly members = new Set<Member>();
	/** Those that have their turn. `ready`: for a place or the limit. `waiting`: for a key. */
	readonly counts = { ready: 0, underWay: 0, held: 0, waiting: 0, bytes: 0 };
	/** By name of a channel. */
	private readonly outages = new Map<string, Outage>();
	private isReading = false;
	/** Members by recipient. One of each has its turn, unless that just ended. */
	private readonly targets = new Map<string, number>();
	/** What it saw of its Send Once Keys. */
	readonly sentKeys = new Map<string, SentKey>();
	/** By name of a hold: a pause that is too long for this batch. */
	readonly closed = new Map<string, { until: number; error: ServiceError }>();
	private readonly paces = new Set<Pace>();
	private heldFrom: number | undefined;
	private round: Promise<void> = Promise.resolve();
	private tellChange = () => {};
	private tellStop = () => {};
	private readonly stopping = new Promise<void>((resolve) => (this.tellStop = resolve));

	constructor(
		readonly bounds: BatchBounds,
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
		this.tellStop();
	};

	/** Room once there is some, unless it stops before: then it is given back. */
	async unlessStopped(room: Promise<GiveBack | undefined>): Promise<GiveBack | undefined> {
		const giveBack = await Promise.race([room, this.stopping]);
		if (!this.isStopped) return giveBack ?? undefined;
		void room.then((taken) => taken?.());
		return undefined;
	}

	end(): void {
		this.ports.signal?.removeEventListener('abort', this.stop);
	}

	add(member: Member): void {
		this.members.add(member);
		const { recipient } = member.names;
		this.targets.set(recipient, (this.targets.get(recipient) ?? 0) + 1);
	}

	remove(member: Member): void {
		this.members.delete(member);
		const { recipient } = member.names;
		const left = this.targets.get(recipient)! - 1;
		if (left > 0) this.targets.set(recipient, left);
		else this.targets.delete(recipient);
	}

	/** @param isReading whether its next items are being read */
	reads(isReading: boolean): void {
		this.isReading = isReading;
		if (!isReading && this.counts.held + this.counts.waiting > 0) this.look();
	}

	/** Whether one of its messages can leave, beside one that does this. */
	canLeaveBeside(does: Doing | undefined): boolean {
		return this.isReading || this.free > (isHeldBack(does) ? 0 : 1);
	}

	/** Those that can leave now, or get their turn now. */
	private get free(): number {
		return this.targets.size - this.counts.held - this.counts.waiting;
	}

	outageOf(channel: string): Outage {
		const known = this.outages.get(channel) ?? new Outage();
		this.outages.set(channel, known);
		return known;
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
		// What waits must count now, because nothing else of it can leave.
		const mustCount = this.free === 0 && from !== undefined && !isHeldBack(from);
		if (from === 'underWay' || mustCount) this.look();
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

export type Doing = keyof Batch<SendJob>['counts'];

const isHeldBack = (does: Doing | undefined) => does === 'held' || does === 'waiting';
