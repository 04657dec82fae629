import type { IDataObject } from 'n8n-workflow';

import { LISTED_STATUSES, type ListedTemplate } from '../../service/contract';
import { templateText, VARIABLES_SHOWN_MAX, variablesOf } from '../../service/template/variables';
import { syncTemplates } from '../../service/template/changes';
import { templatePages } from '../../service/template/lists';
import {
	businessField,
	choiceField,
	collectionField,
	limitFields,
	simplifyField,
} from '../../shared/node/fields';
import type { ItemOperation } from '../../shared/node/operation';
import { readLimit, readSegment } from '../../shared/node/parameters';
import { sentenceCase } from '../../shared/texts/words';

export const getAll: ItemOperation = {
	name: 'Get Many',
	value: 'getAll',
	action: 'Get many templates',
	description: 'Retrieve a list of the message templates of a business account',
	fields: [
		businessField,
		...limitFields,
		simplifyField,
		collectionField('Filters', 'filters', 'Filter', [
			choiceField('Status', 'status', {
				options: [...LISTED_STATUSES].sort().map((value) => ({ name: sentenceCase(value), value })),
				default: 'APPROVED',
				description: 'Return only templates with this status. Only approved ones can be sent.',
			}),
		]),
	],
	asGiven: ['components', 'text', 'variables'],
	async executeItem(context, client, itemIndex) {
		const limit = readLimit(context, itemIndex);
		const businessId = readSegment(context, 'businessId', 'Business Account', itemIndex);
		const { status } = context.getNodeParameter('filters', itemIndex, {}) as { status?: string };
		const isSimplified = context.getNodeParameter('simplify', itemIndex, true) === true;
		const templates: IDataObject[] = [];
		for await (const page of templatePages(client, businessId, status ? { status } : {})) {
			const wanted = page.slice(0, limit - templates.length);
			templates.push(...(isSimplified ? wanted.map(simplified) : (wanted as IDataObject[])));
			if (templates.length >= limit) break;
		}
		return templates;
	},
};

/** What a workflow needs of a template: its text, and the variables that it takes. */
function simplified(template: ListedTemplate): IDataObject {
	const { id, name, language, status, category } = template;
	const variables = variablesOf(template);
	const left = variables.length - VARIABLES_SHOWN_MAX;
	return {
		id: id ?? null,
		name,
		language,
		status: status ?? null,
		category: category ?? null,
		text: templateText(template, () => undefined) ?? null,
		variables: variables.slice(0, VARIABLES_SHOWN_MAX).map(({ id, label, example }) => ({
			id,
			label,
			...(example === undefined ? {} : { example }),
		})),
		...(left > 0 ? { variablesLeftOff: left } : {}),
	};
}

export const sync: ItemOperation = {
	name: 'Sync',
	value: 'sync',
	action: 'Sync templates',
	description: 'Let the service read the templates of a business anew from the chat application',
	fields: [businessField],
	async executeItem(context, client, itemIndex) {
		const businessId = readSegment(context, 'businessId', 'Business Account', itemIndex);
		const { synced, syncedCount } = await syncTemplates(client, businessId);
		return { synced: synced ?? null, syncedCount: syncedCount ?? null, businessId };
	},
};
