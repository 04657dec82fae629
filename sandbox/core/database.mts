import { chmodSync, closeSync, existsSync, openSync } from 'node:fs';
import { DatabaseSync, type SQLInputValue, type SQLOutputValue } from 'node:sqlite';

import { StartError } from './errors.mts';
import { INDEXES, MIGRATIONS, SCHEMA, SCHEMA_VERSION } from './schema.mts';

export type Row = Record<string, SQLOutputValue>;

/** A prepared statement whose rows are of one type. */
export interface Statement<T extends Row> {
	get(...values: SQLInputValue[]): T | undefined;
	all(...values: SQLInputValue[]): T[];
	/** The number of rows changed. */
	run(...values: SQLInputValue[]): number;
	/** The number of the new row. */
	insert(...values: SQLInputValue[]): number;
}

const PRIVATE = 0o600;
const NUMBERED = /\?(\d+)/g;

/** Lets nobody else read a data file: customers' messages and keys are in it. What SQLite adds later is given the file's rights. */
function keepPrivate(file: string): void {
	for (const part of [file, `${file}-wal`, `${file}-journal`])
		if (existsSync(part)) chmodSync(part, PRIVATE);
}

/**
 * The sandbox's state, in one SQLite file that one process holds. What is committed survives the end of the process, however it ends;
 * `synchronous=NORMAL` gives up only what the machine itself had not written when its power failed.
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
			// Exclusive locking makes a second sandbox on the same file fail at once instead of delivering everything twice.
			this.#connection.exec(
				'PRAGMA locking_mode=EXCLUSIVE; PRAGMA journal_mode=WAL; PRAGMA synchronous=NORMAL; PRAGMA foreign_keys=ON',
			);
			const { user_version: version } = this.#connection.prepare('PRAGMA user_version').get() as {
				user_version: number;
			};
			if (version === 0)
				this.#connection.exec(`BEGIN; ${SCHEMA}; PRAGMA user_version=${SCHEMA_VERSION}; COMMIT`);
			else this.#migrate(file, version);
			this.#connection.exec(INDEXES);
			// Only now: until here, it could have been another program's.
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
					`The data file ${file} is in use by another sandbox. Stop it, or name another place with --data.`,
				);
			throw new StartError(`The data file ${file} cannot be used: ${reason}.`);
		}
	}

	/** Brings the tables up to date, all steps or none. */
	#migrate(file: string, version: number): void {
		if (version > SCHEMA_VERSION) {
			throw new StartError(
				`The data file ${file} is of another version of the sandbox. Name another place with --data, or delete this one.`,
			);
		}
		const steps = Array.from(
			{ length: SCHEMA_VERSION - version },
			(_, n) => MIGRATIONS[version + n],
		);
		if (steps.length > 0)
			this.#connection.exec(
				`BEGIN; ${steps.join(';')}; PRAGMA user_version=${SCHEMA_VERSION}; COMMIT`,
			);
	}

	/** A statement with parameters that are all `?`, or all numbered, `?1`. */
	statement<T extends Row>(sql: string): Statement<T> {
		// Node.js 22.13 binds no numbered parameters: each place gets its own value instead.
		const places = [...sql.matchAll(NUMBERED)].map(([, number]) => Number(number) - 1);
		const prepared = this.#connection.prepare(sql.replaceAll(NUMBERED, '?'));
		const placed = (values: SQLInputValue[]) =>
			places.length === 0 ? values : places.map((place) => values[place] ?? null);
		return {
			get: (...values) => prepared.get(...placed(values)) as T | undefined,
			all: (...values) => prepared.all(...placed(values)) as T[],
			run: (...values) => Number(prepared.run(...placed(values)).changes),
			insert: (...values) => Number(prepared.run(...placed(values)).lastInsertRowid),
		};
	}

	/** Runs statements that give no rows. */
	run(sql: string): void {
		this.#connection.exec(sql);
	}

	/** Runs `work` whole or not at all. A transaction inside another joins it. */
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
	 * Runs `work` whole or not at all, together with what else is asked for in this turn of the event loop: writing a commit down costs more
	 * than most work does. If anything in a group fails, each is done again by itself, so that only what failed is refused.
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

	/** Runs `task` just before the running transaction is committed, once however often it is asked for. Outside of one, at once. */
	beforeCommit(task: () => void): void {
		if (this.#inTransaction) this.#beforeCommit.add(task);
		else task();
	}

	/** Runs `task` once the running transaction has been committed, never if it is rolled back. Outside of one, at once. */
	afterCommit(task: () => void): void {
		if (this.#inTransaction) this.#afterCommit.push(task);
		else task();
	}

	close(): void {
		this.#connection.close();
	}
}
