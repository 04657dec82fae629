import { z } from 'zod';

import { openObject, optionalText, requiredText } from './common';

/** Templates on a page of the list. Source: published. */
export const TEMPLATE_PAGE_SIZE = { max: 100, default: 20 } as const;

/** Statuses by which the list can be filtered. Source: published. */
export const LISTED_STATUSES = ['PENDING', 'APPROVED', 'REJECTED'] as const;

/** A business account, as the templates path lists them. Source: published. */
const businessSchema = openObject({ businessId: requiredText, name: optionalText });
export type Business = z.infer<typeof businessSchema>;

/** Response of `GET {templates path}`. Source: published. */
export const businessesSchema = z.array(businessSchema);

const buttonSchema = openObject({
	type: z.string(),
	text: optionalText,
	url: optionalText,
	example: z.unknown(),
});

/**
 * A part of a listed template: `HEADER` with a `format`, `BODY`, `FOOTER`, `BUTTONS`, and others.
 * `example` holds sample values. Source: published.
 */
const listedComponentSchema = openObject({
	type: z.string(),
	format: optionalText,
	text: optionalText,
	buttons: z.array(buttonSchema).nullish(),
	example: z.unknown(),
});
export type ListedComponent = z.infer<typeof listedComponentSchema>;

/** A template of the list. Its name and language together identify it. Source: published. */
export const listedTemplateSchema = openObject({
	id: optionalText,
	name: requiredText,
	status: optionalText,
	category: optionalText,
	language: requiredText,
	components: z.array(listedComponentSchema).nullish(),
});
export type ListedTemplate = z.infer<typeof listedTemplateSchema>;

/**
 * Response of `GET {templates path}/{businessId}/templates`. The next page is the one after the
 * cursor `after`. Source: published.
 */
export const templatePageSchema = openObject({
	data: z.array(listedTemplateSchema),
	paging: openObject({ cursors: openObject({ after: optionalText }).nullish() }).nullish(),
});
export type TemplatePage = z.infer<typeof templatePageSchema>;
