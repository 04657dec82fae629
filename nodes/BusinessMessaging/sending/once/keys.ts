import { sleep } from 'n8n-workflow';

import { steadyClock } from '../../shared/tools/clock';
import { perName } from '../../shared/tools/boundedMap';
import { Unsettled } from './unsettled';
import { KeyLocks, untilCancelled, stateBy } from './keyLocks';
import { entriesOf, MAX_REMOVABLE } from './entries';
import type { KeyState, SentKey } from './keyLocks';
import type { KeyEntries, OnceKey } from './entries';

/** Milliseconds. A database that hangs once must not hold up the next call, too. */
const MAX_GATHER = 50;

/** Milliseconds, in which another process has read the list anew. */
const PAUSE = 1000;

/** What n8n's database remembers for a node. Reading it always records, too. */
export interface KeyMemory {
	/** Records values. @returns the ones that were recorded before */
	record(values: string[]): Promise<Set<string>>;
	remove(values: string[]): Promise<void>;
}

/**
 * `taken`: in doubt, and who claims it takes doubt. `takenUnclear`: the same, and `asking` is
 * there: a process died while it read the entries.
 */
type ClaimResult = KeyState | 'taken' | 'takenUnclear';

/** @param clears whether `asking` is to go, because the key is clear again */
type End = { kind: 'confirm'; covered: readonly KeyEntries[]; clears: boolean } | { kind: 'free' };

type Step = { entries: KeyEntries } & (
	| { kind: 'claim'; takesDoubt: boolean; resolve: (result: ClaimResult) => void }
	| (End & { resolve: () => void })
);

/**
 * Sends nothing twice under one key, across items, executions and restarts. Holds the keys of one
 * node in this process. n8n reads and writes the memory whole and without a lock, so there is one
 * call at a time. Steps that come meanwhile go into the next call. What another process takes back
 * is written again: see `Unsettled`.
 *
 * The entries of a key tell its state. None: free. `begun` and `begunWith`: it is being sent, or
 * its sender died. `begun` and `sent`: sent, unless `asking` is there. The sender records `begun`
 * before the request leaves, and `sent` no later than `begun` of the message that gets its place:
 * in the same call. So a crash leaves in doubt at most what has a place.
 */
export class OnceKeys {
	private readonly locks = new KeyLocks();
	private steps: Array<Step & { memory: KeyMemory; fail: (error: unknown) => void }> = [];
	private isWorking = false;
	private hasFailed = false;
	private isLooking = false;
	private call: Promise<void> | undefined;
	private readonly unsettled = new Unsettled();
	/** `begunWith` of keys that were sent since. */
	private removable: string[] = [];

	/**
	 * @param gather waits before a call as long as the last took, so that it takes more steps
	 * @param pause waits until other processes have read the list anew
	 */
	constructor(
		private readonly maxRemovable = MAX_REMOVABLE,
		private readonly gather: (took: number) => Promise<void> = async () => await Promise.resolve(),
		private readonly pause: () => Promise<void> = async () => await sleep(PAUSE),
	) {}

	get isIdle(): boolean {
		return this.locks.isIdle && !this.isWorking && !this.isLooking;
	}

	/**
	 * Takes a key, after its holder in this process let it go.
	 * @param takesDoubt whether the caller sends what may have been sent
	 * @throws what the memory throws. Then the key is not taken
	 */
	async claim(
		once: OnceKey,
		memory: KeyMemory,
		takesDoubt = false,
		waits = untilCancelled(),
	): Promise<KeyState> {
		const own = await this.locks.take(once, waits);
		if (!own) return stateBy(once, waits.sentKeys.get(once.key)) ?? 'stopped';
		let result: ClaimResult | undefined;
		try {
			if (!(await waits.toLeave())) return 'stopped';
			result = await new Promise<ClaimResult>((resolve, fail) =>
				this.add({ kind: 'claim', entries: entriesOf(once), takesDoubt, resolve, fail, memory }),
			);
		} finally {
			own.wasUnclear = result === 'takenUnclear';
			own.tookDoubt = result === 'taken' || own.wasUnclear;
			if (result !== 'new' && !own.tookDoubt)
				this.locks.release(once.key, result === 'sent' ? { ...once, isOnly: false } : undefined);
		}
		return result === 'taken' || result === 'takenUnclear' ? 'new' : result;
	}

	/**
	 * It was sent.
	 * @param covered keys that count as sent, too. All are written at once, so that a crash leaves
	 * none of them free
	 */
	async confirm(once: OnceKey, memory: KeyMemory, covered: readonly OnceKey[] = []): Promise<void> {
		const { wasUnclear: clears = false } = this.locks.get(once.key) ?? {};
		const how: End = { kind: 'confirm', covered: covered.map(entriesOf), clears };
		await this.end(how, once, memory);
	}

	/** It was not sent for certain: the key is free again, or in doubt as before. */
	async free(once: OnceKey, memory: KeyMemory): Promise<void> {
		if (this.locks.get(once.key)?.tookDoubt) this.locks.release(once.key);
		else await this.end({ kind: 'free' }, once, memory);
	}

	/** Nobody knows whether it was sent: the key stays in doubt. */
	leaveInDoubt({ key }: OnceKey): void {
		this.locks.release(key);
	}

	private async end(how: End, once: OnceKey, memory: KeyMemory): Promise<void> {
		let sent: SentKey | undefined;
		try {
			await new Promise<void>((resolve, fail) =>
				this.add({ ...how, entries: entriesOf(once), resolve, fail, memory }),
			);
			const isOnly = this.locks.get(once.key)?.tookDoubt === false;
			if (how.kind === 'confirm') sent = { ...once, isOnly };
		} finally {
			this.locks.release(once.key, sent);
		}
	}

	/** Removes entries of keys that were sent, many at a time. If that fails, they only take room. */
	private async tidy(steps: readonly Step[], memory: KeyMemory): Promise<void> {
		for (const { kind, entries } of steps)
			if (kind === 'confirm') this.removable.push(entries.begunWith);
		if (this.removable.length >= this.maxRemovable)
			await memory.remove(this.removable.splice(0)).catch(() => {});
	}

	private add(step: (typeof this.steps)[number]): void {
		this.steps.push(step);
		if (!this.isWorking) void this.work(step.memory);
	}

	/** Makes a call, and more while steps come. */
	private async work(memory: KeyMemory): Promise<void> {
		this.isWorking = true;
		let took = 0;
		do {
			await this.gather(took);
			const began = steadyClock.now();
			const steps = this.steps.splice(0);
			await (this.call = this.take(steps, steps[0]?.memory ?? memory));
			took = steadyClock.now() - began;
		} while (this.steps.length > 0);
		this.isWorking = false;
		void this.lookAgain(memory);
	}

	private async take(
		steps: ReadonlyArray<(typeof this.steps)[number]>,
		memory: KeyMemory,
	): Promise<void> {
		this.hasFailed = false;
		try {
			const resolvers = await decide(steps, memory, this.unsettled);
			for (const resolve of resolvers) resolve();
			await this.tidy(steps, memory);
		} catch (error) {
			this.hasFailed = true;
			for (const { fail } of steps) fail(error);
		}
	}

	/** Looks for what was written, until all is settled, or the memory fails. */
	private async lookAgain(memory: KeyMemory): Promise<void> {
		if (this.isLooking) return;
		this.isLooking = true;
		while (!this.unsettled.isEmpty && !this.hasFailed) {
			await this.pause();
			this.unsettled.endPause();
			await (this.isWorking ? this.call : this.work(memory));
		}
		this.isLooking = false;
	}
}

/** The keys that all executions of a node, by its workflow and ID, share in this process. */
export const onceKeysOf = perName(
	() => new OnceKeys(MAX_REMOVABLE, async (took) => await sleep(Math.min(took, MAX_GATHER))),
);

/**
 * Takes many steps in a few calls. docs/decisions/send-once-keys.md says why in this order.
 *
 * @returns what resolves the steps, once all is written
 */
async function decide(
	steps: readonly Step[],
	memory: KeyMemory,
	unsettled: Unsettled,
): Promise<Array<() => void>> {
	const claims = steps.filter((step) => step.kind === 'claim');
	const ended = steps.filter((step) => step.kind !== 'claim');
	unsettled.forget(
		ended.flatMap(({ kind, entries: { begun, begunWith } }) =>
			kind === 'free' ? [begun, begunWith] : [begunWith],
		),
	);
	const again = unsettled.due();
	const sentNow = ended.flatMap((step) =>
		step.kind === 'confirm'
			? [step.entries.sent, ...step.covered.flatMap(({ begun, sent }) => [begun, sent])]
			: [],
	);
	const begunNow = claims.flatMap(({ entries }) => [entries.begun, entries.begunWith]);
	const first = [...new Set([...again, ...sentNow, ...begunNow])];
	// Two processes that both create the node's row collide. The second try finds the row. Later
	// calls are not repeated: after a first try that was stored and lost its answer, `sent` would be
	// found, though only this process that asked recorded it.
	const known = await record(memory, first).catch(async () => await record(memory, first));
	const begunBefore = claims.filter(
		({ entries }) => known.has(entries.begun) || known.has(entries.begunWith),
	);
	unsettled.recorded(first, known);
	unsettled.forget(begunBefore.map(({ entries }) => entries.begunWith));
	const asked = await record(
		memory,
		begunBefore.map(({ entries }) => entries.asking),
	);
	// A process that asked died before it removed `sent` and `begunWith`: `sent` tells nothing.
	const isUnclear = ({ entries }: (typeof claims)[number]): boolean =>
		asked.has(entries.asking) && known.has(entries.begunWith);
	// Who takes an unclear key begins anew.
	const taken = begunBefore.filter((step) => step.takesDoubt && isUnclear(step));
	const certain = begunBefore.filter((step) => !isUnclear(step));
	const read = [...certain, ...taken];
	const sent = await record(
		memory,
		read.map(({ entries }) => entries.sent),
	);
	const resultOf = (step: (typeof claims)[number]): ClaimResult => {
		const { entries } = step;
		if (!known.has(entries.begun) && !known.has(entries.begunWith)) return 'new';
		if (sent.has(entries.sent) && !isUnclear(step)) return 'sent';
		if (!known.has(entries.begunWith)) return 'reused';
		if (!step.takesDoubt) return 'doubt';
		return isUnclear(step) ? 'takenUnclear' : 'taken';
	};
	// Takes back what asking left behind: `sent` first, and `asking` after it, so that a crash
	// between the two leaves `asking`. It stays until a message was sent under the key for certain:
	// it says that `sent` proves nothing.
	await remove(memory, [
		...ended.flatMap(({ kind, entries }) =>
			kind === 'free' ? [entries.begun, entries.begunWith] : [],
		),
		...begunBefore.flatMap(({ entries }) =>
			known.has(entries.begunWith) ? [] : [entries.begunWith],
		),
		...certain.flatMap(({ entries }) => (sent.has(entries.sent) ? [] : [entries.sent])),
		...taken.map(({ entries }) => entries.sent),
	]);
	await remove(
		memory,
		[
			...certain.filter(({ entries }) => !asked.has(entries.asking)),
			...ended.filter((step) => step.kind === 'confirm' && step.clears),
		].map(({ entries }) => entries.asking),
	);
	return [
		...ended.map(({ resolve }) => resolve),
		...claims.map((claim) => () => claim.resolve(resultOf(claim))),
	];
}

const record = async (memory: KeyMemory, values: string[]): Promise<Set<string>> =>
	values.length === 0 ? new Set() : await memory.record(values);

const remove = async (memory: KeyMemory, values: string[]): Promise<void> => {
	if (values.length > 0) await memory.remove(values);
};
