import type { ServiceClient } from '../service/client';
import { asError } from '../service/errors';
import { webhookApi } from '../service/webhooks';
import { BoundedMap } from '../shared/boundedMap';
import type { Clock } from '../shared/clock';
import type { Place } from './claims';
import { placeKeyOf } from './claims';
import type { Marker, WaitingQuestion } from './mark';
import { markerOf, readWaiting } from './mark';

/** Milliseconds for which a list, or the failure to get it, is kept. */
const LIST_KEPT = 2000;
/** Milliseconds for a reading. *Max Wait* of groups includes them. */
const LIST_TIMEOUT = 5000;
/** Channels remembered by a process. */
const CHANNELS_MAX = 500;

/** The questions that wait on a channel, of any n8n, and how to recognise their marks. */
export interface WaitingList {
	questions: readonly WaitingQuestion[];
	marker: Marker;
}

/** Reads the list. @param timeout milliseconds */
export type ReadList = (timeout: number) => Promise<WaitingList>;

/** @param onError called once for each list that could not be read */
export const readList =
	(
		client: ServiceClient,
		channelId: string,
		secretKey: string,
		onError: (error: Error) => void,
	): ReadList =>
	async (timeout) => {
		try {
			const webhooks = await webhookApi(client, { kind: 'channel', channelId }).list(timeout);
			const questions = webhooks.map(readWaiting).filter((question) => question !== undefined);
			return { questions, marker: markerOf(secretKey) };
		} catch (error) {
			onError(asError(error));
			throw asError(error);
		}
	};

interface Reading {
	/** Counts the readings and the questions of a channel. A reading knows what came before it. */
	begun: number;
	/** When it ended. Undefined while it is under way. */
	endedAt?: number;
	/** Undefined if the list cannot be read. Never rejects. */
	list: Promise<WaitingList | undefined>;
}

interface Channel {
	count: number;
	/** What was read before is too old. */
	notBefore: number;
	/** The one that began last. */
	last?: Reading;
	/** Begins when the last one has ended. */
	next?: Promise<Reading>;
}

/** What waits, by the service's lists, which all processes share. One reading at a time. */
export class WaitingLists {
	private readonly channels = new BoundedMap<Channel>(CHANNELS_MAX);

	/** @param clock a steady one */
	constructor(private readonly clock: Clock) {}

	/** This process registered a question or updated its webhook. What was read before is too old. */
	noteAsked(place: Place): void {
		const channel = this.channelOf(place);
		channel.notBefore = ++channel.count;
	}

	/** A list of at most two seconds ago. Undefined if it cannot be read. */
	async recent(place: Place, read: ReadList, until: number): Promise<WaitingList | undefined> {
		const channel = this.channelOf(place);
		const { last, notBefore } = channel;
		const isOld = last?.endedAt !== undefined && this.clock.now() >= last.endedAt + LIST_KEPT;
		return await this.after(channel, isOld ? last.begun : notBefore, read, until);
	}

	/** A list that was requested after this call. Undefined if it cannot be read. */
	async fresh(place: Place, read: ReadList, until: number): Promise<WaitingList | undefined> {
		const channel = this.channelOf(place);
		return await this.after(channel, ++channel.count, read, until);
	}

	/** Waits until `until` at most. The reading goes on, because others may wait longer for it. */
	private async after(
		channel: Channel,
		moment: number,
		read: ReadList,
		until: number,
	): Promise<WaitingList | undefined> {
		const list = this.readAfter(channel, moment, read);
		const left = until - this.clock.now();
		// The last reading and the next one have ended by then.
		if (left >= 2 * LIST_TIMEOUT) return await list;
		const over = this.clock.sleep(Math.max(0, left)).then(() => undefined);
		return await Promise.race([list, over]);
	}

	private async readAfter(
		channel: Channel,
		moment: number,
		read: ReadList,
	): Promise<WaitingList | undefined> {
		const { last } = channel;
		if (last && last.begun > moment) return await last.list;
		if (!last || last.endedAt !== undefined) return await this.begin(channel, read).list;
		channel.next ??= last.list.then(() => this.begin(channel, read));
		return await (
			await channel.next
		).list;
	}

	private begin(channel: Channel, read: ReadList): Reading {
		delete channel.next;
		const list = read(LIST_TIMEOUT).catch(() => undefined);
		const reading: Reading = { begun: ++channel.count, list };
		channel.last = reading;
		void list.then(() => (reading.endedAt = this.clock.now()));
		return reading;
	}

	private channelOf(place: Place): Channel {
		const key = placeKeyOf(place);
		const channel = this.channels.get(key) ?? { count: 0, notBefore: 0 };
		this.channels.set(key, channel);
		return channel;
	}
}
