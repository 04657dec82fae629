import type { ILoadOptionsFunctions, INodeListSearchResult } from 'n8n-workflow';

import { asError, ServiceError, toNodeError } from '../service/errors';
import { additionalPartsOf } from '../service/template/additional';
import { steadyClock } from '../shared/tools/clock';
import { type KnownTemplate, readTemplates, type TemplateReading } from '../shared/templates';
import { chosenChannel, NO_BUSINESS, notAtPath, onlyFirst, readForList } from './channelList';

const BY_NAME = 'Choose "By Name" and enter the name of the template.';

/** Fills the list of templates with the approved ones. What is typed is found in their names. */
export async function searchTemplates(
	this: ILoadOptionsFunctions,
	filter = '',
): Promise<INodeListSearchResult> {
	// Each letter that is typed asks again. Only opening the list reads anew.
	const { templates, isComplete } = await templatesForList(this, filter === '');
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
					? `No approved template has this in its name. ${BY_NAME}`
					: `Not found among the first ${templates.length} templates. ${BY_NAME}`,
		);
	return { results: isComplete ? results : [onlyFirst(templates.length, 'By Name'), ...results] };
}

/** The approved templates for the editor. @param anew not those that are remembered */
export async function templatesForList(
	context: ILoadOptionsFunctions,
	anew: boolean,
): Promise<TemplateReading> {
	const options = { status: 'APPROVED', ...(anew ? { notBefore: steadyClock.now() } : {}) };
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
