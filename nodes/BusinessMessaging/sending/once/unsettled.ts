/**
 * Entries that this process wrote to a list that n8n reads and writes whole. Another process that
 * read it before and writes it after takes them back: with two busy workers, every sixth key was
 * lost. So an entry is recorded again in the next call, and once more when the others have read it.
 */
export class Unsettled {
	private readonly entries = new Map<string, { pause: number; isFound: boolean }>();
	private pauses = 0;
	/** The pauses that had ended when the call began, which may have read just then. */
	private atCall = 0;

	get isEmpty(): boolean {
		return this.entries.size === 0;
	}

	/** A pause ended. It is longer than others go on writing over each other. */
	endPause(): void {
		this.pauses += 1;
	}

	/** What the call that begins now is to record, too. */
	due(): string[] {
		this.atCall = this.pauses;
		return [...this.entries]
			.filter(([, { pause, isFound }]) => !isFound || this.isPast(pause))
			.map(([value]) => value);
	}

	/** The call recorded these. @param known those that it found */
	recorded(values: readonly string[], known: ReadonlySet<string>): void {
		for (const value of values) {
			const entry = this.entries.get(value);
			if (!known.has(value)) this.entries.set(value, { pause: this.pauses, isFound: false });
			else if (entry && this.isPast(entry.pause)) this.entries.delete(value);
			else if (entry) entry.isFound = true;
		}
	}

	/** They need not be there any more. */
	forget(values: readonly string[]): void {
		for (const value of values) this.entries.delete(value);
	}

	/** Whether a whole pause was between it and the call. */
	private isPast(pause: number): boolean {
		return this.atCall - pause > 1;
	}
}
