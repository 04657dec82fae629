import { z } from 'zod';

export const templateName = z.string().min(1).max(512);
export const templateLanguage = z.string().min(2).max(16);

const about = {
	name: templateName.default('order_update'),
	language: templateLanguage.default('en_US'),
};
const category = z.string().max(64).default('UTILITY');
const templateId = z.string().min(1).max(64).default('1000000000000001');

/** The fields of a template change. Missing ones get a plain value. */
export const templateChangeSchema = z.discriminatedUnion('field', [
	z.object({
		field: z.literal('status'),
		status: z.string().min(1).max(64),
		reason: z.string().max(512).nullable().default('NONE'),
		...{ ...about, category, templateId },
	}),
	z.object({
		field: z.literal('category'),
		newCategory: z.string().min(1).max(64),
		previousCategory: category,
		...{ ...about, templateId },
	}),
]);
export type TemplateChange = z.infer<typeof templateChangeSchema>;

/** Body of a template event: an array of one. Source of the form: published. */
export function templateBody(
	change: TemplateChange,
	identifier: string,
	wabaId: string,
	now: number,
): string {
	const template = {
		message_template_id: change.templateId,
		message_template_name: change.name,
		message_template_language: change.language,
	};
	const [field, type, value] =
		change.field === 'status'
			? ([
					'message_template_status_update',
					'TEMPLATE_STATUS',
					{
						event: change.status,
						message_template_category: change.category,
						...template,
						reason: change.reason,
					},
				] as const)
			: ([
					'template_category_update',
					'TEMPLATE_CATEGORY_UPDATE',
					{
						category_update_timestamp: Math.floor(now / 1000),
						correct_category: change.newCategory,
						...template,
						new_category: change.newCategory,
						previous_category: change.previousCategory,
					},
				] as const);
	return JSON.stringify([{ field, identifier, type, value, waba_id: wabaId }]);
}
