import { deleteTemplate } from '../../service/template/changes';
import { findTemplate } from '../../service/template/lists';
import {
	businessField,
	optionsField,
	noticeField,
	switchField,
	templateField,
} from '../../shared/node/fields';
import type { ItemOperation } from '../../shared/node/operation';
import { readOption, readSegment } from '../../shared/node/parameters';

export const deleteOperation: ItemOperation = {
	name: 'Delete',
	value: 'delete',
	action: 'Delete template',
	description: 'Delete a template in one language, or in all of them',
	notForAgents: 'its name then stays taken for 30 days',
	fields: [
		businessField,
		templateField,
		noticeField(
			'deleteNotice',
			'No message can use it any more. The name of an approved template stays taken for 30 days in its language.',
		),
		optionsField([
			switchField('Delete All Translations', 'deleteAllTranslations', {
				default: false,
				description:
					'Whether to delete every template of the business account that has the same name, in all languages',
			}),
		]),
	],
	async executeItem(context, client, itemIndex) {
		const businessId = readSegment(context, 'businessId', 'Business Account', itemIndex);
		const id = readSegment(context, 'templateId', 'Template', itemIndex);
		if (readOption(context, 'deleteAllTranslations', itemIndex) !== true) {
			await deleteTemplate(client, businessId, id);
			return { deleted: true, id };
		}
		const { name } = await findTemplate(client, businessId, id);
		await deleteTemplate(client, businessId, id, name);
		return { deleted: true, id, name };
	},
};
