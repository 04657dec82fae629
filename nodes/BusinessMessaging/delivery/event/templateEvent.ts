import type { IDataObject } from 'n8n-workflow';

import type { TemplateCategoryEvent, TemplateStatusEvent } from '../../service/contract';
import { templateCategoryEventSchema, templateStatusEventSchema } from '../../service/contract';
import { toIsoDate } from '../../shared/texts/words';

/** A template event, simplified. Undefined for anything else. */
export function readTemplateEvent(element: unknown): IDataObject | undefined {
	const status = templateStatusEventSchema.safeParse(element);
	if (status.success) return simplifyTemplateStatus(status.data);
	const category = templateCategoryEventSchema.safeParse(element);
	return category.success ? simplifyTemplateCategory(category.data) : undefined;
}

function templateFields({ value }: TemplateStatusEvent | TemplateCategoryEvent): IDataObject {
	const { message_template_id: id } = value;
	return {
		templateId: id === null || id === undefined ? null : String(id),
		templateName: value.message_template_name ?? null,
		language: value.message_template_language ?? null,
	};
}

function simplifyTemplateStatus(event: TemplateStatusEvent): IDataObject {
	const { event: status, reason, message_template_category: category } = event.value;
	return {
		event: 'UPDATE_TEMPLATE_STATUS',
		...templateFields(event),
		status,
		// That is no reason. Source: published.
		reason: reason === 'NONE' ? null : (reason ?? null),
		...(typeof category === 'string' ? { category } : {}),
		wabaId: event.waba_id ?? null,
	};
}

function simplifyTemplateCategory(event: TemplateCategoryEvent): IDataObject {
	const { value } = event;
	return {
		event: 'UPDATE_TEMPLATE_CATEGORY',
		...templateFields(event),
		previousCategory: value.previous_category ?? null,
		newCategory: value.new_category ?? null,
		correctCategory: value.correct_category ?? null,
		timestamp: toIsoDate(value.category_update_timestamp),
		wabaId: event.waba_id ?? null,
	};
}
