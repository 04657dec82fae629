import type { Clock } from '../core/clock.mts';
import type { Database } from '../core/database.mts';
import { MESSAGE_OF_DELIVERY } from '../core/schema.mts';
import { rowReader, Table } from '../core/table.mts';

/** Number of finished deliveries kept for the inspector. Pending ones are always kept. */
export const FINISHED_KEPT = 20_000;
const PRUNED_AT_ONCE = 1000;

/**
 * PENDING: to be attempted. DELIVERED: the response was 2xx. FAILED: no attempt is left. CANCELLED:
 * its webhook was deleted.
 */
export type DeliveryState = 'PENDING' | 'DELIVERED' | 'FAILED' | 'CANCELLED';

export interface Delivery {
	id: number;
	webhookId: string;
	event: string;
	/** `<topic>:<partition>:<offset>`, the same at every attempt. */
	idempotencyKey: string;
	body: string;
	createdAt: number;
	state: DeliveryState;
	attempts: number;
	nextAt: number;
}

/** A pending delivery and when it is due, on the sandbox's clock. */
export type Waiting = Pick<Delivery, 'id' | 'nextAt'>;

export interface Attempt {
	number: number;
	/** Real time, milliseconds. */
	at: number;
	/** Milliseconds until the response or the failure. */
	duration: number;
	url: string;
	requestHeaders: Record<string, string>;
	/** The sent bytes if they were compressed; null if they were the body itself. */
	requestGzip: Uint8Array | null;
	/** Kinds of the faults in this attempt. */
	faults: string[];
	/** Status of the response; null if there was none. */
	status: number | null;
	responseHeaders: Record<string, string> | null;
	/** The beginning of the response. */
	responseBody: string | null;
	/** Why the attempt failed; null if it did not. */
	error: string | null;
}

/** Each order has an index, so that long queues cost nothing. */
export const WAITING = {
	due: "SELECT id, next_at FROM deliveries WHERE webhook_id = ? AND state = 'PENDING' ORDER BY next_at, id LIMIT ?",
	oldest:
		"SELECT id, next_at FROM deliveries WHERE webhook_id = ? AND state = 'PENDING' ORDER BY id LIMIT ?",
};

const fromRow = rowReader<Delivery>({});

const waitingFromRow = rowReader<Waiting>({});

/** The filters of a list of deliveries, newest first. `before` is a delivery id. */
export interface DeliveryFilter {
	webhookId?: string | undefined;
	state?: string | undefined;
	before?: number | undefined;
	limit: number;
}

export class Deliveries {
	readonly #clock: Clock;
	readonly #attempts;
	readonly #sql;

	constructor(db: Database, clock: Clock) {
		this.#clock = clock;
		this.#attempts = new Table<Attempt>(db, 'attempts', {
			json: ['requestHeaders', 'faults', 'responseHeaders'],
			hidden: ['deliveryId'],
		});
		this.#sql = {
			insert: db.statement(
				`INSERT INTO deliveries (webhook_id, event, idempotency_key, body, created_at, state, attempts, next_at)
				VALUES (?1, ?2, ?3 || ':' || (SELECT 1 + COALESCE((SELECT seq FROM sqlite_sequence WHERE name = 'deliveries'), 0)), ?4, ?5, 'PENDING', 0, ?5)
				RETURNING *`,
				fromRow,
			),
			byId: db.statement('SELECT * FROM deliveries WHERE id = ?', fromRow),
			list: db.statement(
				`SELECT * FROM deliveries WHERE (?1 IS NULL OR webhook_id = ?1) AND (?2 IS NULL OR state = ?2) AND (?3 IS NULL OR id < ?3)
				ORDER BY id DESC LIMIT ?4`,
				fromRow,
			),
			ofMessage: db.statement(
				`SELECT * FROM deliveries WHERE ${MESSAGE_OF_DELIVERY} = ? ORDER BY id`,
				fromRow,
			),
			attemptsOf: this.#attempts.select('WHERE delivery_id = ? ORDER BY number'),
			attempt: db.statement<Pick<Attempt, 'status' | 'error'>>(
				'SELECT status, error FROM attempts WHERE delivery_id = ? AND number = ?',
			),
			answer: db.statement<Pick<Attempt, 'responseBody'>>(
				'SELECT response_body AS responseBody FROM attempts WHERE delivery_id = ? AND number = ?',
			),
			due: db.statement(WAITING.due, waitingFromRow),
			oldest: db.statement(WAITING.oldest, waitingFromRow),
			finish: db.statement(
				"UPDATE deliveries SET state = ?, attempts = ?, next_at = ? WHERE id = ? AND state = 'PENDING'",
			),
			cancel: db.statement(
				"UPDATE deliveries SET state = 'CANCELLED' WHERE webhook_id = ? AND state = 'PENDING'",
			),
			resend: db.statement("UPDATE deliveries SET state = 'PENDING', next_at = ? WHERE id = ?"),
			seedOffset: db.statement("INSERT INTO sqlite_sequence (name, seq) VALUES ('deliveries', ?)"),
			count: db.statement<{ state: DeliveryState; count: number }>(
				'SELECT state, COUNT(*) AS count FROM deliveries GROUP BY state',
			),
			prune: db.statement(
				"DELETE FROM deliveries WHERE id IN (SELECT id FROM deliveries WHERE state <> 'PENDING' ORDER BY id LIMIT ?)",
			),
		};
	}

	/** Offsets continue from here. */
	startOffsetsAfter(offset: number): void {
		// As a bigint, because a number beyond 32 bits would become a real, with a decimal point in
		// keys.
		this.#sql.seedOffset.run(BigInt(offset));
	}

	/** The offset of the idempotency key is the delivery's id. */
	add(webhookId: string, event: string, topicAndPartition: string, body: string): Delivery {
		return this.#sql.insert.get(webhookId, event, topicAndPartition, body, this.#clock.now())!;
	}

	get(id: number): Delivery | undefined {
		return this.#sql.byId.get(id);
	}

	list({ webhookId, state, before, limit }: DeliveryFilter): Delivery[] {
		return this.#sql.list.all(webhookId ?? null, state ?? null, before ?? null, limit);
	}

	/** The deliveries of a message, the oldest first. */
	ofMessage(messageId: string): Delivery[] {
		return this.#sql.ofMessage.all(messageId);
	}

	attemptsOf(id: number): Attempt[] {
		return this.#sql.attemptsOf.all(id);
	}

	/** The result of the last attempt; undefined before the first. */
	lastAttemptOf({ id, attempts }: Delivery): Pick<Attempt, 'status' | 'error'> | undefined {
		return this.#sql.attempt.get(id, attempts);
	}

	/** The beginning of the last response, if there was one. */
	answerTo({ id, attempts }: Delivery): string {
		return this.#sql.answer.get(id, attempts)?.responseBody ?? '';
	}

	/** The pending deliveries of a webhook, the longest due first or the oldest first. */
	waiting(webhookId: string, first: keyof typeof WAITING, limit: number): Waiting[] {
		return this.#sql[first].all(webhookId, limit);
	}

	record(id: number, attempt: Attempt, state: DeliveryState, nextAt: number): void {
		// A delivery can have gone with its conversation.
		if (this.get(id)) this.#attempts.add({ deliveryId: id, ...attempt });
		this.#sql.finish.run(state, attempt.number, nextAt, id);
	}

	cancelFor(webhookId: string): number {
		return this.#sql.cancel.run(webhookId);
	}

	resend(id: number): void {
		this.#sql.resend.run(this.#clock.now(), id);
	}

	counts(): Record<DeliveryState, number> {
		const counts = { PENDING: 0, DELIVERED: 0, FAILED: 0, CANCELLED: 0 };
		for (const { state, count } of this.#sql.count.all()) counts[state] = count;
		return counts;
	}

	/** Deletes the oldest finished deliveries. */
	prune(): number {
		return this.#sql.prune.run(PRUNED_AT_ONCE);
	}
}
