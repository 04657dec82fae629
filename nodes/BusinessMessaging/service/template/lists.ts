import type { ServiceClient } from '../client';
import type { Business, LibraryTemplate, ListedTemplate } from '../contract';
import {
	businessesSchema,
	TEMPLATE_PAGE_SIZE,
	templateLibrarySchema,
	templatePageSchema,
} from '../contract';
import { notDone } from '../errors';
import { ListPages } from '../pages';

export async function listBusinesses(client: ServiceClient, timeout?: number): Promise<Business[]> {
	return await client.request({
		action: 'list the business accounts',
		kind: 'templateRead',
		method: 'GET',
		path: client.templatesPath(),
		response: businessesSchema,
		entries: {},
		timeout,
	});
}

export interface TemplateQuery {
	/** As the service names it: `APPROVED`. */
	status?: string;
	/** Milliseconds for a page. */
	timeout?: number;
	/** Called for a page of which a template cannot be read. */
	onLeftOut?: () => void;
	/** The cursor behind which the list is read. Left out: from its beginning. */
	after?: string | undefined;
	/** Called before a page is given, with the cursor of the next one, if there is any. */
	onCursor?: (after: string | undefined) => void;
}

/** The pages of a business account's templates. Each page is the one after the cursor before. */
export async function* templatePages(
	client: ServiceClient,
	businessId: string,
	{ status, timeout, onLeftOut, after: start, onCursor }: TemplateQuery = {},
): AsyncGenerator<ListedTemplate[]> {
	let after = start;
	const action = 'list the templates';
	const cursors = new Set<string>();
	const pages = new ListPages(action, ({ id, name, language }: ListedTemplate) =>
		JSON.stringify([id, name, language]),
	);
	for (;;) {
		const { data, paging } = await client.request({
			action,
			kind: 'templateRead',
			method: 'GET',
			path: [...client.templatesPath(), businessId, 'templates'],
			query: {
				limit: TEMPLATE_PAGE_SIZE.max,
				...(status ? { status } : {}),
				...(after ? { after } : {}),
			},
			response: templatePageSchema,
			entries: { field: 'data', ...(onLeftOut ? { onLeftOut } : {}) },
			timeout,
		});
		const fresh = pages.newIn(data);
		const next = paging?.cursors?.after;
		// The last page can name a cursor, too. One that came before leads in a circle.
		after = next && fresh.length > 0 && !cursors.has(next) ? next : undefined;
		onCursor?.(after);
		yield fresh;
		if (after === undefined) return;
		cursors.add(after);
	}
}

/** @returns the templates that the chat application wrote and approved */
export async function listTemplateLibrary(
	client: ServiceClient,
	businessId: string,
): Promise<LibraryTemplate[]> {
	const { data } = await client.request({
		action: 'list the library of templates',
		kind: 'templateRead',
		method: 'GET',
		path: [...client.templatesPath(), businessId, 'template-library'],
		response: templateLibrarySchema,
	});
	return data;
}

/** Reads the list: memory may be out of date. @throws ServiceError if it lacks the template */
export async function findTemplate(
	client: ServiceClient,
	businessId: string,
	templateId: string,
): Promise<ListedTemplate> {
	for await (const page of templatePages(client, businessId)) {
		const found = page.find(({ id }) => id === templateId);
		if (found) return found;
	}
	throw notDone('read the template', 'not_found', {
		cause: `the business account lists no template with the ID ${templateId}`,
		hint: 'Check "Business Account" and "Template". If the template was written elsewhere, run Template → Sync first.',
	});
}
