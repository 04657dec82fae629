/** Lists of the editor of what a business account has, and of the business accounts. */
import type { ILoadOptionsFunctions, INodeListSearchItems } from 'n8n-workflow';
import { isResourceLocatorValue } from 'n8n-workflow';

import type { ServiceClient } from '../service/client';
import type { LibraryTemplate } from '../service/contract';
import { cutText, firstOf } from '../service/cutText';
import { listBusinesses, listTemplateLibrary } from '../service/template/lists';
import { isComplete, templatesOf } from '../shared/templates';
import { sentenceCase } from '../shared/texts/words';
import {
	listSearch,
	matching,
	NO_BUSINESS,
	notAtPath,
	onlyFirst,
	readAnew,
	readForList,
} from './readForList';

/** Languages and characters of the text that a choice shows. */
const LANGUAGES_SHOWN = 5;
const TEXT_SHOWN = 300;

export const searchBusinesses = listSearch(async (context, typed) => {
	const businesses = await listed(context, 'business accounts', 'By ID', listBusinesses);
	if (businesses.length === 0)
		throw new Error(`${NO_BUSINESS} Choose "By ID" and enter the ID of the business account.`);
	const results = businesses.map(({ businessId, name }) => ({
		name: name || businessId,
		value: businessId,
	}));
	return matching(typed, results);
});

export const searchAllTemplates = listSearch(async (context, typed) => {
	const businessId = chosenBusiness(context);
	const read = await listed(
		context,
		'templates',
		'By ID',
		async (client) => await templatesOf(client, businessId, readAnew(typed)),
	);
	const { templates } = read;
	const wanted = typed.trim().toLowerCase();
	const results = templates.flatMap(({ id, name, language, status }) => {
		const choice = [name, language, ...(status ? [sentenceCase(status)] : [])].join(' · ');
		return id && choice.toLowerCase().includes(wanted) ? { name: choice, value: id } : [];
	});
	const none = isComplete(read)
		? 'The business account has no such template.'
		: `Not found among the first ${templates.length} templates.`;
	const sorted = sortedOrNone(results, `${none} Choose "By ID" to enter the ID`);
	return isComplete(read) ? sorted : [onlyFirst(templates.length, 'By ID'), ...sorted];
});

/** Fills the list of the service's library. What is typed is found in all that a template has. */
export const searchLibraryTemplates = listSearch(async (context, typed) => {
	const businessId = chosenBusiness(context);
	const templates = await listed(
		context,
		'library of templates',
		'By Name',
		async (client) => await listTemplateLibrary(client, businessId),
	);
	const wanted = typed.trim().toLowerCase();
	const results = templates
		.filter(({ name, category, languages, body }) =>
			[name, category, ...(languages ?? []), body].join(' ').toLowerCase().includes(wanted),
		)
		.map((template) => ({
			name: nameInList(template),
			value: template.name,
			description: cutText(template.body ?? '', TEXT_SHOWN),
		}));
	return sortedOrNone(
		results,
		'The library has no such template. Choose "By Name" to enter the name',
	);
});

/** The business account that is chosen in the editor. @throws Error if none is */
function chosenBusiness(context: ILoadOptionsFunctions): string {
	const business: unknown = context.getCurrentNodeParameter('businessId');
	const businessId = isResourceLocatorValue(business) ? String(business.value) : '';
	if (/^[\w-][\w.-]*$/.test(businessId)) return businessId;
	throw new Error('Choose a business account first.');
}

/** Reads a list below the Templates Path. @param instead the mode that works without it */
const listed = async <Listed>(
	context: ILoadOptionsFunctions,
	what: string,
	instead: string,
	read: (client: ServiceClient) => Promise<Listed>,
): Promise<Listed> =>
	await readForList(context, read, () => `${notAtPath(what)} Correct it, or choose "${instead}".`);

/** @throws Error if nothing was found */
function sortedOrNone(results: INodeListSearchItems[], none: string): INodeListSearchItems[] {
	if (results.length > 0) return results.sort((one, other) => one.name.localeCompare(other.name));
	throw new Error(`${none} of another one.`);
}

function nameInList({ name, category, languages }: LibraryTemplate): string {
	const shown = firstOf(languages ?? [], LANGUAGES_SHOWN);
	return [name, category && sentenceCase(category), shown].filter(Boolean).join(' · ');
}
