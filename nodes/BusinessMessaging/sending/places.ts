/** Executions that wait long at a time, because each takes a place in n8n. */
const MAX_WAITING = 3;

/** The executions of a process that wait long, over all channels, and their messages that do. */
export class Places {
	private readonly taken = new Map<object, Set<object>>();

	/** Whether an execution may wait: it does already, or there is a place. */
	areOpenTo(execution: object): boolean {
		return this.taken.size < MAX_WAITING || this.taken.has(execution);
	}

	take(execution: object, message: object): void {
		this.taken.set(execution, (this.taken.get(execution) ?? new Set()).add(message));
	}

	give(execution: object, message: object): void {
		const messages = this.taken.get(execution);
		messages?.delete(message);
		if (messages?.size === 0) this.taken.delete(execution);
	}
}
