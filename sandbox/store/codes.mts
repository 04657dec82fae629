import { randomBytes } from 'node:crypto';

import type { ChannelKind } from '../channelTypes.mts';
import type { Clock } from '../core/clock.mts';
import type { Database } from '../core/database.mts';
import { rowReader, Table } from '../core/table.mts';

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

/**
 * Codes and tokens of the connection SDK's stand-in: single use, expiring on the sandbox's clock,
 * valid for one channel and account.
 */
export class Codes {
	readonly #clock: Clock;
	readonly #table;
	readonly #take;
	readonly #forgetOld;

	constructor(db: Database, clock: Clock) {
		this.#clock = clock;
		this.#table = new Table<Code & { code: string }>(db, 'codes');
		this.#take = db.statement(
			'DELETE FROM codes WHERE code = ? RETURNING *',
			rowReader<Code>({ json: ['fields'] }),
		);
		this.#forgetOld = db.statement(
			'DELETE FROM codes WHERE channel_id = ? AND code NOT IN (SELECT code FROM codes WHERE channel_id = ? ORDER BY rowid DESC LIMIT ?)',
		);
	}

	issue(channelId: string, kind: ChannelKind, grant: Grant): string {
		const code = `sandbox_${kind.grant}_${randomBytes(16).toString('hex')}`;
		const expiresAt = this.#clock.now() + LIFETIME;
		this.#table.add({ ...grant, code, channelId, expiresAt });
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
		const taken = this.#take.get(String(request[grant]));
		if (!taken) return undefined;
		const { phoneId, fields, ...code } = taken;
		const isValid =
			code.expiresAt > this.#clock.now() &&
			code.channelId === channelId &&
			Object.entries(fields).every(([name, value]) => request[name] === value);
		return isValid ? { phoneId, fields } : undefined;
	}
}
