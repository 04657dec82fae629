import type { Clock } from '../shared/clock';
import { Hold } from './hold';

/** Executions that wait for one recipient at most, because each takes a place in n8n. */
const MAX_WAITING = 3;

/** What a refused message waits for. */
export interface Pause {
	of: 'recipient' | 'channel';
	milliseconds: number;
}

/** Why a message must not wait: a minute passed in vain, or too many wait for its recipient. */
export type NoWaiting = 'inVain' | 'crowded';

/** How the limiter of the channel holds all its messages. */
interface WholeChannel {
	pause(milliseconds: number): void;
	/** What waits looks again whether it may. */
	wakeAll(): void;
}

interface Waiter {
	recipient: string;
	owner: object;
	wake: () => void;
	isWithdrawn?: true;
}

/**
 * What the 429s of a channel hold. One alone holds its recipient. The channel is held once a second
 * recipient gets one within the pause of the first, and then until a message is accepted.
 */
export class Refusals {
	private readonly channel = new Hold();
	/** Those that are not over, by recipient. */
	private readonly recipients = new Map<string, Hold>();
	private readonly waiting = new Set<Waiter>();

	constructor(
		private readonly clock: Clock,
		private readonly wholeChannel: WholeChannel,
	) {}

	/** Whether nothing is held, nor was lately. */
	get isIdle(): boolean {
		const now = this.clock.now();
		return [this.channel, ...this.recipients.values()].every((hold) => hold.isOver(now));
	}

	/** Whether a message must not leave now, even if the limiter of the channel admits it. */
	isHeld(recipient: string): boolean {
		const now = this.clock.now();
		const hold = this.recipients.get(recipient);
		return this.isInVain(recipient) || (hold !== undefined && hold.pauseLeft(now) > 0);
	}

	/**
	 * Waits while the recipient is held.
	 * @param owner see `withdraw`
	 */
	async untilOpen(recipient: string, owner: object): Promise<'open' | 'withdrawn' | NoWaiting> {
		const waiter: Waiter = { recipient, owner, wake: () => {} };
		try {
			while (this.isHeld(recipient)) {
				if (this.isInVain(recipient)) return 'inVain';
				if (!this.waiting.has(waiter) && this.isCrowded(recipient)) return 'crowded';
				this.waiting.add(waiter);
				await this.untilPauseEnds(waiter);
				if (waiter.isWithdrawn) return 'withdrawn';
			}
			return 'open';
		} finally {
			this.waiting.delete(waiter);
		}
	}

	/** Takes back what waits for this owner. */
	withdraw(owner: object): void {
		for (const waiter of this.waiting) {
			if (waiter.owner !== owner) continue;
			waiter.isWithdrawn = true;
			waiter.wake();
		}
	}

	/**
	 * Counts a 429.
	 * @param asked milliseconds that the service asks to wait
	 * @returns undefined if the message must not wait, because a minute passed in vain
	 */
	refuse(recipient: string, asked: number | undefined): Pause | undefined {
		const now = this.clock.now();
		const isOfChannel = this.channel.isTrying(now) || this.isAnotherPaused(recipient, now);
		const hold = this.recipients.get(recipient) ?? new Hold();
		this.recipients.set(recipient, hold);
		hold.refuse(now, asked);
		if (isOfChannel) {
			this.channel.refuse(now, asked);
			this.wholeChannel.pause(this.channel.pauseLeft(now));
		}
		this.wakeInVain(now);
		if (this.isInVain(recipient)) return undefined;
		const milliseconds = Math.max(hold.pauseLeft(now), this.channel.pauseLeft(now));
		return { of: isOfChannel ? 'channel' : 'recipient', milliseconds };
	}

	/** Counts an accepted message. */
	accept(recipient: string): void {
		this.channel.accept();
		const hold = this.recipients.get(recipient);
		hold?.accept();
		if (hold?.pauseLeft(this.clock.now()) === 0) this.recipients.delete(recipient);
	}

	private isInVain(recipient: string): boolean {
		const now = this.clock.now();
		return this.channel.isInVain(now) || this.recipients.get(recipient)?.isInVain(now) === true;
	}

	private wakeInVain(now: number): void {
		for (const { recipient, wake } of this.waiting) if (this.isInVain(recipient)) wake();
		if (this.channel.isInVain(now)) this.wholeChannel.wakeAll();
	}

	private isAnotherPaused(recipient: string, now: number): boolean {
		let isPaused = false;
		for (const [other, hold] of this.recipients) {
			if (hold.isOver(now)) this.recipients.delete(other);
			isPaused ||= other !== recipient && hold.pauseLeft(now) > 0;
		}
		return isPaused;
	}

	private isCrowded(recipient: string): boolean {
		return (
			[...this.waiting].filter((waiter) => waiter.recipient === recipient).length >= MAX_WAITING
		);
	}

	private async untilPauseEnds(waiter: Waiter): Promise<void> {
		const left = this.recipients.get(waiter.recipient)?.pauseLeft(this.clock.now()) ?? 0;
		await new Promise<void>((resolve) => {
			waiter.wake = resolve;
			void this.clock.sleep(Math.ceil(left)).then(resolve);
		});
	}
}
