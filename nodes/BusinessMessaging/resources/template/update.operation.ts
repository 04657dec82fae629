import type { ListedTemplate } from '../../service/contract';
import { cutText } from '../../service/cutText';
import { updateTemplate } from '../../service/template/changes';
import { findTemplate } from '../../service/template/lists';
import { businessField, noticeField, templateField } from '../../shared/node/fields';
import type { ItemOperation } from '../../shared/node/operation';
import { readSegment } from '../../shared/node/parameters';
import { definitionFields } from './definitionFields';
import {
	type Category,
	categoryIn,
	readCategory,
	readDefinition,
	withUploadedFile,
} from './readDefinition';

export const update: ItemOperation = {
	name: 'Update',
	value: 'update',
	action: 'Update template',
	description: 'Replace what a template contains, and submit it for review again',
	fields: [
		businessField,
		templateField,
		noticeField(
			'updateNotice',
			'What you enter replaces the whole template. It goes back to PENDING, and cannot be sent until it is approved again. An approved template can be changed once in 24 hours.',
		),
		...definitionFields(false),
	],
	async executeItem(context, client, itemIndex) {
		const businessId = readSegment(context, 'businessId', 'Business Account', itemIndex);
		const id = readSegment(context, 'templateId', 'Template', itemIndex);
		const chosen = readCategory(context, itemIndex);
		const define = await readDefinition(context, itemIndex, chosen !== undefined);
		const judged = chosen && define(chosen);
		const listed = await findTemplate(client, businessId, id);
		const { name, language } = listed;
		const category = chosen ?? categoryOf(listed);
		const wanted = judged ?? define(category);
		const ready = await withUploadedFile(context, client, businessId, wanted);
		await updateTemplate(client, businessId, id, { ...ready, name, language, category });
		return { updated: true, id };
	},
};

/** The service asks for it, even if it stays. */
function categoryOf({ category, name }: ListedTemplate): Category {
	const known = categoryIn(category ?? '');
	if (known) return known;
	const is = category ? `the category "${cutText(category, 64)}"` : 'no category';
	throw new Error(`The template ${name} has ${is} in the list. Choose one in "Category".`);
}
