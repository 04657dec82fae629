import { chmodSync, closeSync, existsSync, openSync } from 'node:fs';
import { DatabaseSync, type SQLInputValue, type SQLOutputValue } from 'node:sqlite';

import { StartError } from './errors.mts';
import { INDEXES, SCHEMA, SCHEMA_VERSION } from './schema.mts';

export type Row = Record<string, SQLOutputValue>;

/** A prepared statement whose rows are of one type. */
export interface Statement<T> {
	get(...values: SQLInputValue[]): T | undefined;
	all(...values: SQLInputValue[]): T[];
	/** The number of rows changed. */
	run(...values: SQLInputValue[]): number;
	/** The number of the new row. */
	insert(...values: SQLInputValue[]): number;
}

const PRIVATE = 0o600;
const NUMBERED = /\?(\d+)/g;

/**
 * Lets nobody else read a data file, because it contains messages and keys. Files that SQLite adds
 * later inherit the rights.
 */
function keepPrivate(file: string): void {
	for (const part of [file, `${file}-wal`, `${file}-journal`])
		if (existsSync(part)) chmodSync(part, PRIVATE);
}

/**
 * The sandbox's state, in one SQLite file that one process holds. Committed data survives the end
 * of the process. With `synchronous=NORMAL`, a power failure can lose what the machine had not
 * written.
 */
export class Database {
	readonly #connection: DatabaseSync;
	readonly #begin;
	readonly #commit;
	readonly #rollback;
	#inTransaction = false;
	readonly #beforeCommit = new Set<() => void>();
	#afterCommit: Array<() => void> = [];
	#group: Array<{ run: () => unknown; settle: () => void; reject: (error: unknown) => void }> = [];

	constructor(file: string) {
		try {
			const isFile = file !== ':memory:';
			if (isFile) closeSync(openSync(file, 'a', PRIVATE));
			this.#connection = new DatabaseSync(file);
			// Exclusive locking makes a second sandbox on the same file fail at once instead of
			// delivering twice.
			this.#connection.exec(
				'PRAGMA locking_mode=EXCLUSIVE; PRAGMA journal_mode=WAL; PRAGMA synchronous=NORMAL; PRAGMA foreign_keys=ON',
			);
			const { user_version: version } = this.#connection.prepare('PRAGMA user_version').get() as {
				user_version: number;
			};
			if (version === 0)
				this.#connection.exec(`BEGIN; ${SCHEMA}; PRAGMA user_version=${SCHEMA_VERSION}; COMMIT`);
			else if (version !== SCHEMA_VERSION)
				throw new StartError(
					`The data file ${file} is of another version of the sandbox. Choose another folder with --data, or delete this one.`,
				);
			this.#connection.exec(INDEXES);
			// Only now: before this, the file could have been another program's.
			if (isFile) keepPrivate(file);
			this.#begin = this.#connection.prepare('BEGIN IMMEDIATE');
			this.#commit = this.#connection.prepare('COMMIT');
			this.#rollback = this.#connection.prepare('ROLLBACK');
			this.transaction(() => undefined);
		} catch (error) {
			if (error instanceof StartError) throw error;
			const reason = error instanceof Error ? error.message : String(error);
			if (/locked/.test(reason))
				throw new StartError(
					`The data file ${file} is in use by another sandbox. Stop it, or choose another folder with --data.`,
				);
			throw new StartError(`The data file ${file} cannot be used: ${reason}.`);
		}
	}

	/**
	 * A statement whose parameters are all `?`, or all numbered (`?1`).
	 *
	 * @param read makes a row into what it holds. Left out: the row itself
	 */
	statement<T = Row>(sql: string, read = (row: Row) => row as T): Statement<T> {
		// Node.js 22.13 binds no numbered parameters, so each place gets its own value.
		const places = [...sql.matchAll(NUMBERED)].map(([, number]) => Number(number) - 1);
		const prepared = this.#connection.prepare(sql.replaceAll(NUMBERED, '?'));
		const placed = (values: SQLInputValue[]) =>
			places.length === 0 ? values : places.map((place) => values[place] ?? null);
		return {
			get: (...values) => {
				const row = prepared.get(...placed(values));
				return row && read(row);
			},
			all: (...values) => prepared.all(...placed(values)).map(read),
			run: (...values) => Number(prepared.run(...placed(values)).changes),
			insert: (...values) => Number(prepared.run(...placed(values)).lastInsertRowid),
		};
	}

	/** Runs statements that return no rows. */
	run(sql: string): void {
		this.#connection.exec(sql);
	}

	/** Runs `work` in a transaction. A nested transaction joins the outer one. */
	transaction<T>(work: () => T): T {
		if (this.#inTransaction) return work();
		this.#begin.run();
		this.#inTransaction = true;
		let result: T;
		try {
			result = work();
			for (const task of this.#beforeCommit) task();
			this.#commit.run();
		} catch (error) {
			this.#afterCommit = [];
			this.#rollback.run();
			throw error;
		} finally {
			this.#inTransaction = false;
			this.#beforeCommit.clear();
		}
		const tasks = this.#afterCommit;
		this.#afterCommit = [];
		for (const task of tasks) task();
		return result;
	}

	/**
	 * Runs `work` in a transaction together with other work of this turn of the event loop, because a
	 * commit costs more than most work. If anything in a group fails, each part runs again by itself,
	 * so that only the failing part is refused.
	 */
	grouped<T>(work: () => T): Promise<T> {
		return new Promise<T>((resolve, reject) => {
			let outcome: { result: T } | undefined;
			const entry = {
				run: () => (outcome = { result: work() }),
				settle: () => outcome && resolve(outcome.result),
				reject,
			};
			if (this.#group.push(entry) === 1) setImmediate(() => this.#runGroup());
		});
	}

	#runGroup(): void {
		const group = this.#group;
		this.#group = [];
		try {
			this.transaction(() => group.forEach(({ run }) => run()));
			for (const { settle } of group) settle();
		} catch {
			for (const { run, settle, reject } of group) {
				try {
					this.transaction(run);
					settle();
				} catch (error) {
					reject(error);
				}
			}
		}
	}

	/**
	 * Runs `task` once just before the running transaction is committed. Outside of a transaction, at
	 * once.
	 */
	beforeCommit(task: () => void): void {
		if (this.#inTransaction) this.#beforeCommit.add(task);
		else task();
	}

	/**
	 * Runs `task` once after the running transaction was committed, never after a rollback. Outside
	 * of a transaction, at once.
	 */
	afterCommit(task: () => void): void {
		if (this.#inTransaction) this.#afterCommit.push(task);
		else task();
	}

	close(): void {
		this.#connection.close();
	}
}
