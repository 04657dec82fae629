import { hash } from 'node:crypto';

import { Refusal } from '../core/errors.mts';
import type { Clock } from '../core/clock.mts';
import type { Database } from '../core/database.mts';
import { rowReader, Table } from '../core/table.mts';
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

const COLUMNS = { json: ['components' as const], hidden: ['number'] };
const fromRow = rowReader<Template>(COLUMNS);

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
	readonly #table;
	readonly #sql;

	constructor(db: Database, clock: Clock) {
		this.#clock = clock;
		this.#table = new Table<Template>(db, 'templates', COLUMNS);
		const ofBusiness =
			'SELECT * FROM templates WHERE business_id = ?1 AND status = coalesce(?2, status)';
		this.#sql = {
			ofTenant: this.#table.select('WHERE tenant_id = ? ORDER BY number'),
			count: db.statement<{ count: number }>(
				'SELECT count(*) AS count FROM templates WHERE business_id = ?',
			),
			after: db.statement(`${ofBusiness} AND number > ?3 ORDER BY number LIMIT ?4`),
			before: db.statement(`${ofBusiness} AND number < ?3 ORDER BY number DESC LIMIT ?4`),
			byId: this.#table.select('WHERE id = ?'),
			named: this.#table.select('WHERE business_id = ? AND name = ? AND language = ?'),
			ofName: this.#table.select('WHERE business_id = ? AND name = ?'),
		};
	}

	ofTenant(tenantId: string): Template[] {
		return this.#sql.ofTenant.all(tenantId);
	}

	/** Templates of a business, oldest first, each with its place in the list. */
	page({ businessId, status = '', limit, after, before }: TemplateRange) {
		const filter = status === '' ? null : status;
		const rows =
			before === undefined
				? this.#sql.after.all(businessId, filter, after ?? 0, limit)
				: this.#sql.before.all(businessId, filter, before, limit).toReversed();
		return rows.map((row) => ({ place: Number(row.number), template: fromRow(row) }));
	}

	get(id: string): Template | undefined {
		return this.#sql.byId.get(id);
	}

	named(businessId: string, name: string, language: string): Template | undefined {
		return this.#sql.named.get(businessId, name, language);
	}

	create(template: NewTemplate): Template {
		const { tenantId, businessId, name, language, category, components, status } = template;
		const { reason, ttl = null } = template;
		if (this.named(businessId, name, language))
			throw new Refusal(409, 'name: there is a template of this name and language');
		if (this.#sql.count.get(businessId)!.count >= MAX_TEMPLATES)
			throw new Refusal(
				422,
				`A business account of the sandbox has at most ${MAX_TEMPLATES} templates`,
			);
		const id = idOf(template);
		this.#table.add({
			...{ id, tenantId, businessId, name, language, category, components },
			...{ status, reason, ttl, createdAt: this.#clock.now() },
		});
		return this.get(id)!;
	}

	change({ id }: Template, fields: Partial<Template>): Template {
		this.#table.change(id, fields);
		return this.get(id)!;
	}

	/** Replaces its contents, which go to review again. */
	replace(template: Template, contents: TemplateContents): Template {
		return this.change(template, { ...contents, status: 'PENDING', reason: null });
	}

	/** Its translations and itself. */
	ofName(businessId: string, name: string): Template[] {
		return this.#sql.ofName.all(businessId, name);
	}

	delete(id: string): void {
		this.#table.delete(id);
	}
}
