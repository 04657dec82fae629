import type { IDataObject } from 'n8n-workflow';

import type { TemplateCategoryEvent, TemplateStatusEvent } from '../../service/contract';
import { templateCategoryEventSchema, templateStatusEventSchema } from '../../service/contract';
import { toIsoDate } from '../../shared/texts/words';

/** A template event, simplified. Undefined for anything else. */
export function readTemplateEvent(element: unknown): IDataObject | undefined {
	const { data: status } = templateStatusEventSchema.safeParse(element);
	if (status) {
		const { event, reason, message_template_category: category } = status.value;
		return {
			event: 'UPDATE_TEMPLATE_STATUS',
			...templateFields(status),
			status: event,
			// That is no reason. Source: published.
			reason: reason === 'NONE' ? null : (reason ?? null),
			...(typeof category === 'string' ? { category } : {}),
			wabaId: status.waba_id ?? null,
		};
	}
	const { data: change } = templateCategoryEventSchema.safeParse(element);
	return (
		change && {
			event: 'UPDATE_TEMPLATE_CATEGORY',
			...templateFields(change),
			previousCategory: change.value.previous_category ?? null,
			newCategory: change.value.new_category ?? null,
			correctCategory: change.value.correct_category ?? null,
			timestamp: toIsoDate(change.value.category_update_timestamp),
			wabaId: change.waba_id ?? null,
		}
	);
}

function templateFields({ value }: TemplateStatusEvent | TemplateCategoryEvent): IDataObject {
	const { message_template_id: id } = value;
	return {
		templateId: id === null || id === undefined ? null : String(id),
		templateName: value.message_template_name ?? null,
		language: value.message_template_language ?? null,
	};
}
