import { updateTemplate } from '../../service/templateChanges';
import { businessField, templateField } from '../../shared/fields';
import type { ItemOperation } from '../../shared/operation';
import { fieldsOf } from '../../shared/operation';
import { readSegment } from '../../shared/parameters';
import { definitionFields } from './definitionFields';
import { readDefinition, withUploadedFile } from './readDefinition';

export const update: ItemOperation = {
	option: {
		name: 'Update',
		value: 'update',
		action: 'Update template',
		description: 'Replace what a template contains, and submit it for review again',
	},
	fields: fieldsOf('template', 'update', [
		businessField,
		templateField,
		{
			displayName:
				'It goes back to PENDING, and cannot be sent until it is approved again. An approved template can be changed once in 24 hours.',
			name: 'updateNotice',
			type: 'notice',
			default: '',
		},
		...definitionFields(false),
	]),
	async executeItem(context, client, itemIndex) {
		const businessId = readSegment(context, 'businessId', 'Business Account', itemIndex);
		const id = readSegment(context, 'templateId', 'Template', itemIndex);
		const wanted = await readDefinition(context, itemIndex);
		const ready = await withUploadedFile(client, businessId, wanted);
		await updateTemplate(client, businessId, id, ready);
		return { updated: true, id };
	},
};
