import type { ILoadOptionsFunctions, ResourceMapperFields } from 'n8n-workflow';

import { asError, toNodeError } from '../service/errors';
import { asHtml } from '../service/errors/nodeError';
import { VARIABLES_SHOWN_MAX, variablesOf } from '../service/template/variables';
import { templatesForList } from './searchTemplates';

/** Fills the fields of a chosen template. */
export async function templateVariables(
	this: ILoadOptionsFunctions,
): Promise<ResourceMapperFields> {
	return await fieldsFor(this, 'template', 'templateVariables');
}

/** Fills the fields of a template that takes a message's place. */
export async function fallbackVariables(
	this: ILoadOptionsFunctions,
): Promise<ResourceMapperFields> {
	return await fieldsFor(this, 'fallbackTemplate', 'fallbackVariables');
}

async function fieldsFor(
	context: ILoadOptionsFunctions,
	templateField: string,
	variablesField: string,
): Promise<ResourceMapperFields> {
	const chosen = context.getCurrentNodeParameter(templateField, { extractValue: true });
	if (typeof chosen !== 'string' || chosen === '') return { fields: [] };
	try {
		const { templates } = await templatesForList(context, true);
		const found = templates.find(
			({ template: { name, language } }) => `${name}/${language}` === chosen,
		);
		if (!found)
			throw toNodeError(
				context.getNode(),
				'The template is not among the approved ones any more. Choose another one, or choose "By Name".',
			);
		const variables = variablesOf(found.template);
		if (variables.length > VARIABLES_SHOWN_MAX)
			throw toNodeError(
				context.getNode(),
				`The template has more than ${VARIABLES_SHOWN_MAX} variables, too many for fields. Choose "By Name", and give their values as a list.`,
			);
		const fields = variables.map(({ id, label }) => ({
			id,
			displayName: label,
			required: false,
			defaultMatch: false,
			display: true,
			type: 'string' as const,
		}));
		return fields.length > 0
			? { fields }
			: { fields, emptyFieldsNotice: 'This template has no variables.' };
	} catch (error) {
		const saved = context.getCurrentNodeParameter(`${variablesField}.schema`);
		// An empty list would make the editor drop the values that are saved.
		if (Array.isArray(saved) && saved.length > 0) throw toNodeError(context.getNode(), error);
		const reason = asError(error).message;
		const instead = reason.includes('"By Name"') ? '' : ' Or choose "By Name".';
		// The editor shows it as HTML, and the reason may quote the service.
		return { fields: [], emptyFieldsNotice: asHtml(`${reason}${instead}`) };
	}
}
