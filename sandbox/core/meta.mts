import type { Database } from './database.mts';

/** Single values that must survive a restart. */
export class Meta {
	readonly #select;
	readonly #upsert;

	constructor(db: Database) {
		this.#select = db.statement<{ value: string }>('SELECT value FROM meta WHERE key = ?');
		this.#upsert = db.statement(
			'INSERT INTO meta (key, value) VALUES (?, ?) ON CONFLICT (key) DO UPDATE SET value = excluded.value',
		);
	}

	get(key: string): string | undefined {
		return this.#select.get(key)?.value;
	}

	set(key: string, value: string): void {
		this.#upsert.run(key, value);
	}
}
