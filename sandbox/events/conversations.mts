import { Refusal } from '../core/errors.mts';
import {
	CHANNEL_NOT_CONNECTED,
	MESSAGE_STATES,
	type MessageState,
	type SendRequest,
	WINDOW_CLOSED,
} from '../contract.mts';
import type { DeliveryWorker } from '../delivery/worker.mts';
import { MEDIA_KINDS, mediaRefusal } from '../media/file.mts';
import type { Channel } from '../store/channels.mts';
import type { Content } from '../store/content.mts';
import type { Message, NewMessage } from '../store/messages.mts';
import type { Stores } from '../stores.mts';
import type { Emitter } from './emitter.mts';
import { failureOf } from './failure.mts';
import { contentOf } from './outgoing.mts';

/**
 * Limits of waiting deliveries and stored messages. Beyond them, new ones are refused and old ones
 * are kept.
 */
const MAX_PENDING_DELIVERIES = 500_000;
const MAX_MESSAGES = 2_000_000;
/** Messages that change their state in one transaction. */
const STEP_BATCH = 200;
const LONGEST_SLEEP = 60_000;

/** A message that a person writes on a phone. */
export interface Said {
	channel: Channel;
	/** The customer: the sender, or the recipient of the business's message. */
	customer: string;
	name: string | undefined;
	content: Content;
	forwarded: boolean;
}

interface ConversationParts extends Stores {
	emitter: Emitter;
	worker: DeliveryWorker;
}

/** Both sides of the chats: messages, the conversation window, and the states of sent messages. */
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

	/**
	 * Accepts a message of the business. While the window is closed, a free-form one is refused, or
	 * accepted and FAILED later.
	 */
	async send(channel: Channel, { recipient, content }: SendRequest): Promise<Message> {
		const { messages, faults, settings } = this.#parts;
		const customer = recipient.identifier;
		this.#refuseUnlessReady(channel);
		const isFree = content.type !== 'TEMPLATE' && channel.hasWindow;
		const windowClosed = isFree && !messages.conversation(channel.id, customer)?.windowOpen;
		if (windowClosed && settings.current.closedWindow === 'REFUSED')
			throw new Refusal(WINDOW_CLOSED.status, WINDOW_CLOSED.message);
		if (MEDIA_KINDS.some((kind) => kind === content.type)) {
			const fault = faults.takeForMedia(channel.tenantId);
			if (fault)
				throw mediaRefusal(fault.subCode, fault.message ?? 'Fault injected by the sandbox');
		}
		return await this.#say(undefined, () => ({
			...{ channelId: channel.id, customer, direction: 'out', fromApi: true, forwarded: false },
			windowClosed,
			content: contentOf(this.#parts, channel, content),
		}));
	}

	/** Accepts a message of a customer and opens the window. */
	async receive({ channel, customer, name, ...said }: Said): Promise<Message> {
		this.#refuseUnlessReady(channel);
		return await this.#say(name, () => ({
			...{ channelId: channel.id, customer, direction: 'in', fromApi: false },
			...said,
		}));
	}

	/**
	 * Accepts a message that a colleague writes on the business's phone. The window does not apply to
	 * phones.
	 */
	async sendFromPhone({ channel, customer, name, ...said }: Said): Promise<Message> {
		this.#refuseUnlessReady(channel);
		return await this.#say(name, () => ({
			...{ channelId: channel.id, customer, direction: 'out', fromApi: false },
			...said,
		}));
	}

	/** Stores a message with its events. `make` runs inside the transaction. */
	async #say(name: string | undefined, make: () => NewMessage): Promise<Message> {
		const { db, clock, bus, settings, messages, emitter } = this.#parts;
		const { upTo, stepMs } = settings.current.progression;
		const message = await db.grouped(() => {
			const said = make();
			const { channelId, customer } = said;
			const isSent = said.direction === 'out';
			const moves = isSent && (upTo !== 'PENDING' || failureOf(said) !== undefined);
			const known = messages.conversation(channelId, customer);
			if (!isSent) messages.noteInbound(channelId, customer, name ?? known?.name ?? customer);
			else if (!known) messages.noteOutbound(channelId, customer, name ?? customer);
			const added = messages.add(said, moves ? clock.now() + stepMs : null);
			emitter.message(added, isSent ? 'sent' : 'received');
			return added;
		});
		if (message.direction === 'out' && (upTo !== 'PENDING' || failureOf(message)))
			this.#wakeFor(message.createdAt + stepMs);
		bus.emit('notice', 'message', message);
		return message;
	}

	/** Moves a sent message to a later state, through the states before it. */
	setState(message: Message, state: MessageState): Message {
		if (message.direction === 'in')
			throw new Refusal(422, 'Only messages of the business have a status that changes');
		const path = pathTo(message.status, state);
		if (!path) throw new Refusal(422, `A message that is ${message.status} cannot become ${state}`);
		return path.reduce((current, next) => this.#step(current, next, null), message);
	}

	/** The customer opens the chat, which reads everything that arrived. */
	markRead(channel: Channel, customer: string): number {
		const unread = this.#parts.messages
			.list({ channelId: channel.id, customer, limit: 1000 })
			.filter(
				(message) =>
					message.direction === 'out' &&
					(message.status === 'SENT' || message.status === 'DELIVERED'),
			);
		this.#parts.db.transaction(() => {
			for (const message of unread) this.setState(message, 'READ');
		});
		return unread.length;
	}

	close(): void {
		this.#closed = true;
		clearTimeout(this.#timer);
	}

	#refuseUnlessReady(channel: Channel): void {
		this.#refuseWhenFull();
		if (!channel.connected)
			throw new Refusal(CHANNEL_NOT_CONNECTED.status, CHANNEL_NOT_CONNECTED.message);
	}

	#refuseWhenFull(): void {
		if (this.#parts.worker.pending >= MAX_PENDING_DELIVERIES) {
			throw new Refusal(
				503,
				'Too many deliveries are waiting. Start their receivers or delete their webhooks',
			);
		}
		if (this.#parts.messages.count >= MAX_MESSAGES)
			throw new Refusal(503, `The sandbox keeps ${MAX_MESSAGES} messages. Reset it`);
	}

	#step(message: Message, state: MessageState, nextStepAt: number | null): Message {
		const { db, bus, messages, emitter } = this.#parts;
		return db.transaction(() => {
			const changed = messages.setState(message.id, state, nextStepAt);
			emitter.message(changed, 'status');
			db.afterCommit(() => bus.emit('notice', 'status', changed));
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
				const end = failureOf(message) ? 'FAILED' : upTo;
				const [next, afterwards] = pathTo(message.status, end) ?? [];
				if (next) this.#step(message, next, afterwards ? clock.now() + stepMs : null);
				else messages.setState(message.id, message.status, null);
			}
		});
		this.reload();
	}
}

/**
 * The states from one to a later one; undefined if it cannot be reached. FAILED follows PENDING and
 * SENT. A delivery that is reported after it is only told.
 */
function pathTo(from: MessageState, to: MessageState): MessageState[] | undefined {
	if (to === 'FAILED') return from === 'PENDING' || from === 'SENT' ? ['FAILED'] : undefined;
	if (from === 'FAILED') return to === 'DELIVERED' || to === 'READ' ? [to] : undefined;
	const [start, end] = [MESSAGE_STATES.indexOf(from), MESSAGE_STATES.indexOf(to)];
	return start < end ? MESSAGE_STATES.slice(start + 1, end + 1) : undefined;
}
