/** The holder of a Send Once Key in this process, and those that wait for it. */
import type { OnceKey } from './entries';

/**
 * The state of a key. `new`: it was free, and the caller now holds it, sends, and says how sending
 * ended. `sent`: it was sent before. `doubt`: sending began, and nobody saw the end; a caller that
 * takes doubt gets `new` then. `reused`: sending began with another message. `stopped`: the caller
 * stopped waiting.
 */
export type KeyState = 'new' | 'sent' | 'doubt' | 'reused' | 'stopped';

/** A sender that holds a key. */
export interface KeyHolder {
	/** Whether it waits for the service, and for long. */
	readonly waitsLong?: boolean;
}

/** How a caller that claims a key waits. Both return false if it waits no longer. */
export interface ClaimWaits extends KeyHolder {
	/** Waits until the key is given to it, or what became of its message is known. */
	forHolder(turn: Promise<void>, holder: KeyHolder): Promise<boolean>;
	/** Waits until the message may leave. The key is recorded after that. */
	toLeave(): Promise<boolean>;
	/** Gives back what others wait for. */
	rest?(): void;
	/** By key: what the batch saw of it, so that the memory is not asked again. */
	readonly sentKeys: Map<string, SentKey>;
}

export interface SentKey {
	fingerprint: string;
	/** Whether nothing else can have been sent under it before. */
	isOnly: boolean;
}

/** How a caller waits that has no pace, such as a question. */
export const untilCancelled = (signal?: AbortSignal): ClaimWaits => ({
	forHolder: async (turn) =>
		await new Promise((resolve) => {
			const end = () => {
				signal?.removeEventListener('abort', end);
				resolve(signal?.aborted !== true);
			};
			signal?.addEventListener('abort', end);
			if (signal?.aborted) end();
			void turn.then(end);
		}),
	toLeave: async () => await Promise.resolve(true),
	sentKeys: new Map(),
});

/** The state of a key of which something was sent, as far as that tells it. */
export function stateBy({ fingerprint }: OnceKey, sent: SentKey | undefined): KeyState | undefined {
	if (sent?.fingerprint === fingerprint) return 'sent';
	return sent?.isOnly ? 'reused' : undefined;
}

/** The sender that holds a key, until it lets it go. */
interface KeyLock {
	/** Those that wait for it, in order. Each gets it, or learns what was sent. */
	waiting: Map<(sent?: SentKey) => void, OnceKey>;
	holder: ClaimWaits;
	/** Whether it was in doubt. Then a refusal does not tell that nothing was sent before. */
	tookDoubt: boolean;
	/** Whether `asking` was left by a process that died while it read. */
	wasUnclear: boolean;
}

export class KeyLocks {
	private readonly byKey = new Map<string, KeyLock>();

	get isIdle(): boolean {
		return this.byKey.size === 0;
	}

	get(key: string): KeyLock | undefined {
		return this.byKey.get(key);
	}

	/** Takes the key once it is free. Undefined: its state is known without, or the wait ended. */
	async take(once: OnceKey, waits: ClaimWaits): Promise<KeyLock | undefined> {
		const { key } = once;
		const { sentKeys } = waits;
		if (stateBy(once, sentKeys.get(key))) return undefined;
		const held = this.byKey.get(key);
		if (!held) {
			const own = { waiting: new Map(), holder: waits, tookDoubt: false, wasUnclear: false };
			this.byKey.set(key, own);
			return own;
		}
		let isMine = false;
		let get: (sent?: SentKey) => void = () => {};
		// Its holder changes while it waits.
		const holder = {
			get waitsLong() {
				return held.holder.waitsLong === true;
			},
		};
		const turn = new Promise<void>((resolve) => {
			get = (sent) => {
				if (sent) sentKeys.set(key, sent);
				else isMine = true;
				resolve();
			};
		});
		held.waiting.set(get, once);
		let goesOn = false;
		try {
			goesOn = await waits.forHolder(turn, holder);
		} finally {
			held.waiting.delete(get);
			if (isMine && !goesOn) this.release(key);
		}
		if (!isMine || !goesOn) return undefined;
		return Object.assign(held, { holder: waits, tookDoubt: false, wasUnclear: false });
	}

	/** Lets the first that waits have the key, and those that need not have it know why. */
	release(key: string, sent?: SentKey): void {
		const lock = this.byKey.get(key);
		if (!lock) return;
		const { waiting, holder } = lock;
		if (sent) holder.sentKeys.set(key, sent);
		for (const [get, once] of waiting) {
			if (!stateBy(once, sent)) continue;
			waiting.delete(get);
			get(sent);
		}
		const [next] = waiting.keys();
		if (!next) return void this.byKey.delete(key);
		waiting.delete(next);
		next();
	}
}
