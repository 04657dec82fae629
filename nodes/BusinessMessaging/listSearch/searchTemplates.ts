import type { ILoadOptionsFunctions, INodeListSearchResult } from 'n8n-workflow';

import { asError, ServiceError, toNodeError } from '../service/errors';
import { additionalPartsOf } from '../service/template/additional';
import { steadyClock } from '../shared/clock';
import type { KnownTemplate, TemplateReading } from '../shared/knownTemplates';
import { readTemplates } from '../shared/knownTemplates';
import { chosenChannel, clientForList, isNotOffered, NO_BUSINESS, onlyFirst } from './channelList';

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

/**
 * The approved templates for a list or fields in the editor.
 * @param anew whether to read what is remembered again
 */
export async function templatesForList(
	context: ILoadOptionsFunctions,
	anew: boolean,
): Promise<TemplateReading> {
	try {
		const reading = await readTemplates(await clientForList(context), chosenChannel(context), {
			status: 'APPROVED',
			...(anew ? { notBefore: steadyClock.now() } : {}),
		});
		if (reading.hasBusiness) return reading;
	} catch (error) {
		const node = context.getNode();
		if (isNotOffered(error))
			throw toNodeError(
				node,
				`The service lists no templates at the Templates Path of the credential. Correct it. Or: ${BY_NAME}`,
			);
		if (error instanceof ServiceError) throw toNodeError(node, error);
		throw toNodeError(node, `${asError(error).message} Or: ${BY_NAME}`);
	}
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
