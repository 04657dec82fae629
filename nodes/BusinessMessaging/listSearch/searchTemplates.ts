import type { ILoadOptionsFunctions, ResourceMapperFields } from 'n8n-workflow';

import { asError, ServiceError, toNodeError } from '../service/errors';
import { additionalPartsOf } from '../service/template/check';
import { type KnownTemplate, readTemplates, type TemplateReading } from '../shared/templates';
import {
	chosenChannel,
	listSearch,
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
export const searchTemplates = listSearch(async (context, typed) => {
	const { templates, isComplete } = await templatesForList(context, typed);
	const businesses = new Set(templates.map(({ business }) => business.businessId));
	const wanted = typed.trim().toLowerCase();
	const results = templates
		.map((known) => ({
			name: nameInList(known, businesses.size > 1),
			value: `${known.template.name}/${known.template.language}`,
		}))
		.filter(({ name }) => name.toLowerCase().includes(wanted))
		.sort((one, other) => one.name.localeCompare(other.name));
	if (results.length === 0)
		throw new Error(
			templates.length === 0
				? `The account has no approved template. ${BY_NAME}`
				: isComplete
					? `No approved template has this in its name. If it was approved just now, close the node and open it. ${BY_NAME}`
					: `Not found among the first ${templates.length} templates. ${BY_NAME}`,
		);
	return isComplete ? results : [onlyFirst(templates.length, 'By Name'), ...results];
});

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
	throw new Error(`${NO_BUSINESS} ${BY_NAME}`);
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

/** Makes a method that fills the fields of a chosen template. */
const variablesIn = (templateField: string, variablesField: string) =>
	async function (this: ILoadOptionsFunctions): Promise<ResourceMapperFields> {
		const chosen = this.getCurrentNodeParameter(templateField, { extractValue: true });
		if (typeof chosen !== 'string' || chosen === '') return { fields: [] };
		try {
			const { templates } = await templatesForList(this);
			const found = templates.find(
				({ template: { name, language } }) => `${name}/${language}` === chosen,
			);
			if (!found)
				throw new Error(
					'The template is not among the approved ones any more. Choose another one, or choose "By Name".',
				);
			const variables = variablesOf(found.template);
			if (variables.length > VARIABLES_SHOWN_MAX)
				throw new Error(
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
			const shown = toNodeError(this.getNode(), error);
			const saved = this.getCurrentNodeParameter(`${variablesField}.schema`);
			// An empty list would make the editor drop the values that are saved.
			if (Array.isArray(saved) && saved.length > 0) throw shown;
			const reason = shown.message;
			const instead = reason.includes('"By Name"') ? '' : ' Or choose "By Name".';
			// The editor shows it as HTML, and the reason may quote the service.
			return { fields: [], emptyFieldsNotice: asHtml(`${reason}${instead}`) };
		}
	};

export const templateVariables = variablesIn('template', 'templateVariables');
/** Of a template that takes a message's place. */
export const fallbackVariables = variablesIn('fallbackTemplate', 'fallbackVariables');

/** The editor shows it as HTML, and nowhere else the text of a template without variables. */
function noVariables(template: KnownTemplate['template']): string {
	const text = templateText(template, () => undefined);
	const shown = text ? ` Its text:<br>${asHtml(text).replaceAll('\n', '<br>')}` : '';
	return `This template has no variables.${shown}`;
}
