import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';

import { createdTemplateSchema, TEMPLATE_NAME_PATTERN } from '../../service/contract';
import { languageOf } from '../../service/template/languages';
import { Mistakes } from '../../service/template/mistakes';
import { createTemplate, LOOK_AT_TEMPLATES } from '../../service/template/changes';
import { businessField, textField } from '../../shared/node/fields';
import type { BatchOperation } from '../../shared/node/operation';
import { readRequired, readSegment } from '../../shared/node/parameters';
import { doEachOnce } from '../doEachOnce';
import { definitionFields } from './definitionFields';
import {
	type GivenDefinition,
	readCategory,
	readDefinition,
	withUploadedFile,
} from './readDefinition';

export const create: BatchOperation = {
	name: 'Create',
	value: 'create',
	action: 'Create template',
	description: 'Write a template and submit it for review. Gives its ID and status.',
	fields: [
		businessField,
		textField('Name', 'name', {
			required: true,
			placeholder: 'e.g. order_shipped',
			description: 'Lower case letters, digits and underscores',
		}),
		textField('Language', 'language', {
			default: 'en_US',
			placeholder: 'e.g. pt_BR',
			description: 'The code of the language in which it is written',
		}),
		...definitionFields(true),
	],
	executeAll: async (context, client) =>
		await doEachOnce(
			context,
			{ done: 'template was created', look: LOOK_AT_TEMPLATES },
			async (item, once) => {
				const { businessId, name, language, category, wanted } = await readNew(context, item);
				const target = `create ${client.account} ${businessId} ${name}/${language}`;
				const created = await once(item, target, async () => {
					const ready = await withUploadedFile(context, client, businessId, wanted);
					const body = { ...ready, name, language, category };
					const { id, status, category: given } = await createTemplate(client, businessId, body);
					return JSON.stringify({ id, status, category: given });
				});
				const { id, status, category: given } = createdTemplateSchema.parse(JSON.parse(created));
				const json: IDataObject = { id, status: status ?? null, category: given ?? category };
				return { ...json, name, language, businessId };
			},
		),
};

/** @throws Error that names all mistakes in the fields */
async function readNew(context: IExecuteFunctions, item: number) {
	const mistakes = new Mistakes();
	const text = (read: () => string) => mistakes.or('', read);
	const businessId = text(() => readSegment(context, 'businessId', 'Business Account', item));
	const name = text(() => readName(readRequired(context, 'name', 'Name', item)));
	const language = text(() => languageOf(readRequired(context, 'language', 'Language', item)));
	const category = mistakes.or('UTILITY', () => readCategory(context, item) ?? 'UTILITY');
	const nothing: GivenDefinition = { definition: {} };
	const define = await readDefinition(context, item, true).catch((error: unknown) => {
		mistakes.add(error);
		return () => nothing;
	});
	const wanted = mistakes.or(nothing, () => define(category));
	mistakes.end();
	return { businessId, name, language, category, wanted };
}

function readName(name: string): string {
	if (TEMPLATE_NAME_PATTERN.test(name)) return name;
	throw new Error(
		`"Name" is "${name.slice(0, 64)}". A template's name has lower case letters, digits and underscores only, at most 512: order_shipped.`,
	);
}
