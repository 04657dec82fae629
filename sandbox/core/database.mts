import { DatabaseSync, type SQLInputValue, type SQLOutputValue } from 'node:sqlite';

import { StartError } from './errors.mts';
import { SCHEMA, SCHEMA_VERSION } from './schema.mts';

export type Row = Record<string, SQLOutputValue>;

/** A prepared statement whose rows are of one type. */
export interface Statement<T extends Row> {
	get(...values: SQLInputValue[]): T | undefined;
	all(...values: SQLInputValue[]): T[];
	/** The number of rows changed. */
	run(...values: SQLInputValue[]): number;
}

/**
 * The sandbox's state, in one SQLite file that one process holds. What is committed survives the end of the process, however it ends;
 * `synchronous=NORMAL` gives up only what the machine itself had not written when its power failed.
 */
export class Database {
	readonly #connection: DatabaseSync;
	#depth = 0;
	#afterCommit: Array<() => void> = [];

	constructor(file: string) {
		try {
			this.#connection = new DatabaseSync(file);
			// Exclusive locking makes a second sandbox on the same file fail at once instead of delivering everything twice.
			this.#connection.exec('PRAGMA locking_mode=EXCLUSIVE; PRAGMA journal_mode=WAL; PRAGMA synchronous=NORMAL; PRAGMA foreign_keys=ON');
			const { user_version: version } = this.#connection.prepare('PRAGMA user_version').get() as { user_version: number };
			if (version === 0) this.#connection.exec(`BEGIN; ${SCHEMA}; PRAGMA user_version=${SCHEMA_VERSION}; COMMIT`);
			else if (version !== SCHEMA_VERSION) {
				throw new StartError(`The data file ${file} is of another version of the sandbox. Name another file or delete this one.`);
			}
			this.#connection.exec('BEGIN IMMEDIATE; COMMIT');
		} catch (error) {
			if (error instanceof StartError) throw error;
			const reason = error instanceof Error ? error.message : String(error);
			if (/locked/.test(reason)) throw new StartError(`The data file ${file} is in use by another sandbox. Stop it or name another file.`);
			throw new StartError(`The data file ${file} cannot be used: ${reason}.`);
		}
	}

	statement<T extends Row>(sql: string): Statement<T> {
		const prepared = this.#connection.prepare(sql);
		return {
			get: (...values) => prepared.get(...values) as T | undefined,
			all: (...values) => prepared.all(...values) as T[],
			run: (...values) => Number(prepared.run(...values).changes),
		};
	}

	/** Runs statements that give no rows. */
	run(sql: string): void {
		this.#connection.exec(sql);
	}

	/** Runs `work` whole or not at all. A transaction inside another joins it. */
	transaction<T>(work: () => T): T {
		if (this.#depth > 0) return work();
		this.#connection.exec('BEGIN IMMEDIATE');
		this.#depth = 1;
		let result: T;
		try {
			result = work();
			this.#connection.exec('COMMIT');
		} catch (error) {
			this.#depth = 0;
			this.#afterCommit = [];
			this.#connection.exec('ROLLBACK');
			throw error;
		}
		this.#depth = 0;
		const tasks = this.#afterCommit;
		this.#afterCommit = [];
		for (const task of tasks) task();
		return result;
	}

	/** Runs `task` once the running transaction has been committed, never if it is rolled back. Outside of one, at once. */
	afterCommit(task: () => void): void {
		if (this.#depth === 0) task();
		else this.#afterCommit.push(task);
	}

	close(): void {
		this.#connection.close();
	}
}
