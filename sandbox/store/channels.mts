import { hash } from 'node:crypto';

import { kindOf } from '../channelTypes.mts';
import { Refusal } from '../core/errors.mts';
import type { Clock } from '../core/clock.mts';
import { type Database, rowReader } from '../core/database.mts';
import { derivedId, type Ids } from '../core/ids.mts';
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

const fromRow = rowReader<Channel>({
	flags: ['connected', 'coexistence', 'hasWindow'],
	hidden: ['number'],
});

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
	readonly #select;
	readonly #ofTenant;
	readonly #all;
	readonly #insert;
	readonly #connect;
	readonly #disconnect;
	readonly #setWindow;
	readonly #setPayment;
	readonly #delete;

	constructor(db: Database, clock: Clock, ids: Ids) {
		this.#clock = clock;
		this.#ids = ids;
		this.#select = db.statement('SELECT * FROM channels WHERE id = ?');
		this.#ofTenant = db.statement('SELECT * FROM channels WHERE tenant_id = ? ORDER BY number');
		this.#all = db.statement('SELECT * FROM channels ORDER BY number');
		this.#insert = db.statement(
			'INSERT INTO channels (id, tenant_id, name, type, token, connected, coexistence, created_at, has_window) VALUES (?, ?, ?, ?, ?, 0, 0, ?, ?)',
		);
		this.#connect = db.statement(
			'UPDATE channels SET connected = 1, waba_id = ?, phone_id = ?, business_number = ?, coexistence = ? WHERE id = ?',
		);
		this.#disconnect = db.statement('UPDATE channels SET connected = 0 WHERE id = ?');
		this.#setWindow = db.statement('UPDATE channels SET has_window = ? WHERE id = ?');
		this.#setPayment = db.statement('UPDATE channels SET payment_status = ?, due = ? WHERE id = ?');
		this.#delete = db.statement('DELETE FROM channels WHERE id = ?');
	}

	/** Cached, because every send needs its channel. Every change clears its entry. */
	get(id: string): Channel | undefined {
		const known = this.#cache.get(id);
		if (known) return this.#now(known);
		const row = this.#select.get(id);
		if (!row) return undefined;
		const channel = fromRow(row);
		this.#cache.set(id, channel);
		return this.#now(channel);
	}

	/** The channel with the state that its subscription has by now. */
	#now(channel: Channel): Channel {
		const paymentStatus = paymentAt(this.#clock.now(), channel);
		return paymentStatus === channel.paymentStatus ? channel : { ...channel, paymentStatus };
	}

	ofTenant(tenantId: string): Channel[] {
		return this.#ofTenant.all(tenantId).map((row) => this.#now(fromRow(row)));
	}

	all(): Channel[] {
		return this.#all.all().map((row) => this.#now(fromRow(row)));
	}

	create(tenantId: string, name: string, type: string, id = this.#ids.next()): Channel {
		if (this.#ofTenant.all(tenantId).length >= MAX_CHANNELS)
			throw new Refusal(422, `A tenant of the sandbox has at most ${MAX_CHANNELS} channels`);
		if (this.get(id)) throw new Refusal(409, 'Another channel has this id');
		this.#insert.run(
			id,
			tenantId,
			name,
			type,
			derivedId(id, 'token'),
			this.#clock.now(),
			kindOf(type).hasWindow ? 1 : 0,
		);
		return this.get(id)!;
	}

	setConnected(
		id: string,
		{ wabaId, phoneId, coexistence }: ConnectedTo,
		businessNumber: string,
	): void {
		const business = kindOf(this.get(id)!.type).hasTemplates ? wabaId : null;
		this.#connect.run(business, phoneId, businessNumber, coexistence ? 1 : 0, id);
		this.#cache.delete(id);
	}

	setDisconnected(id: string): void {
		this.#disconnect.run(id);
		this.#cache.delete(id);
	}

	setWindow(id: string, hasWindow: boolean): void {
		this.#setWindow.run(hasWindow ? 1 : 0, id);
		this.#cache.delete(id);
	}

	/** @param due the end of the paid time. Left out: as before */
	setPayment(id: string, status: PaymentStatus, due = this.get(id)?.due ?? null): void {
		this.#setPayment.run(status, due, id);
		this.#cache.delete(id);
	}

	/** Also deletes its messages, files, codes and webhooks. */
	delete(id: string): void {
		this.#delete.run(id);
		this.#cache.delete(id);
	}

	forget(): void {
		this.#cache.clear();
	}
}
