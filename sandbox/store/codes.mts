import { randomBytes } from 'node:crypto';

import type { Clock } from '../core/clock.mts';
import type { Database, Row } from '../core/database.mts';
import type { ConnectRequest } from '../contract.mts';

/** How many codes a channel can have open; asking for more forgets the oldest. */
const MAX_OPEN_CODES = 100;

interface CodeRow extends Row {
	channel_id: string;
	waba_id: string;
	phone_id: string;
	coexistence: number;
	expires_at: number;
}

/** Codes that the stand-in of the connection SDK gives out: single use, expiring on the sandbox's clock, good for one channel and number. */
export class Codes {
	readonly #clock: Clock;
	readonly #insert;
	readonly #take;
	readonly #forgetOld;

	constructor(db: Database, clock: Clock) {
		this.#clock = clock;
		this.#insert = db.statement(
			'INSERT INTO codes (code, channel_id, waba_id, phone_id, coexistence, expires_at) VALUES (?, ?, ?, ?, ?, ?)',
		);
		this.#take = db.statement<CodeRow>('DELETE FROM codes WHERE code = ? RETURNING *');
		this.#forgetOld = db.statement(
			'DELETE FROM codes WHERE channel_id = ? AND code NOT IN (SELECT code FROM codes WHERE channel_id = ? ORDER BY rowid DESC LIMIT ?)',
		);
	}

	issue(channelId: string, grant: Omit<ConnectRequest, 'code'>, lifetimeSeconds: number): string {
		const code = `sandbox_code_${randomBytes(16).toString('hex')}`;
		const expiresAt = this.#clock.now() + lifetimeSeconds * 1000;
		this.#insert.run(
			code,
			channelId,
			grant.wabaId,
			grant.phoneId,
			grant.coexistence ? 1 : 0,
			expiresAt,
		);
		this.#forgetOld.run(channelId, channelId, MAX_OPEN_CODES);
		return code;
	}

	/** Whether the code is good for this connect. Used up by asking, whatever the result. */
	redeem(channelId: string, request: ConnectRequest): boolean {
		const row = this.#take.get(request.code);
		if (!row) return false;
		const granted = {
			channelId: row.channel_id,
			wabaId: row.waba_id,
			phoneId: row.phone_id,
			coexistence: row.coexistence === 1,
		};
		return (
			row.expires_at > this.#clock.now() &&
			granted.channelId === channelId &&
			granted.wabaId === request.wabaId &&
			granted.phoneId === request.phoneId &&
			granted.coexistence === request.coexistence
		);
	}
}
