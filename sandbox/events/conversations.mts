import type { Bus } from '../core/bus.mts';
import type { Clock } from '../core/clock.mts';
import type { Database } from '../core/database.mts';
import { ServiceError } from '../core/errors.mts';
import type { Settings } from '../core/settings.mts';
import { CHANNEL_NOT_CONNECTED, MESSAGE_STATES, type MessageState, type SendRequest, WINDOW_CLOSED } from '../contract.mts';
import type { DeliveryWorker } from '../delivery/worker.mts';
import type { Channel } from '../store/channels.mts';
import type { Message, Messages } from '../store/messages.mts';
import type { Content } from './content.mts';
import type { Emitter } from './emitter.mts';

/** Deliveries that can wait at once, and messages that are kept. Beyond that nothing new is taken, so that what was taken is kept. */
const MAX_PENDING_DELIVERIES = 500_000;
const MAX_MESSAGES = 2_000_000;
/** Messages that move on in one transaction. */
const STEP_BATCH = 200;
const LONGEST_SLEEP = 60_000;

/** What a customer says. */
export interface Inbound {
	channel: Channel;
	from: string;
	name: string | undefined;
	content: Content;
}

export interface ConversationParts {
	db: Database;
	clock: Clock;
	bus: Bus;
	settings: Settings;
	messages: Messages;
	emitter: Emitter;
	worker: DeliveryWorker;
}

/** The customers' side and the business's side of the chats: what is said, the window, and how sent messages come along. */
export class Conversations {
	readonly #parts: ConversationParts;
	#timer: NodeJS.Timeout | undefined;
	#wakeAt = Infinity;
	#closed = false;

	constructor(parts: ConversationParts) {
		this.#parts = parts;
		parts.clock.onMove(() => this.reload());
		this.reload();
	}

	reload(): void {
		this.#wakeAt = Infinity;
		this.#wakeFor(this.#parts.messages.nextDue());
	}

	/** Takes a free-form text of the business. */
	async send(channel: Channel, { recipient, content }: SendRequest): Promise<Message> {
		const { db, clock, bus, settings, messages, emitter } = this.#parts;
		this.#refuseWhenFull();
		if (!channel.connected) throw new ServiceError(CHANNEL_NOT_CONNECTED.status, CHANNEL_NOT_CONNECTED.message);
		if (!messages.conversation(channel.id, recipient.identifier)?.windowOpen) {
			throw new ServiceError(WINDOW_CLOSED.status, WINDOW_CLOSED.message);
		}
		const { upTo, stepMs } = settings.current.progression;
		const nextStepAt = upTo === 'PENDING' ? null : clock.now() + stepMs;
		const message = await db.grouped(() => {
			const said = { channelId: channel.id, customer: recipient.identifier, direction: 'out' as const };
			const added = messages.add({ ...said, content: { type: 'TEXT', text: content.body.message } }, nextStepAt);
			emitter.message(added, 'sent');
			return added;
		});
		if (nextStepAt !== null) this.#wakeFor(nextStepAt);
		bus.publish('message', () => message);
		return message;
	}

	/** Takes what a customer says, and opens the window. */
	async receive({ channel, from, name, content }: Inbound): Promise<Message> {
		const { db, bus, messages, emitter } = this.#parts;
		this.#refuseWhenFull();
		if (!channel.connected) throw new ServiceError(CHANNEL_NOT_CONNECTED.status, CHANNEL_NOT_CONNECTED.message);
		const message = await db.grouped(() => {
			const known = messages.conversation(channel.id, from);
			messages.noteInbound(channel.id, from, name ?? known?.name ?? from);
			const added = messages.add({ channelId: channel.id, customer: from, direction: 'in', content }, null);
			emitter.message(added, 'received');
			return added;
		});
		bus.publish('message', () => message);
		return message;
	}

	/** Brings a sent message to a later state, through those before it. */
	setState(message: Message, state: MessageState): Message {
		if (message.direction === 'in') throw new ServiceError(422, 'Only messages of the business have a changing status');
		const path = pathTo(message.status, state);
		if (!path) throw new ServiceError(422, `A message that is ${message.status} cannot become ${state}`);
		return path.reduce((current, next) => this.#step(current, next, null), message);
	}

	/** The customer opens the chat: everything that arrived is read. */
	markRead(channel: Channel, customer: string): number {
		const unread = this.#parts.messages
			.list({ channelId: channel.id, customer, limit: 1000 })
			.filter((message) => message.direction === 'out' && (message.status === 'SENT' || message.status === 'DELIVERED'));
		this.#parts.db.transaction(() => {
			for (const message of unread) this.setState(message, 'READ');
		});
		return unread.length;
	}

	close(): void {
		this.#closed = true;
		clearTimeout(this.#timer);
	}

	#refuseWhenFull(): void {
		if (this.#parts.worker.pending >= MAX_PENDING_DELIVERIES) {
			throw new ServiceError(503, 'The sandbox has too many deliveries waiting. Start their receivers or delete their webhooks');
		}
		if (this.#parts.messages.count >= MAX_MESSAGES) throw new ServiceError(503, `The sandbox keeps ${MAX_MESSAGES} messages. Reset it`);
	}

	#step(message: Message, state: MessageState, nextStepAt: number | null): Message {
		const { db, bus, messages, emitter } = this.#parts;
		return db.transaction(() => {
			const changed = messages.setState(message.id, state, nextStepAt);
			emitter.message(changed, 'status');
			db.afterCommit(() => bus.publish('status', () => changed));
			return changed;
		});
	}

	#wakeFor(time: number | undefined): void {
		if (this.#closed || time === undefined || time >= this.#wakeAt) return;
		const delay = this.#parts.clock.realDelayUntil(time);
		clearTimeout(this.#timer);
		if (delay === undefined) return;
		this.#wakeAt = time;
		this.#timer = setTimeout(() => this.#moveOn(), Math.min(delay, LONGEST_SLEEP));
		this.#timer.unref();
	}

	#moveOn(): void {
		const { db, clock, settings, messages } = this.#parts;
		const { upTo, stepMs } = settings.current.progression;
		db.transaction(() => {
			for (const message of messages.due(STEP_BATCH)) {
				const [next, afterwards] = pathTo(message.status, upTo) ?? [];
				if (next) this.#step(message, next, afterwards ? clock.now() + stepMs : null);
				else messages.setState(message.id, message.status, null);
			}
		});
		this.reload();
	}
}

/** The states from one to a later one; undefined when it cannot be reached. FAILED is reached from PENDING and SENT. */
function pathTo(from: MessageState, to: MessageState): MessageState[] | undefined {
	if (to === 'FAILED') return from === 'PENDING' || from === 'SENT' ? ['FAILED'] : undefined;
	const [start, end] = [MESSAGE_STATES.indexOf(from), MESSAGE_STATES.indexOf(to)];
	return from !== 'FAILED' && start < end ? MESSAGE_STATES.slice(start + 1, end + 1) : undefined;
}
