import { createHash } from 'node:crypto';

import type { IExecuteFunctions } from 'n8n-workflow';

/** What n8n keeps for a node across the tries of one execution: `getContext('node')`. */
export type SentRecordStore = Record<string, unknown>;

/** What one run of the node sent. */
interface RunRecord {
	/** `$runIndex`. In a loop the node runs several times in one execution, with other items. */
	run: number;
	/** By `RecordKey`: fingerprint and message ID. */
	accepted: Record<string, string>;
	/** By `RecordKey`: fingerprint. */
	unknown: Record<string, string>;
	/** By `RecordKey`: the entry of `accepted`, if the message's fallback left in its place. */
	replaced?: Record<string, string>;
}

/** The key in the node's context. Messages of every kind. */
const STORE_KEY = 'sentMessages';
const FINGERPRINT_LENGTH = 8;

/** The index of an item, or `<index>.<part>` of one of its parts. */
export type RecordKey = number | `${number}.${number}`;

/**
 * Remembers which items of an execution the service accepted, and which it may have accepted.
 * "Retry On Fail" and the executions list's Retry run the node again with all items. The record
 * keeps them from sending twice. n8n stores it with the execution.
 *
 * An entry is for one recipient, whatever the text: a text that was changed for the retry is not
 * sent again. If a retry brings another recipient at that index, it is sent.
 */
export class SentRecord {
	private constructor(
		private readonly store: SentRecordStore,
		private readonly ofRun: RunRecord,
	) {}

	static open(store: SentRecordStore, run: number): SentRecord {
		const kept = store[STORE_KEY] as RunRecord | undefined;
		const ofRun: RunRecord = kept?.run === run ? kept : { run, accepted: {}, unknown: {} };
		store[STORE_KEY] = ofRun;
		return new SentRecord(store, ofRun);
	}

	/**
	 * The message ID of an item that was accepted before.
	 * @param target channel and recipient, and for a part the fingerprint of the whole item
	 */
	acceptedId(key: RecordKey, target: string): string | undefined {
		const entry = this.ofRun.accepted[key];
		return entry?.startsWith(fingerprint(target)) ? entry.slice(FINGERPRINT_LENGTH) : undefined;
	}

	/** Whether an accepted item is its fallback. */
	isReplaced(key: RecordKey): boolean {
		return this.ofRun.replaced?.[key] === this.ofRun.accepted[key];
	}

	/** Whether an item may have been accepted before. */
	isUnknown(key: RecordKey, target: string): boolean {
		return this.ofRun.unknown[key] === fingerprint(target);
	}

	recordAccepted(key: RecordKey, target: string, messageId: string): void {
		this.ofRun.accepted[key] = fingerprint(target) + messageId;
	}

	/** The item's fallback was accepted in its place. */
	recordReplaced(key: RecordKey, target: string, messageId: string): void {
		this.recordAccepted(key, target, messageId);
		(this.ofRun.replaced ??= {})[key] = fingerprint(target) + messageId;
	}

	recordUnknown(key: RecordKey, target: string): void {
		this.ofRun.unknown[key] = fingerprint(target);
	}

	/** Forgets everything, because the node is done with these items. */
	clear(): void {
		delete this.store[STORE_KEY];
	}
}

function fingerprint(target: string): string {
	return createHash('sha256').update(target).digest('base64url').slice(0, FINGERPRINT_LENGTH);
}

/** The sent record of this node in this execution, and in this round of a loop. */
export const sentRecordOf = (context: IExecuteFunctions): SentRecord =>
	SentRecord.open(
		context.getContext('node'),
		Number(context.evaluateExpression('{{ $runIndex }}', 0)),
	);
