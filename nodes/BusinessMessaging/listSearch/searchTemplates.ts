import type {
	ILoadOptionsFunctions,
	INodeListSearchResult,
	ResourceMapperFields,
} from 'n8n-workflow';

import { asError, ServiceError, toNodeError } from '../service/errors';
import { additionalPartsOf } from '../service/template/check';
import { type KnownTemplate, readTemplates, type TemplateReading } from '../shared/templates';
import {
	chosenChannel,
	NO_BUSINESS,
	notAtPath,
	onlyFirst,
	readAnew,
	readForList,
} from './readForList';
import { asHtml } from '../service/errors/nodeError';
import { templateText, variablesOf, VARIABLES_SHOWN_MAX } from '../service/template/variables';

const BY_NAME = 'Choose "By Name" and enter the name of the template.';

/** Fills the list of templates with the approved ones. What is typed is found in their names. */
export async function searchTemplates(
	this: ILoadOptionsFunctions,
	filter = '',
): Promise<INodeListSearchResult> {
	const { templates, isComplete } = await templatesForList(this, filter);
	const businesses = new Set(templates.map(({ business }) => business.businessId));
	const wanted = filter.trim().toLowerCase();
	const results = templates
		.map((known) => ({
			name: nameInList(known, businesses.size > 1),
			value: `${known.template.name}/${known.template.language}`,
		}))
		.filter(({ name }) => name.toLowerCase().includes(wanted))
		.sort((one, other) => one.name.localeCompare(other.name));
	if (results.length === 0)
		throw toNodeError(
			this.getNode(),
			templates.length === 0
				? `The account has no approved template. ${BY_NAME}`
				: isComplete
					? `No approved template has this in its name. If it was approved just now, close the node and open it. ${BY_NAME}`
					: `Not found among the first ${templates.length} templates. ${BY_NAME}`,
		);
	return { results: isComplete ? results : [onlyFirst(templates.length, 'By Name'), ...results] };
}

/** The approved templates for the editor. */
async function templatesForList(
	context: ILoadOptionsFunctions,
	typed = '',
): Promise<TemplateReading> {
	const options = { status: 'APPROVED', ...readAnew(typed) };
	const reading = await readForList(
		context,
		async (client) => await readTemplates(client, chosenChannel(context), options),
		() => `${notAtPath('templates')} Correct it. Or: ${BY_NAME}`,
		(error) => (error instanceof ServiceError ? error : `${asError(error).message} Or: ${BY_NAME}`),
	);
	if (reading.hasBusiness) return reading;
	throw toNodeError(context.getNode(), `${NO_BUSINESS} ${BY_NAME}`);
}

function nameInList({ template, business }: KnownTemplate, hasOthers: boolean): string {
	const { name, language, category } = template;
	const parts = additionalPartsOf(template).map((part) => part.name);
	return [
		name,
		language,
		...(category ? [category.toLowerCase()] : []),
		...(hasOthers ? [business.name ?? business.businessId] : []),
		...(parts.length > 0 ? [`needs Additional Components: ${parts.join(', ')}`] : []),
	].join(' · ');
}

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
		const { templates } = await templatesForList(context);
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
			: { fields, emptyFieldsNotice: noVariables(found.template) };
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

/** The editor shows it as HTML, and nowhere else the text of a template without variables. */
function noVariables(template: KnownTemplate['template']): string {
	const text = templateText(template, () => undefined);
	const shown = text ? ` Its text:<br>${asHtml(text).replaceAll('\n', '<br>')}` : '';
	return `This template has no variables.${shown}`;
}
