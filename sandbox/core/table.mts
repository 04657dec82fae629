import type { SQLInputValue } from 'node:sqlite';

import type { Database, Row, Statement } from './database.mts';

/** The columns of a table that are no field as they are, by the names of their fields. */
interface Columns<T> {
	/** Stored as JSON. */
	json?: Array<keyof T & string>;
	/** Stored as 0 and 1. */
	flags?: Array<keyof T & string>;
	/** For SQL alone. */
	hidden?: string[];
}

/** Makes rows into objects: the column `created_at` becomes the field `createdAt`. */
export function rowReader<T>({ json = [], flags = [], hidden = [] }: Columns<T>): (row: Row) => T {
	const names = new Map<string, string>();
	const fieldOf = (column: string): string => {
		const field =
			names.get(column) ?? column.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase());
		names.set(column, field);
		return field;
	};
	return (row) => {
		const fields: Record<string, unknown> = {};
		for (const [column, value] of Object.entries(row)) {
			const field = fieldOf(column);
			if (hidden.includes(field)) continue;
			if (flags.some((flag) => flag === field)) fields[field] = value === 1;
			else if (json.some((one) => one === field) && value !== null)
				fields[field] = JSON.parse(String(value));
			else fields[field] = value;
		}
		return fields as T;
	};
}

function columnOf(field: string): string {
	// It becomes a part of the statement.
	if (!/^[a-zA-Z]+$/.test(field)) throw new Error(`No table has the field ${field}`);
	return field.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

function stored(value: unknown): SQLInputValue {
	if (typeof value === 'boolean') return value ? 1 : 0;
	if (typeof value !== 'object' || value === null || value instanceof Uint8Array)
		return value as SQLInputValue;
	return JSON.stringify(value);
}

/** A table that holds objects: see `rowReader`. */
export class Table<T> {
	readonly #db: Database;
	readonly #name: string;
	readonly #read: (row: Row) => T;
	readonly #prepared = new Map<string, Statement<Row>>();

	constructor(db: Database, name: string, columns: Columns<T> = {}) {
		this.#db = db;
		this.#name = name;
		this.#read = rowReader(columns);
	}

	/** @param end of the query, such as `WHERE id = ?` */
	select(end: string): Statement<T> {
		return this.#db.statement(`SELECT * FROM ${this.#name} ${end}`, this.#read);
	}

	/** @returns the number of the new row */
	add(fields: Partial<T> & Record<string, unknown>): number {
		const columns = Object.keys(fields).map(columnOf);
		const places = columns.map(() => '?').join(', ');
		return this.#statement(
			`INSERT INTO ${this.#name} (${columns.join(', ')}) VALUES (${places})`,
		).insert(...Object.values(fields).map(stored));
	}

	/** Changes these fields of the row with an id. */
	change(id: string, fields: Partial<T>): void {
		const changes = Object.keys(fields).map((field) => `${columnOf(field)} = ?`);
		this.#statement(`UPDATE ${this.#name} SET ${changes.join(', ')} WHERE id = ?`).run(
			...[...Object.values(fields).map(stored), id],
		);
	}

	delete(id: string): void {
		this.#statement(`DELETE FROM ${this.#name} WHERE id = ?`).run(id);
	}

	#statement(sql: string): Statement<Row> {
		const known = this.#prepared.get(sql) ?? this.#db.statement(sql);
		this.#prepared.set(sql, known);
		return known;
	}
}
