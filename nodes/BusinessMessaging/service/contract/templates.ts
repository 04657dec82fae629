import { z } from 'zod';

import { anyTexts, anyWords, givenText, openObject, optionalText, requiredText } from './common';

/** Templates on a page of the list. Source: published. */
export const TEMPLATE_PAGE_SIZE = { max: 100, default: 20 } as const;

/** Most levels of a template. Real ones have about eight; n8n cannot read one of thousands. */
export const TEMPLATE_DEPTH_MAX = 64;

/** Statuses by which the list can be filtered. Source: published. */
export const LISTED_STATUSES = ['PENDING', 'APPROVED', 'REJECTED'] as const;

/** A business account, as the templates path lists them. Source: published. */
const businessSchema = openObject({ businessId: givenText, name: anyWords });
export type Business = z.infer<typeof businessSchema>;

/** Response of `GET {templates path}`. Source: published. */
export const businessesSchema = z.array(businessSchema);

const buttonSchema = openObject({
	type: z.string(),
	text: optionalText,
	url: optionalText,
	example: z.unknown(),
});
export type ListedButton = z.infer<typeof buttonSchema>;

/** `HEADER` with a `format`, `BODY`, `FOOTER`, `BUTTONS`, or another part. Source: published. */
export const listedComponentSchema = openObject({
	type: z.string(),
	format: optionalText,
	text: optionalText,
	buttons: z.array(buttonSchema).nullish(),
	example: z.unknown(),
});
export type ListedComponent = z.infer<typeof listedComponentSchema>;

/** A template of the list. Its name and language together identify it. Source: published. */
export const listedTemplateSchema = openObject({
	id: anyWords,
	name: givenText,
	status: anyWords,
	category: anyWords,
	language: givenText,
	components: z.array(listedComponentSchema).nullish(),
});
export type ListedTemplate = z.infer<typeof listedTemplateSchema>;

/** Response of `GET …/{businessId}/templates`, up to the cursor `after`. Source: published. */
export const templatePageSchema = openObject({
	data: z.array(listedTemplateSchema),
	paging: openObject({ cursors: openObject({ after: optionalText }).nullish() }).nullish(),
});

/** Categories of a new template. Source: published. */
export const TEMPLATE_CATEGORIES = ['UTILITY', 'MARKETING', 'AUTHENTICATION'] as const;

/** The name of a new template. Source: published. */
export const TEMPLATE_NAME_PATTERN = /^[a-z0-9_]{1,512}$/;

/** Characters of texts and a URL, buttons, and bytes of a header's file. Source: published. */
export const TEMPLATE_LIMITS = {
	header: 60,
	body: 1024,
	footer: 60,
	button: 25,
	buttons: 10,
	buttonsOfType: { URL: 2, PHONE_NUMBER: 1, COPY_CODE: 1 },
	url: 2000,
	file: 100 * 1024 ** 2,
} as const;

/** Types of the files that headers show, by the header's format. Source: published. */
export const TEMPLATE_FILE_TYPES: Readonly<Record<string, readonly string[]>> = {
	IMAGE: ['image/jpeg', 'image/png'],
	VIDEO: ['video/mp4', 'video/3gpp'],
	DOCUMENT: ['application/pdf'],
};

/** Seconds for which delivery is tried, from and to. `anytime` is 30 days. Source: published. */
export const MESSAGE_LIFETIMES = {
	AUTHENTICATION: [30, 900],
	UTILITY: [30, 43_200],
	MARKETING: [43_200, 2_592_000],
	anytime: -1,
} as const;

/** Whether the variables of a template have names or numbers. Source: published. */
export const PARAMETER_FORMATS = ['NAMED', 'POSITIONAL'] as const;
export type ParameterFormat = (typeof PARAMETER_FORMATS)[number];

/** What a template contains. `components` of a change replaces all of them. Source: published. */
export const templateDefinitionSchema = openObject({
	category: z.enum(TEMPLATE_CATEGORIES).optional(),
	components: z.array(listedComponentSchema).optional(),
	parameter_format: z.enum(PARAMETER_FORMATS).optional(),
	allow_category_change: z.boolean().optional(),
	/** How long the chat application tries to deliver a message. */
	message_send_ttl_seconds: z.number().int().optional(),
	/** A template of the service's library, in place of `components`. */
	library_template_name: requiredText.optional(),
	library_template_body_inputs: z.unknown(),
	library_template_button_inputs: z.unknown(),
});
export type TemplateDefinition = z.infer<typeof templateDefinitionSchema>;

/** Body of `POST …/{businessId}/templates`, and of `PUT …/{templateId}`. Source: published. */
export const newTemplateSchema = templateDefinitionSchema.extend({
	name: z.string().regex(TEMPLATE_NAME_PATTERN),
	category: z.enum(TEMPLATE_CATEGORIES),
	language: requiredText,
});
export type NewTemplate = z.infer<typeof newTemplateSchema>;

/** Response of `GET {templates path}/{businessId}/template-library`. Source: published. */
export const templateLibrarySchema = openObject({
	data: z.array(
		openObject({
			name: givenText,
			category: anyWords,
			languages: anyTexts,
			body: anyWords,
		}),
	),
});
export type LibraryTemplate = z.infer<typeof templateLibrarySchema>['data'][number];

/** Response of a creation. Source: published. */
export const createdTemplateSchema = openObject({
	id: givenText,
	status: anyWords,
	category: anyWords,
});
export type CreatedTemplate = z.infer<typeof createdTemplateSchema>;

/** Response of a change or deletion of a template. Source: published. */
export const templateDoneSchema = openObject({ success: z.boolean() });

/** Response of `POST {templates path}/{businessId}/templates/sync`. Source: published. */
export const templatesSyncedSchema = openObject({
	synced: z.union([z.boolean(), z.number(), z.string()]).nullish(),
	syncedCount: z.number().nullish(),
});
export type SyncedTemplates = z.infer<typeof templatesSyncedSchema>;

/** Response of `POST …/templates/media`: the handle of a header's example. Source: published. */
export const templateFileSchema = openObject({ h: requiredText });
