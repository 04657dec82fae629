import { createHash } from 'node:crypto';

/** What the host keeps of a node over the tries of one execution: `getContext('node')`. */
export type SentRecordStore = Record<string, unknown>;

interface Page {
	/** `$runIndex`: in a loop the node runs again in the same execution, with other items. */
	run: number;
	/** Item index, and for a part of an item `<index>.<part>` → fingerprint and message id. */
	accepted: Record<string, string>;
	/** The same → fingerprint. */
	unknown: Record<string, string>;
}

const KEY = 'sentTexts';
const FINGERPRINT_LENGTH = 8;

/** An item, by its index, or one of its parts. */
export type Place = number | `${number}.${number}`;

/**
 * Remembers, for an execution, which items the service accepted and which it may have accepted, so that "Retry On Fail" and the executions
 * list's Retry, which run the node again with all items, send nothing twice. The host stores it with the execution.
 *
 * An entry holds for the same item to the same recipient: should a retried execution bring another recipient at that place, it is sent.
 */
export class SentRecord {
	private constructor(
		private readonly store: SentRecordStore,
		private readonly page: Page,
	) {}

	static open(store: SentRecordStore, run: number): SentRecord {
		const kept = store[KEY] as Page | undefined;
		const page: Page = kept?.run === run ? kept : { run, accepted: {}, unknown: {} };
		store[KEY] = page;
		return new SentRecord(store, page);
	}

	/**
	 * The message id of an item that was accepted before.
	 * @param target names channel and recipient, and for a part what its item sends in all
	 */
	acceptedId(place: Place, target: string): string | undefined {
		const entry = this.page.accepted[place];
		return entry?.startsWith(fingerprint(target)) ? entry.slice(FINGERPRINT_LENGTH) : undefined;
	}

	/** Whether an item may have been accepted before. */
	isUnknown(place: Place, target: string): boolean {
		return this.page.unknown[place] === fingerprint(target);
	}

	recordAccepted(place: Place, target: string, messageId: string): void {
		this.page.accepted[place] = fingerprint(target) + messageId;
	}

	recordUnknown(place: Place, target: string): void {
		this.page.unknown[place] = fingerprint(target);
	}

	/** Forgets everything: the node is done, and will not be run again for these items. */
	clear(): void {
		delete this.store[KEY];
	}
}

function fingerprint(target: string): string {
	return createHash('sha256').update(target).digest('base64url').slice(0, FINGERPRINT_LENGTH);
}
