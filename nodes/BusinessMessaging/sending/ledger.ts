import { createHash } from 'node:crypto';

/** What the host keeps of a node over the tries of one execution: `getContext('node')`. */
export type LedgerStore = Record<string, unknown>;

interface Page {
	/** `$runIndex`: in a loop the node runs again in the same execution, with other items. */
	run: number;
	/** Item index → fingerprint and message id. */
	accepted: Record<string, string>;
	/** Item index → fingerprint. */
	unknown: Record<string, string>;
}

const KEY = 'sentTexts';
const FINGERPRINT_LENGTH = 8;

/**
 * Remembers, for an execution, which items the service accepted and which it may have accepted, so that "Retry On Fail" and the executions
 * list's Retry, which run the node again with all items, send nothing twice. The host stores it with the execution.
 *
 * An entry holds for the same item to the same recipient: should a retried execution bring another recipient at that place, it is sent.
 */
export class Ledger {
	private constructor(
		private readonly store: LedgerStore,
		private readonly page: Page,
	) {}

	static open(store: LedgerStore, run: number): Ledger {
		const kept = store[KEY] as Page | undefined;
		const page: Page = kept?.run === run ? kept : { run, accepted: {}, unknown: {} };
		store[KEY] = page;
		return new Ledger(store, page);
	}

	/** The message id of an item that was accepted before. */
	acceptedId(index: number, lane: string): string | undefined {
		const entry = this.page.accepted[index];
		return entry?.startsWith(fingerprint(lane)) ? entry.slice(FINGERPRINT_LENGTH) : undefined;
	}

	/** Whether an item may have been accepted before. */
	isUnknown(index: number, lane: string): boolean {
		return this.page.unknown[index] === fingerprint(lane);
	}

	recordAccepted(index: number, lane: string, messageId: string): void {
		this.page.accepted[index] = fingerprint(lane) + messageId;
	}

	recordUnknown(index: number, lane: string): void {
		this.page.unknown[index] = fingerprint(lane);
	}

	/** Forgets everything: the node is done, and will not be run again for these items. */
	clear(): void {
		delete this.store[KEY];
	}
}

function fingerprint(lane: string): string {
	return createHash('sha256').update(lane).digest('base64url').slice(0, FINGERPRINT_LENGTH);
}
