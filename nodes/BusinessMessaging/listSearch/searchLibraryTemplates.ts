import type { ILoadOptionsFunctions, INodeListSearchResult } from 'n8n-workflow';
import { NodeOperationError } from 'n8n-workflow';

import { createServiceClient } from '../service/client';
import type { LibraryTemplate } from '../service/contract';
import { cutText } from '../service/cutText';
import { listTemplateLibrary } from '../service/templates';
import { sentenceCase } from '../shared/words';
import { chosenBusiness, listFailure } from './businessList';

/** Languages and characters of the text that a choice shows. */
const LANGUAGES_SHOWN = 5;
const TEXT_SHOWN = 300;

/** Fills the list of the service's library. What is typed is found in all that a template has. */
export async function searchLibraryTemplates(
	this: ILoadOptionsFunctions,
	filter = '',
): Promise<INodeListSearchResult> {
	const businessId = chosenBusiness(this);
	let templates;
	try {
		templates = await listTemplateLibrary(await createServiceClient(this), businessId);
	} catch (error) {
		throw listFailure(this, error, 'library of templates', 'By Name');
	}
	const wanted = filter.trim().toLowerCase();
	const results = templates
		.filter(({ name, category, languages, body }) =>
			[name, category, ...(languages ?? []), body].join(' ').toLowerCase().includes(wanted),
		)
		.map((template) => ({
			name: nameInList(template),
			value: template.name,
			description: cutText(template.body ?? '', TEXT_SHOWN),
		}));
	if (results.length === 0)
		throw new NodeOperationError(
			this.getNode(),
			'The library has no such template. Choose "By Name" to enter the name of another one.',
		);
	return { results: results.sort((one, other) => one.name.localeCompare(other.name)) };
}

function nameInList({ name, category, languages }: LibraryTemplate): string {
	const all = languages ?? [];
	const left = all.length - LANGUAGES_SHOWN;
	const shown = [...all.slice(0, LANGUAGES_SHOWN), ...(left > 0 ? [`${left} more`] : [])];
	return [
		name,
		...(category ? [sentenceCase(category)] : []),
		...(shown.length > 0 ? [shown.join(', ')] : []),
	].join(' · ');
}
