import { randomBytes } from 'node:crypto';

import type { ChannelKind } from '../channelTypes.mts';
import type { Clock } from '../core/clock.mts';
import { type Database, rowReader } from '../core/database.mts';

/** Highest number of open codes of a channel. A further one replaces the oldest. */
const MAX_OPEN_CODES = 100;
/** Milliseconds for which one is valid: ten minutes. */
const LIFETIME = 600_000;

/** What a person chose in the connection dialog. */
export interface Grant {
	/** The account that they chose. */
	phoneId: string;
	/** What the SDK returns beside the code: the values that Connect must have. */
	fields: Record<string, unknown>;
}

interface Code extends Grant {
	channelId: string;
	expiresAt: number;
}

const fromRow = rowReader<Code>({ json: ['fields'] });

/**
 * Codes and tokens of the connection SDK's stand-in: single use, expiring on the sandbox's clock,
 * valid for one channel and account.
 */
export class Codes {
	readonly #clock: Clock;
	readonly #insert;
	readonly #take;
	readonly #forgetOld;

	constructor(db: Database, clock: Clock) {
		this.#clock = clock;
		this.#insert = db.statement(
			'INSERT INTO codes (code, channel_id, phone_id, fields, expires_at) VALUES (?, ?, ?, ?, ?)',
		);
		this.#take = db.statement('DELETE FROM codes WHERE code = ? RETURNING *');
		this.#forgetOld = db.statement(
			'DELETE FROM codes WHERE channel_id = ? AND code NOT IN (SELECT code FROM codes WHERE channel_id = ? ORDER BY rowid DESC LIMIT ?)',
		);
	}

	issue(channelId: string, kind: ChannelKind, grant: Grant): string {
		const code = `sandbox_${kind.grant}_${randomBytes(16).toString('hex')}`;
		const expiresAt = this.#clock.now() + LIFETIME;
		this.#insert.run(code, channelId, grant.phoneId, JSON.stringify(grant.fields), expiresAt);
		this.#forgetOld.run(channelId, channelId, MAX_OPEN_CODES);
		return code;
	}

	/**
	 * The account of a valid code. Asking uses the code up, whatever the result.
	 * @param request what Connect was given
	 */
	redeem(
		channelId: string,
		{ grant }: ChannelKind,
		request: Record<string, unknown>,
	): Grant | undefined {
		const row = this.#take.get(String(request[grant]));
		if (!row) return undefined;
		const { phoneId, fields, ...code } = fromRow(row);
		const isValid =
			code.expiresAt > this.#clock.now() &&
			code.channelId === channelId &&
			Object.entries(fields).every(([name, value]) => request[name] === value);
		return isValid ? { phoneId, fields } : undefined;
	}
}
