import type { IExecuteFunctions, INodeProperties } from 'n8n-workflow';
import { isResourceLocatorValue } from 'n8n-workflow';

import { nameInChoice } from '../../listSearch/searchAllTemplates';
import { deleteTemplate } from '../../service/templateChanges';
import { businessField, templateField } from '../../shared/fields';
import type { ItemOperation } from '../../shared/operation';
import { fieldsOf } from '../../shared/operation';
import { readRequired, readSegment } from '../../shared/parameters';
import { asPlainObject } from '../../shared/plainObject';

const fields: INodeProperties[] = [
	businessField,
	templateField,
	{
		displayName: 'Name',
		name: 'name',
		type: 'string',
		default: '',
		required: true,
		placeholder: 'e.g. order_shipped',
		// Chosen from the list, its name is known.
		displayOptions: { show: { '/templateId.mode': ['id'] } },
		description: 'The name of the template with this ID',
	},
	{
		displayName:
			'No message can use it any more, and its name stays taken for 30 days: no new template can have it.',
		name: 'deleteNotice',
		type: 'notice',
		default: '',
	},
];

export const deleteOperation: ItemOperation = {
	option: {
		name: 'Delete',
		value: 'delete',
		action: 'Delete template',
		description: 'Delete a template. Its name stays taken for 30 days.',
	},
	notForAgents: 'its name then stays taken for 30 days',
	fields: fieldsOf('template', 'delete', fields),
	async executeItem(context, client, itemIndex) {
		const businessId = readSegment(context, 'businessId', 'Business Account', itemIndex);
		const chosen = chosenName(context, itemIndex);
		const id = readSegment(context, 'templateId', 'Template', itemIndex);
		const name = chosen ?? readRequired(context, 'name', 'Name', itemIndex);
		await deleteTemplate(client, businessId, id, name);
		return { deleted: true, id, name };
	},
};

/** The name that the list showed. Undefined if the ID was typed. */
function chosenName(context: IExecuteFunctions, itemIndex: number): string | undefined {
	const field: unknown = context.getNodeParameter('templateId', itemIndex);
	if (!isResourceLocatorValue(field) || field.mode !== 'list') return undefined;
	const { value } = asPlainObject(context.getNode().parameters.templateId);
	// The name beside it would still be that of the last choice.
	if (typeof value === 'string' && value.startsWith('='))
		throw new Error(
			'"Template" is an expression, which has no name. Choose "By ID", and enter its name, too.',
		);
	const name = nameInChoice(field.cachedResultName ?? '');
	if (name !== undefined) return name;
	throw new Error(
		'"Template" is no choice from its list. Choose one there, or choose "By ID" and enter its ID and name.',
	);
}
