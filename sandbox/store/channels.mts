import { hash } from 'node:crypto';

import { kindOf } from '../channelTypes.mts';
import { Refusal } from '../core/errors.mts';
import type { Clock } from '../core/clock.mts';
import type { Database } from '../core/database.mts';
import { derivedId, type Ids } from '../core/ids.mts';
import { Table } from '../core/table.mts';
import { type PaymentStatus, paymentAt } from './payment.mts';

const MAX_CHANNELS = 1000;

export interface Channel {
	id: string;
	tenantId: string;
	name: string;
	type: string;
	/** A secret that the channel list shows, as the real service can. */
	token: string;
	connected: boolean;
	wabaId: string | null;
	phoneId: string | null;
	/** The number, name or ID that it is connected to. */
	businessNumber: string | null;
	coexistence: boolean;
	createdAt: number;
	/** False: free-form messages are accepted at any time. */
	hasWindow: boolean;
	paymentStatus: PaymentStatus;
	/** The end of the paid time; null without a subscription. */
	due: number | null;
}

/** What a channel is connected to. Only a kind with templates keeps the business account. */
export interface ConnectedTo {
	wabaId: string | null;
	phoneId: string;
	coexistence: boolean;
}

/** A number, an inbox or a bot that a channel can be connected to. */
export interface Phone {
	phoneId: string;
	/** How customers know it: a phone number, or a name such as `@shop_1234`. */
	number: string;
}

/**
 * The two numbers that a channel can have, or names if its kind has no numbers. Derived from its
 * id: the same after every restart.
 */
export function phonesOf(channelId: string, type = ''): Phone[] {
	const digits = (part: string, length: number) =>
		(BigInt(`0x${hash('sha256', `${channelId}:${part}`)}`) % 10n ** BigInt(length))
			.toString()
			.padStart(length, '0');
	return [1, 2].map((n) => ({
		phoneId: `1${digits(`phone${n}`, 14)}`,
		number: kindOf(type).hasNumbers
			? `5500${digits(`number${n}`, 9)}`
			: `@shop_${digits(`name${n}`, 4)}`,
	}));
}

export class Channels {
	readonly #clock: Clock;
	readonly #ids: Ids;
	readonly #cache = new Map<string, Channel>();
	readonly #table;
	readonly #select;
	readonly #ofTenant;
	readonly #all;

	constructor(db: Database, clock: Clock, ids: Ids) {
		this.#clock = clock;
		this.#ids = ids;
		this.#table = new Table<Channel>(db, 'channels', {
			flags: ['connected', 'coexistence', 'hasWindow'],
			hidden: ['number'],
		});
		this.#select = this.#table.select('WHERE id = ?');
		this.#ofTenant = this.#table.select('WHERE tenant_id = ? ORDER BY number');
		this.#all = this.#table.select('ORDER BY number');
	}

	/** Cached, because every send needs its channel. Every change clears its entry. */
	get(id: string): Channel | undefined {
		const channel = this.#cache.get(id) ?? this.#select.get(id);
		if (!channel) return undefined;
		this.#cache.set(id, channel);
		return this.#now(channel);
	}

	/** The channel with the state that its subscription has by now. */
	#now(channel: Channel): Channel {
		const paymentStatus = paymentAt(this.#clock.now(), channel);
		return paymentStatus === channel.paymentStatus ? channel : { ...channel, paymentStatus };
	}

	ofTenant(tenantId: string): Channel[] {
		return this.#ofTenant.all(tenantId).map((channel) => this.#now(channel));
	}

	all(): Channel[] {
		return this.#all.all().map((channel) => this.#now(channel));
	}

	create(tenantId: string, name: string, type: string, id = this.#ids.next()): Channel {
		if (this.#ofTenant.all(tenantId).length >= MAX_CHANNELS)
			throw new Refusal(422, `A tenant of the sandbox has at most ${MAX_CHANNELS} channels`);
		if (this.get(id)) throw new Refusal(409, 'Another channel has this id');
		this.#table.add({
			...{ id, tenantId, name, type, token: derivedId(id, 'token'), connected: false },
			...{ coexistence: false, createdAt: this.#clock.now(), hasWindow: kindOf(type).hasWindow },
		});
		return this.get(id)!;
	}

	setConnected(id: string, to: ConnectedTo, businessNumber: string): void {
		const { hasTemplates } = kindOf(this.get(id)!.type);
		// One by one: what is given can have more fields, such as the number of a phone.
		const { phoneId, coexistence } = to;
		const wabaId = hasTemplates ? to.wabaId : null;
		this.#change(id, { connected: true, phoneId, coexistence, wabaId, businessNumber });
	}

	setDisconnected(id: string): void {
		this.#change(id, { connected: false });
	}

	setWindow(id: string, hasWindow: boolean): void {
		this.#change(id, { hasWindow });
	}

	/** @param due the end of the paid time. Left out: as before */
	setPayment(id: string, paymentStatus: PaymentStatus, due = this.get(id)?.due ?? null): void {
		this.#change(id, { paymentStatus, due });
	}

	#change(id: string, fields: Partial<Channel>): void {
		this.#table.change(id, fields);
		this.#cache.delete(id);
	}

	/** Also deletes its messages, files, codes and webhooks. */
	delete(id: string): void {
		this.#table.delete(id);
		this.#cache.delete(id);
	}

	forget(): void {
		this.#cache.clear();
	}
}
