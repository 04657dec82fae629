import { hash } from 'node:crypto';

import { Refusal } from '../core/errors.mts';
import type { Clock } from '../core/clock.mts';
import type { Database, Row } from '../core/database.mts';
import { derivedId, type Ids } from '../core/ids.mts';
import type { ConnectRequest } from '../contract.mts';

const MAX_CHANNELS = 1000;

export interface Channel {
	id: string;
	tenantId: string;
	name: string;
	type: string;
	/** A secret that the channel list shows, as the real one can. */
	token: string;
	connected: boolean;
	wabaId: string | null;
	phoneId: string | null;
	businessNumber: string | null;
	coexistence: boolean;
	createdAt: number;
	/** False: free-form messages are taken at any time. */
	hasWindow: boolean;
}

/** A number that the connection page offers. */
export interface BusinessPhone {
	wabaId: string;
	phoneId: string;
	number: string;
}

interface ChannelRow extends Row {
	id: string;
	tenant_id: string;
	name: string;
	type: string;
	token: string;
	connected: number;
	waba_id: string | null;
	phone_id: string | null;
	business_number: string | null;
	coexistence: number;
	created_at: number;
	has_window: number;
}

const fromRow = (row: ChannelRow): Channel => ({
	id: row.id,
	tenantId: row.tenant_id,
	name: row.name,
	type: row.type,
	token: row.token,
	connected: row.connected === 1,
	wabaId: row.waba_id,
	phoneId: row.phone_id,
	businessNumber: row.business_number,
	coexistence: row.coexistence === 1,
	createdAt: row.created_at,
	hasWindow: row.has_window === 1,
});

/** The business account and the two numbers of a channel, made of its id: the same after every restart. */
export function phonesOf(channelId: string): BusinessPhone[] {
	const digits = (part: string, length: number) =>
		(BigInt(`0x${hash('sha256', `${channelId}:${part}`)}`) % 10n ** BigInt(length))
			.toString()
			.padStart(length, '0');
	const wabaId = `8${digits('waba', 14)}`;
	return [1, 2].map((n) => ({
		wabaId,
		phoneId: `1${digits(`phone${n}`, 14)}`,
		number: `5500${digits(`number${n}`, 9)}`,
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
	readonly #delete;

	constructor(db: Database, clock: Clock, ids: Ids) {
		this.#clock = clock;
		this.#ids = ids;
		this.#select = db.statement<ChannelRow>('SELECT * FROM channels WHERE id = ?');
		this.#ofTenant = db.statement<ChannelRow>(
			'SELECT * FROM channels WHERE tenant_id = ? ORDER BY number',
		);
		this.#all = db.statement<ChannelRow>('SELECT * FROM channels ORDER BY number');
		this.#insert = db.statement(
			'INSERT INTO channels (id, tenant_id, name, type, token, connected, coexistence, created_at) VALUES (?, ?, ?, ?, ?, 0, 0, ?)',
		);
		this.#connect = db.statement(
			'UPDATE channels SET connected = 1, waba_id = ?, phone_id = ?, business_number = ?, coexistence = ? WHERE id = ?',
		);
		this.#disconnect = db.statement('UPDATE channels SET connected = 0 WHERE id = ?');
		this.#setWindow = db.statement('UPDATE channels SET has_window = ? WHERE id = ?');
		this.#delete = db.statement('DELETE FROM channels WHERE id = ?');
	}

	/** Every send asks for its channel, so those asked for are kept; whatever changes one forgets it. */
	get(id: string): Channel | undefined {
		const known = this.#cache.get(id);
		if (known) return known;
		const row = this.#select.get(id);
		if (!row) return undefined;
		const channel = fromRow(row);
		this.#cache.set(id, channel);
		return channel;
	}

	ofTenant(tenantId: string): Channel[] {
		return this.#ofTenant.all(tenantId).map(fromRow);
	}

	all(): Channel[] {
		return this.#all.all().map(fromRow);
	}

	create(tenantId: string, name: string, type: string, id = this.#ids.next()): Channel {
		if (this.#ofTenant.all(tenantId).length >= MAX_CHANNELS)
			throw new Refusal(422, `A tenant of the sandbox has at most ${MAX_CHANNELS} channels`);
		if (this.get(id)) throw new Refusal(409, 'Another channel has this id');
		this.#insert.run(id, tenantId, name, type, derivedId(id, 'token'), this.#clock.now());
		return this.get(id)!;
	}

	setConnected(
		id: string,
		{ wabaId, phoneId, coexistence }: Omit<ConnectRequest, 'code'>,
		businessNumber: string,
	): void {
		this.#connect.run(wabaId, phoneId, businessNumber, coexistence ? 1 : 0, id);
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

	/** Its messages, files, codes and webhooks go with it. */
	delete(id: string): void {
		this.#delete.run(id);
		this.#cache.delete(id);
	}

	forget(): void {
		this.#cache.clear();
	}
}
