import { hash } from 'node:crypto';

import { type IExecuteFunctions, NodeConnectionTypes } from 'n8n-workflow';

import { asError } from '../service/errors';
import { steadyClock } from '../shared/tools/clock';

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

type Store = Record<string, unknown>;

const STORE_KEY = 'sentMessages';
const FINGERPRINT_LENGTH = 8;

/**
 * Remembers which items of an execution the service accepted, and which it may have accepted, so
 * that a retry does not send them twice: docs/decisions/sent-record.md.
 */
export class SentRecord {
	private constructor(
		/** What n8n keeps for a node across the tries of one execution: `getContext('node')`. */
		private readonly store: Store,
		private readonly ofRun: RunRecord,
		/** Called when this try failed. */
		readonly fail: () => void,
	) {}

	static open(store: Store, run: number, onFailure = () => {}): SentRecord {
		const kept = store[STORE_KEY] as RunRecord | undefined;
		const ofRun: RunRecord = kept?.run === run ? kept : { run, accepted: {}, unknown: {} };
		store[STORE_KEY] = ofRun;
		return new SentRecord(store, ofRun, onFailure);
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

/** The sent record of this node in this execution: of a round of a loop, or of a call of a tool. */
export function sentRecordOf(context: IExecuteFunctions): SentRecord {
	const store = storeOf(context);
	// An agent gives the node its arguments there, unless n8n's engine runs the tool.
	const [call] = context.getInputData(0, NodeConnectionTypes.AiTool);
	if (call) return ofCall(call.json, store);
	return SentRecord.open(store, Number(context.evaluateExpression('{{ $runIndex }}', 0)));
}

/** Of a tool's call, by the arguments' object: n8n hands it to all tries, each with its own run. */
const calls = new WeakMap<object, Store>();

/** Milliseconds for which the same arguments are another try of a call that failed. */
const TRY_WITHIN = 60_000;

/** By what n8n keeps of the node in an execution, and by the arguments as text. */
const failedCalls = new WeakMap<Store, Map<string, { at: number; store: Store }>>();

function ofCall(args: object, execution: Store): SentRecord {
	const failed = failedCalls.get(execution) ?? new Map<string, { at: number; store: Store }>();
	failedCalls.set(execution, failed);
	const name = JSON.stringify(args);
	const now = () => steadyClock.now();
	const earlier = failed.get(name);
	const isTry = earlier !== undefined && now() - earlier.at <= TRY_WITHIN;
	const store = calls.get(args) ?? (isTry ? earlier.store : {});
	calls.set(args, store);
	return SentRecord.open(store, 0, () => {
		const other = failed.get(name);
		// Calls side by side: a try knows what either of them did.
		const known = other && now() - other.at <= TRY_WITHIN ? merged(other.store, store) : store;
		failed.set(name, { at: now(), store: known });
	});
}

function merged(into: Store, from: Store): Store {
	const [known, more] = [into, from].map((store) => store[STORE_KEY] as RunRecord | undefined);
	if (!known || !more) return known ? into : from;
	Object.assign(known.accepted, more.accepted);
	Object.assign(known.unknown, more.unknown);
	known.replaced = { ...known.replaced, ...more.replaced };
	return into;
}

/**
 * n8n's own agents run a node as a tool outside every execution. There n8n keeps nothing and fails,
 * and it never tries such a call again, so there is nothing to remember.
 */
function storeOf(context: IExecuteFunctions): Store {
	try {
		return context.getContext('node');
	} catch (error) {
		if (!/is not initialized$/.test(asError(error).message)) throw asError(error);
		return {};
	}
}
