import { hash } from 'node:crypto';

import { Refusal } from '../core/errors.mts';
import type { Clock } from '../core/clock.mts';
import type { Database, Row } from '../core/database.mts';
import type { TemplateStatus } from '../contract.mts';
import type { ReplyButton } from './content.mts';

const MAX_TEMPLATES = 250;
const PLACEHOLDER = /\{\{(\d{1,3})\}\}/g;

/** A message that was agreed with the chat application, by its name and language. */
export interface Template {
	/** Digits, as template events show it. */
	id: string;
	tenantId: string;
	name: string;
	language: string;
	category: string;
	/** With placeholders from `{{1}}` on. */
	body: string;
	/** Quick replies. */
	buttons: ReplyButton[];
	status: TemplateStatus;
	/** Why it was rejected or paused. */
	reason: string | null;
	createdAt: number;
}

export type NewTemplate = Omit<Template, 'id' | 'createdAt'>;

interface TemplateRow extends Row {
	id: string;
	tenant_id: string;
	name: string;
	language: string;
	category: string;
	body: string;
	buttons: string;
	status: string;
	reason: string | null;
	created_at: number;
}

const fromRow = (row: TemplateRow): Template => ({
	id: row.id,
	tenantId: row.tenant_id,
	name: row.name,
	language: row.language,
	category: row.category,
	body: row.body,
	buttons: JSON.parse(row.buttons) as ReplyButton[],
	status: row.status as TemplateStatus,
	reason: row.reason,
	createdAt: row.created_at,
});

/** How many parameters a body takes: its highest placeholder. */
export const placeholdersIn = (body: string): number =>
	Math.max(0, ...[...body.matchAll(PLACEHOLDER)].map(([, number]) => Number(number)));

/** A body with its placeholders filled in. */
export const fillIn = (body: string, parameters: readonly string[]): string =>
	body.replace(PLACEHOLDER, (placeholder, number) => parameters[Number(number) - 1] ?? placeholder);

/** Made of what names a template: a seeded run gives the same ids, and other things keep theirs. */
const idOf = ({ tenantId, name, language }: NewTemplate): string =>
	`1${(BigInt(`0x${hash('sha256', `${tenantId}:${name}:${language}`)}`) % 10n ** 15n).toString().padStart(15, '0')}`;

export class Templates {
	readonly #clock: Clock;
	readonly #insert;
	readonly #ofTenant;
	readonly #select;
	readonly #named;
	readonly #update;
	readonly #delete;

	constructor(db: Database, clock: Clock) {
		this.#clock = clock;
		this.#insert = db.statement(
			'INSERT INTO templates (id, tenant_id, name, language, category, body, buttons, status, reason, created_at) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)',
		);
		this.#ofTenant = db.statement<TemplateRow>(
			'SELECT * FROM templates WHERE tenant_id = ? ORDER BY number',
		);
		this.#select = db.statement<TemplateRow>('SELECT * FROM templates WHERE id = ?');
		this.#named = db.statement<TemplateRow>(
			'SELECT * FROM templates WHERE tenant_id = ? AND name = ? AND language = ?',
		);
		this.#update = db.statement(
			'UPDATE templates SET status = ?, reason = ?, category = ? WHERE id = ?',
		);
		this.#delete = db.statement('DELETE FROM templates WHERE id = ?');
	}

	ofTenant(tenantId: string): Template[] {
		return this.#ofTenant.all(tenantId).map(fromRow);
	}

	get(id: string): Template | undefined {
		const row = this.#select.get(id);
		return row && fromRow(row);
	}

	named(tenantId: string, name: string, language: string): Template | undefined {
		const row = this.#named.get(tenantId, name, language);
		return row && fromRow(row);
	}

	create(template: NewTemplate): Template {
		const { tenantId, name, language, category, body, buttons, status, reason } = template;
		if (this.named(tenantId, name, language))
			throw new Refusal(409, 'name: there is a template of this name and language');
		if (this.#ofTenant.all(tenantId).length >= MAX_TEMPLATES)
			throw new Refusal(422, `A tenant of the sandbox has at most ${MAX_TEMPLATES} templates`);
		const id = idOf(template);
		this.#insert.run(
			...[id, tenantId, name, language, category, body, JSON.stringify(buttons)],
			...[status, reason, this.#clock.now()],
		);
		return this.get(id)!;
	}

	change(
		template: Template,
		{ status, reason, category }: Pick<Template, 'status' | 'reason' | 'category'>,
	): Template {
		this.#update.run(status, reason, category, template.id);
		return this.get(template.id)!;
	}

	delete(id: string): void {
		this.#delete.run(id);
	}
}
