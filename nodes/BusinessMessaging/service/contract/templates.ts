import { z } from 'zod';

import { requiredText } from './common';

/** Templates on a page of the list. Source: published. */
export const TEMPLATE_PAGE_SIZE = { max: 100, default: 20 } as const;

/** A business account, as the templates path lists them. Source: published. */
const businessSchema = z
	.object({ businessId: requiredText, name: z.string().nullish() })
	.passthrough();
export type Business = z.infer<typeof businessSchema>;

/** Response of `GET {templates path}`. Source: published. */
export const businessesSchema = z.array(businessSchema);

const buttonSchema = z
	.object({
		type: z.string(),
		text: z.string().nullish(),
		url: z.string().nullish(),
		example: z.unknown(),
	})
	.passthrough();

/**
 * A part of a listed template: `HEADER` with a `format`, `BODY`, `FOOTER`, `BUTTONS`, and others.
 * `example` holds sample values. Source: published.
 */
const listedComponentSchema = z
	.object({
		type: z.string(),
		format: z.string().nullish(),
		text: z.string().nullish(),
		buttons: z.array(buttonSchema).nullish(),
		example: z.unknown(),
	})
	.passthrough();
export type ListedComponent = z.infer<typeof listedComponentSchema>;

/** A template of the list. Its name and language together identify it. Source: published. */
export const listedTemplateSchema = z
	.object({
		id: z.string().nullish(),
		name: requiredText,
		status: z.string().nullish(),
		category: z.string().nullish(),
		language: requiredText,
		components: z.array(listedComponentSchema).nullish(),
	})
	.passthrough();
export type ListedTemplate = z.infer<typeof listedTemplateSchema>;

/**
 * Response of `GET {templates path}/{businessId}/templates`. The next page is the one after the
 * cursor `after`. Source: published.
 */
export const templatePageSchema = z
	.object({
		data: z.array(listedTemplateSchema),
		paging: z
			.object({ cursors: z.object({ after: z.string().nullish() }).passthrough().nullish() })
			.passthrough()
			.nullish(),
	})
	.passthrough();
export type TemplatePage = z.infer<typeof templatePageSchema>;
