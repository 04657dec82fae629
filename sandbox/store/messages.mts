import type { Message as ShownMessage } from '../client/messages.mts';
import type { Clock } from '../core/clock.mts';
import type { Database, Row } from '../core/database.mts';
import type { Ids } from '../core/ids.mts';
import { MESSAGE_OF_DELIVERY } from '../core/schema.mts';
import { rowReader, Table } from '../core/table.mts';
import type { MessageState } from '../contract.mts';

/**
 * Milliseconds after the customer's last message in which free-form text is accepted. Source:
 * docs/contract.md.
 */
export const CONVERSATION_WINDOW = 24 * 60 * 60 * 1000;

/** As the client shows it, with times in milliseconds of the sandbox's clock. */
export interface Message extends Omit<ShownMessage, 'createdAt' | 'reached' | 'failure'> {
	createdAt: number;
	reached: Partial<Record<MessageState, number>>;
}

/** The fields of a new message. */
export type NewMessage = Pick<
	Message,
	'channelId' | 'customer' | 'direction' | 'fromApi' | 'forwarded' | 'content'
> &
	Partial<Pick<Message, 'windowClosed'>>;

export interface Conversation {
	channelId: string;
	customer: string;
	name: string;
	/** Null until the customer writes. */
	lastInboundAt: number | null;
	/** Whether free-form messages are accepted now, on a channel with a window. */
	windowOpen: boolean;
	windowClosesAt: number | null;
}

const readMessage = rowReader<Omit<Message, 'reached'> & Record<Time, number | null>>({
	json: ['content'],
	flags: ['fromApi', 'forwarded', 'windowClosed'],
	hidden: ['nextStepAt'],
});
type Time = 'sentAt' | 'deliveredAt' | 'readAt' | 'failedAt';

function fromRow(row: Row): Message {
	const { sentAt, deliveredAt, readAt, failedAt, ...message } = readMessage(row);
	const reached: Message['reached'] = { PENDING: message.createdAt };
	if (sentAt !== null) reached.SENT = sentAt;
	if (deliveredAt !== null) reached.DELIVERED = deliveredAt;
	if (readAt !== null) reached.READ = readAt;
	if (failedAt !== null) reached.FAILED = failedAt;
	return { ...message, reached };
}

/** `lastInboundAt` is 0 until the customer writes. */
type StoredConversation = Pick<Conversation, 'channelId' | 'customer' | 'name'> & {
	lastInboundAt: number;
};
const readConversation = rowReader<StoredConversation>({ hidden: ['startedAt'] });

/**
 * The filters of a list of messages: the newest `limit`, or with `after`, a message number, the
 * next ones.
 */
export interface MessageFilter {
	channelId?: string | undefined;
	customer?: string | undefined;
	after?: number | undefined;
	limit: number;
}

export class Messages {
	readonly #clock: Clock;
	readonly #ids: Ids;
	readonly #db: Database;
	#stored = 0;
	readonly #table;
	readonly #sql;
	readonly #remove;

	constructor(db: Database, clock: Clock, ids: Ids) {
		this.#clock = clock;
		this.#ids = ids;
		this.#db = db;
		this.#table = new Table<Omit<Message, 'reached'>>(db, 'messages');
		const matching =
			'SELECT * FROM messages WHERE (?1 IS NULL OR channel_id = ?1) AND (?2 IS NULL OR customer = ?2) AND number > ?3';
		this.#sql = {
			byId: db.statement('SELECT * FROM messages WHERE id = ?', fromRow),
			newest: db.statement(
				`SELECT * FROM (${matching} ORDER BY number DESC LIMIT ?4) ORDER BY number`,
				fromRow,
			),
			next: db.statement(`${matching} ORDER BY number LIMIT ?4`, fromRow),
			conversation: db.statement(
				'SELECT * FROM conversations WHERE channel_id = ? AND customer = ?',
				readConversation,
			),
			conversations: db.statement(
				`SELECT * FROM conversations AS chat WHERE channel_id = ? ORDER BY
				(SELECT MAX(number) FROM messages WHERE channel_id = chat.channel_id AND customer = chat.customer) DESC LIMIT ?`,
				readConversation,
			),
			touch: db.statement(
				`INSERT INTO conversations (channel_id, customer, name, last_inbound_at) VALUES (?, ?, ?, ?)
				ON CONFLICT (channel_id, customer) DO UPDATE SET name = excluded.name, last_inbound_at = excluded.last_inbound_at`,
			),
			start: db.statement(
				`INSERT INTO conversations (channel_id, customer, name, last_inbound_at, started_at) VALUES (?, ?, ?, 0, ?)
				ON CONFLICT (channel_id, customer) DO NOTHING`,
			),
			closeWindow: db.statement(
				'UPDATE conversations SET last_inbound_at = MIN(last_inbound_at, ?) WHERE channel_id = ? AND customer = ?',
			),
			due: db.statement(
				'SELECT * FROM messages WHERE next_step_at <= ? ORDER BY next_step_at, number LIMIT ?',
				fromRow,
			),
			nextDue: db.statement<{ due: number | null }>(
				'SELECT MIN(next_step_at) AS due FROM messages WHERE next_step_at IS NOT NULL',
			),
			setState: db.statement(
				`UPDATE messages SET status = ?1, next_step_at = ?3,
				sent_at = CASE WHEN ?1 IN ('SENT', 'DELIVERED', 'READ') THEN COALESCE(sent_at, ?2) ELSE sent_at END,
				delivered_at = CASE WHEN ?1 IN ('DELIVERED', 'READ') THEN COALESCE(delivered_at, ?2) ELSE delivered_at END,
				read_at = CASE WHEN ?1 = 'READ' THEN ?2 ELSE read_at END,
				failed_at = CASE WHEN ?1 = 'FAILED' THEN ?2 ELSE failed_at END WHERE id = ?4 RETURNING *`,
				fromRow,
			),
			count: db.statement<{ count: number }>('SELECT COUNT(*) AS count FROM messages'),
		};
		const ofCustomer = 'WHERE channel_id = ? AND customer = ?';
		this.#remove = [
			`DELETE FROM media WHERE EXISTS (SELECT 1 FROM messages ${ofCustomer} AND instr(content, media.id))`,
			`DELETE FROM deliveries WHERE ${MESSAGE_OF_DELIVERY} IN (SELECT id FROM messages ${ofCustomer})`,
			`DELETE FROM messages ${ofCustomer}`,
			`DELETE FROM conversations ${ofCustomer}`,
		].map((sql) => db.statement(sql));
		this.reload();
	}

	add(message: NewMessage, nextStepAt: number | null): Message {
		const status = message.direction === 'in' ? 'DELIVERED' : 'PENDING';
		const id = this.#ids.next();
		const createdAt = this.#clock.now();
		const { windowClosed = false } = message;
		const stored = { id, ...message, windowClosed, createdAt, status } as const;
		const number = this.#table.add({ ...stored, nextStepAt });
		this.#db.afterCommit(() => (this.#stored += 1));
		return { number, ...stored, reached: { PENDING: createdAt } };
	}

	get(id: string): Message | undefined {
		return this.#sql.byId.get(id);
	}

	list({ channelId, customer, after, limit }: MessageFilter): Message[] {
		const list = after === undefined ? this.#sql.newest : this.#sql.next;
		return list.all(channelId ?? null, customer ?? null, after ?? 0, limit);
	}

	/** Number of messages. */
	get count(): number {
		return this.#stored;
	}

	/** Counts the messages in the data file again. */
	reload(): void {
		this.#stored = this.#sql.count.get()?.count ?? 0;
	}

	/** Opens or renews the conversation window of a customer. */
	noteInbound(channelId: string, customer: string, name: string): void {
		this.#sql.touch.run(channelId, customer, name, this.#clock.now());
	}

	/** Moves the customer's last message back far enough to close the window. */
	closeWindow(channelId: string, customer: string): void {
		this.#sql.closeWindow.run(this.#clock.now() - CONVERSATION_WINDOW, channelId, customer);
	}

	/** Deletes a customer with the chat, its files and its deliveries. */
	remove(channelId: string, customer: string): void {
		for (const statement of this.#remove) statement.run(channelId, customer);
	}

	/** Begins a conversation in which the business writes first. An existing one stays unchanged. */
	noteOutbound(channelId: string, customer: string, name: string): void {
		this.#sql.start.run(channelId, customer, name, this.#clock.now());
	}

	conversation(channelId: string, customer: string): Conversation | undefined {
		const stored = this.#sql.conversation.get(channelId, customer);
		return stored && this.#withWindow(stored);
	}

	conversations(channelId: string, limit: number): Conversation[] {
		return this.#sql.conversations.all(channelId, limit).map((stored) => this.#withWindow(stored));
	}

	/** Messages whose next state is due, the longest due first. */
	due(limit: number): Message[] {
		return this.#sql.due.all(this.#clock.now(), limit);
	}

	nextDue(): number | undefined {
		return this.#sql.nextDue.get()?.due ?? undefined;
	}

	setState(id: string, state: MessageState, nextStepAt: number | null): Message {
		return this.#sql.setState.get(state, this.#clock.now(), nextStepAt, id)!;
	}

	#withWindow({ lastInboundAt: last, ...conversation }: StoredConversation): Conversation {
		const lastInboundAt = last === 0 ? null : last;
		const windowClosesAt = lastInboundAt === null ? null : lastInboundAt + CONVERSATION_WINDOW;
		const windowOpen = windowClosesAt !== null && this.#clock.now() < windowClosesAt;
		return { ...conversation, lastInboundAt, windowOpen, windowClosesAt };
	}
}
