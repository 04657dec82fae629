import { randomBytes } from 'node:crypto';

import type { Clock } from '../core/clock.mts';
import type { Database } from '../core/database.mts';
import { rowReader } from '../core/table.mts';
import type { Template } from './templates.mts';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
/** Published: for each business account. */
const CREATED_IN_AN_HOUR = 100;
/** Published: of an approved template. */
const CHANGED_IN_30_DAYS = 10;
/** Published: how long the name of a deleted approved template stays taken, in its language. */
const TAKEN = 30 * DAY;
type Named = Pick<Template, 'businessId' | 'name' | 'language'>;

/** An uploaded file, for the example of a header. */
export interface TemplateFile {
	name: string;
	/** At the sandbox. Null: it was not kept, because the page cannot show it. */
	path: string | null;
}

/** What the service knows of the templates that were submitted to it, besides their contents. */
export class Submissions {
	readonly #clock: Clock;
	readonly #sql;

	constructor(db: Database, clock: Clock) {
		this.#clock = clock;
		this.#sql = {
			insert: db.statement('INSERT OR IGNORE INTO submissions (template_id) VALUES (?)'),
			changes: db.statement<{ changed_at: string }>(
				'SELECT changed_at FROM submissions WHERE template_id = ?',
			),
			change: db.statement('UPDATE submissions SET changed_at = ? WHERE template_id = ?'),
			created: db.statement<{ count: number }>(
				'SELECT count(*) AS count FROM submissions JOIN templates ON id = template_id WHERE business_id = ? AND created_at > ?',
			),
			review: db.statement('UPDATE submissions SET review_at = ? WHERE template_id = ?'),
			due: db.statement<{ template_id: string }>(
				'SELECT template_id FROM submissions WHERE review_at <= ? ORDER BY review_at',
			),
			next: db.statement<{ next: number | null }>('SELECT min(review_at) AS next FROM submissions'),
			take: db.statement(
				'INSERT OR REPLACE INTO taken_names (business_id, name, language, until) VALUES (?, ?, ?, ?)',
			),
			taken: db.statement(
				'SELECT until FROM taken_names WHERE business_id = ? AND name = ? AND language = ? AND until > ?',
			),
			addFile: db.statement(
				'INSERT INTO template_files (handle, business_id, name, path) VALUES (?, ?, ?, ?)',
			),
			file: db.statement(
				'SELECT name, path FROM template_files WHERE handle = ?',
				rowReader<TemplateFile>({}),
			),
		};
	}

	/** Whether the business may create no more templates for now. */
	isFull(businessId: string): boolean {
		const { count } = this.#sql.created.get(businessId, this.#clock.now() - HOUR)!;
		return count >= CREATED_IN_AN_HOUR;
	}

	/** @param reviewAt when it is reviewed. Null: by hand */
	submitted({ id }: Pick<Template, 'id'>, reviewAt: number | null): void {
		this.#sql.insert.run(id);
		this.#sql.review.run(reviewAt, id);
	}

	/** Whether an approved template may not be changed for now. */
	isTooSoon({ id }: Pick<Template, 'id'>): boolean {
		const now = this.#clock.now();
		const changes = this.#changesOf(id);
		return (
			changes.some((at) => at > now - DAY) ||
			changes.filter((at) => at > now - 30 * DAY).length >= CHANGED_IN_30_DAYS
		);
	}

	changed({ id }: Pick<Template, 'id'>): void {
		this.#sql.insert.run(id);
		this.#sql.change.run(JSON.stringify([...this.#changesOf(id), this.#clock.now()]), id);
	}

	#changesOf(id: string): number[] {
		return JSON.parse(this.#sql.changes.get(id)?.changed_at ?? '[]') as number[];
	}

	/** The templates whose review is due. Each is given once. */
	takeDue(): string[] {
		const due = this.#sql.due.all(this.#clock.now()).map((row) => row.template_id);
		for (const id of due) this.#sql.review.run(null, id);
		return due;
	}

	/** When the next review is due. */
	get next(): number | undefined {
		return this.#sql.next.get()?.next ?? undefined;
	}

	takeName({ businessId, name, language }: Named): void {
		this.#sql.take.run(businessId, name, language, this.#clock.now() + TAKEN);
	}

	isTaken({ businessId, name, language }: Named): boolean {
		return this.#sql.taken.get(businessId, name, language, this.#clock.now()) !== undefined;
	}

	/** @returns the handle of a file, which is for the example of a header, and says its type */
	addFile(businessId: string, { name, path }: TemplateFile, type: string): string {
		const [typed, random] = [Buffer.from(type), randomBytes(24)].map((it) =>
			it.toString('base64url'),
		);
		const handle = `4:${typed}:${random}`;
		this.#sql.addFile.run(handle, businessId, name, path);
		return handle;
	}

	/** The type of an uploaded file. Undefined if there is none with this handle. */
	readonly typeOf = (handle: string): string | undefined =>
		this.file(handle) && Buffer.from(handle.split(':')[1] ?? '', 'base64url').toString();

	file(handle: string): TemplateFile | undefined {
		return this.#sql.file.get(handle);
	}
}
