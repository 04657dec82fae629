import { hash } from 'node:crypto';

import type { IExecuteFunctions } from 'n8n-workflow';

import { asError } from '../service/errors';

/** The index of an item, or `<index>.<part>` of one of its parts. */
export type RecordKey = number | `${number}.${number}`;

/** What one run of the node sent. Entries hold a fingerprint, and a message ID if accepted. */
interface RunRecord {
	/** `$runIndex`. In a loop the node runs several times in one execution, with other items. */
	run: number;
	accepted: Record<string, string>;
	unknown: Record<string, string>;
	/** The entry of `accepted`, if the message's fallback left in its place. */
	replaced?: Record<string, string>;
}

const STORE_KEY = 'sentMessages';
const FINGERPRINT_LENGTH = 8;

/**
 * Remembers which items of an execution the service accepted, and which it may have accepted, so
 * that a retry does not send them twice: docs/decisions/sent-record.md.
 */
export class SentRecord {
	private constructor(
		/** What n8n keeps for a node across the tries of one execution: `getContext('node')`. */
		private readonly store: Record<string, unknown>,
		private readonly ofRun: RunRecord,
	) {}

	static open(store: Record<string, unknown>, run: number): SentRecord {
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

	isReplaced(key: RecordKey): boolean {
		return this.ofRun.replaced?.[key] === this.ofRun.accepted[key];
	}

	isUnknown(key: RecordKey, target: string): boolean {
		return this.ofRun.unknown[key] === fingerprint(target);
	}

	recordAccepted(key: RecordKey, target: string, messageId: string): void {
		this.ofRun.accepted[key] = fingerprint(target) + messageId;
	}

	recordReplaced(key: RecordKey, target: string, messageId: string): void {
		this.recordAccepted(key, target, messageId);
		(this.ofRun.replaced ??= {})[key] = fingerprint(target) + messageId;
	}

	recordUnknown(key: RecordKey, target: string): void {
		this.ofRun.unknown[key] = fingerprint(target);
	}

	/** For each message that was accepted, the index of its item. */
	get accepted(): number[] {
		return Object.keys(this.ofRun.accepted).map((key) => Math.trunc(Number(key)));
	}

	clear(): void {
		delete this.store[STORE_KEY];
	}
}

const fingerprint = (target: string): string =>
	hash('sha256', target, 'base64url').slice(0, FINGERPRINT_LENGTH);

/** The sent record of this node in this execution, and in this round of a loop. */
export const sentRecordOf = (context: IExecuteFunctions): SentRecord =>
	SentRecord.open(storeOf(context), Number(context.evaluateExpression('{{ $runIndex }}', 0)));

/**
 * n8n's own agents run a node as a tool outside every execution. There n8n keeps nothing and fails,
 * and it never tries such a call again, so there is nothing to remember.
 */
function storeOf(context: IExecuteFunctions): Record<string, unknown> {
	try {
		return context.getContext('node');
	} catch (error) {
		if (!/is not initialized$/.test(asError(error).message)) throw asError(error);
		return {};
	}
}
