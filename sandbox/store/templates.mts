import { hash } from 'node:crypto';

import { Refusal } from '../core/errors.mts';
import type { Clock } from '../core/clock.mts';
import { type Database, rowReader } from '../core/database.mts';
import type { ListedComponent, ListedTemplate, TemplateStatus } from '../contract.mts';
import { cardsOf, CHATAPP_FILES, handleIn, parameterFormatOf } from './components.mts';

/** In a business account. Source: published, for a verified one. */
export const MAX_TEMPLATES = 6000;

/** A message template, identified by its business account, name and language. */
export interface Template {
	/** Digits, as template events show it. */
	id: string;
	tenantId: string;
	businessId: string;
	name: string;
	language: string;
	category: string;
	/** As the service lists them, with the ids of quick replies. */
	components: ListedComponent[];
	status: TemplateStatus;
	/** Why it was rejected or paused. */
	reason: string | null;
	/** Seconds in which the chat application tries to deliver a message. Null: its own. */
	ttl: number | null;
	createdAt: number;
}

export type NewTemplate = Omit<Template, 'id' | 'createdAt' | 'ttl'> & { ttl?: number | null };
/** What an update replaces. */
export type TemplateContents = Pick<Template, 'components' | 'category' | 'ttl'>;

const fromRow = rowReader<Template>({ json: ['components'], hidden: ['number'] });

/** A file's handle or link is listed as a link of the chat application's own. */
const withListedFile = (component: ListedComponent): ListedComponent => {
	const handle = handleIn(component);
	if (handle === undefined) return component;
	const header_handle = [CHATAPP_FILES + encodeURIComponent(handle)];
	return { ...component, example: { ...(component.example as object), header_handle } };
};

const listedComponent = (component: ListedComponent): ListedComponent => {
	const { buttons, cards, ...others } = component;
	return {
		...withListedFile(others),
		...(buttons ? { buttons: buttons.map(({ id: _own, ...button }) => button) } : {}),
		...(cards
			? { cards: cardsOf(component).map((parts) => ({ components: parts.map(listedComponent) })) }
			: {}),
	};
};

/** A template as the service lists it. Source of the form: published. */
export const listedView = ({
	id,
	name,
	status,
	category,
	language,
	components,
	ttl,
}: Template): ListedTemplate => ({
	...{ id, name, status, category, language },
	parameter_format: parameterFormatOf({ components }),
	...(ttl === null ? {} : { message_send_ttl_seconds: ttl }),
	components: components.map(listedComponent),
});

/**
 * Derived from the template's business, name and language, so that seeded runs give the same ids
 * without changing others.
 */
const idOf = ({ businessId, name, language }: NewTemplate): string =>
	`1${(BigInt(`0x${hash('sha256', `${businessId}:${name}:${language}`)}`) % 10n ** 15n).toString().padStart(15, '0')}`;

/** A part of a business's list of templates. */
export interface TemplateRange {
	businessId: string;
	status?: string | undefined;
	limit: number;
	/** The templates after this place, or those before it. */
	after?: number | undefined;
	before?: number | undefined;
}

export class Templates {
	readonly #clock: Clock;
	readonly #insert;
	readonly #ofTenant;
	readonly #count;
	readonly #after;
	readonly #before;
	readonly #select;
	readonly #named;
	readonly #ofName;
	readonly #update;
	readonly #delete;
	readonly #replace;

	constructor(db: Database, clock: Clock) {
		this.#clock = clock;
		this.#insert = db.statement(
			'INSERT INTO templates (id, tenant_id, business_id, name, language, category, components, status, reason, created_at, ttl) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)',
		);
		this.#ofTenant = db.statement('SELECT * FROM templates WHERE tenant_id = ? ORDER BY number');
		this.#count = db.statement<{ count: number }>(
			'SELECT count(*) AS count FROM templates WHERE business_id = ?',
		);
		const ofBusiness =
			'SELECT * FROM templates WHERE business_id = ?1 AND status = coalesce(?2, status)';
		this.#after = db.statement(`${ofBusiness} AND number > ?3 ORDER BY number LIMIT ?4`);
		this.#before = db.statement(`${ofBusiness} AND number < ?3 ORDER BY number DESC LIMIT ?4`);
		this.#select = db.statement('SELECT * FROM templates WHERE id = ?');
		this.#named = db.statement(
			'SELECT * FROM templates WHERE business_id = ? AND name = ? AND language = ?',
		);
		this.#ofName = db.statement('SELECT * FROM templates WHERE business_id = ? AND name = ?');
		this.#update = db.statement(
			'UPDATE templates SET status = ?, reason = ?, category = ? WHERE id = ?',
		);
		this.#replace = db.statement('UPDATE templates SET components = ?, ttl = ? WHERE id = ?');
		this.#delete = db.statement('DELETE FROM templates WHERE id = ?');
	}

	ofTenant(tenantId: string): Template[] {
		return this.#ofTenant.all(tenantId).map(fromRow);
	}

	/** Templates of a business, oldest first, each with its place in the list. */
	page({ businessId, status = '', limit, after, before }: TemplateRange) {
		const filter = status === '' ? null : status;
		const rows =
			before === undefined
				? this.#after.all(businessId, filter, after ?? 0, limit)
				: this.#before.all(businessId, filter, before, limit).toReversed();
		return rows.map((row) => ({ place: Number(row.number), template: fromRow(row) }));
	}

	get(id: string): Template | undefined {
		const row = this.#select.get(id);
		return row && fromRow(row);
	}

	named(businessId: string, name: string, language: string): Template | undefined {
		const row = this.#named.get(businessId, name, language);
		return row && fromRow(row);
	}

	create(template: NewTemplate): Template {
		const { tenantId, businessId, name, language, category, components, status } = template;
		const { reason, ttl = null } = template;
		if (this.named(businessId, name, language))
			throw new Refusal(409, 'name: there is a template of this name and language');
		if (this.#count.get(businessId)!.count >= MAX_TEMPLATES)
			throw new Refusal(
				422,
				`A business account of the sandbox has at most ${MAX_TEMPLATES} templates`,
			);
		const id = idOf(template);
		this.#insert.run(
			...[id, tenantId, businessId, name, language, category, JSON.stringify(components)],
			...[status, reason, this.#clock.now(), ttl],
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

	/** Replaces its contents, which go to review again. */
	replace(template: Template, { components, category, ttl }: TemplateContents): Template {
		this.#replace.run(JSON.stringify(components), ttl, template.id);
		return this.change(template, { status: 'PENDING', reason: null, category });
	}

	/** Its translations and itself. */
	ofName(businessId: string, name: string): Template[] {
		return this.#ofName.all(businessId, name).map(fromRow);
	}

	delete(id: string): void {
		this.#delete.run(id);
	}
}
