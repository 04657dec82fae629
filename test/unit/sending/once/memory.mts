import { setImmediate as tick } from 'node:timers/promises';

import { type KeyMemory, OnceKeys } from '#nodes/sending/once/keys.ts';

/** The n8n process. After its death nothing that it began has an effect. */
export interface Process {
	isDead: boolean;
	onDeath: () => void;
}

/**
 * n8n's memory of a node: read and written whole, without a lock. A crash hits it before or after a
 * write.
 */
export class Memory implements KeyMemory {
	calls = 0;
	/** Calls at the same time. Two would lose entries. */
	atOnce = 0;
	mostAtOnce = 0;

	constructor(
		readonly stored: string[] = [],
		private readonly diesAt?: { call: number; hasWritten: boolean },
		private readonly process: Process = { isDead: false, onDeath: () => {} },
	) {}

	async record(values: string[]): Promise<Set<string>> {
		return await this.change(() => {
			const known = new Set(this.stored);
			const unique = new Set(values);
			expect(unique.size).toBe(values.length);
			this.stored.push(...values.filter((value) => !known.has(value)));
			return new Set(values.filter((value) => known.has(value)));
		});
	}

	async remove(values: string[]): Promise<void> {
		await this.change(() => {
			for (const value of values) {
				const at = this.stored.indexOf(value);
				// Only recorded entries are removed.
				expect(at).toBeGreaterThanOrEqual(0);
				this.stored.splice(at, 1);
			}
		});
	}

	private async change<Result>(write: () => Result): Promise<Result> {
		this.mostAtOnce = Math.max(this.mostAtOnce, ++this.atOnce);
		const isLast = ++this.calls === this.diesAt?.call;
		if (isLast && !this.diesAt?.hasWritten) this.die();
		if (this.process.isDead) return await new Promise(() => {});
		await tick();
		if (this.process.isDead) return await new Promise(() => {});
		const result = write();
		if (isLast) {
			this.die();
			return await new Promise(() => {});
		}
		this.atOnce--;
		return result;
	}

	private die(): void {
		this.process.isDead = true;
		this.process.onDeath();
	}
}

/** The keys of a process, with short pauses. */
export const processKeys = (maxRemovable?: number) => new OnceKeys(maxRemovable, undefined, tick);

/** Waits until all is written, and found once more. */
export async function untilIdle(keys: OnceKeys, turns = 100): Promise<void> {
	for (let turn = 0; turn < turns && !keys.isIdle; turn++) await tick();
	expect(keys.isIdle).toBe(true);
}
