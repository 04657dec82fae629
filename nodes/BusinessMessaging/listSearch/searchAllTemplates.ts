import type { ILoadOptionsFunctions, INodeListSearchResult } from 'n8n-workflow';
import { NodeOperationError } from 'n8n-workflow';

import { createServiceClient } from '../service/client';
import { steadyClock } from '../shared/clock';
import { templatesOf } from '../shared/knownTemplates';
import { sentenceCase } from '../shared/words';
import { chosenBusiness, listFailure } from './businessList';
import { onlyFirst } from './channelList';

/** Fills the list of a business's templates, of all statuses. */
export async function searchAllTemplates(
	this: ILoadOptionsFunctions,
	filter = '',
): Promise<INodeListSearchResult> {
	const businessId = chosenBusiness(this);
	const wanted = filter.trim().toLowerCase();
	const anew = filter === '' ? { notBefore: steadyClock.now() } : {};
	let read;
	try {
		read = await templatesOf(await createServiceClient(this), businessId, anew);
	} catch (error) {
		throw listFailure(this, error, 'templates', 'By ID');
	}
	const { templates, isComplete } = read;
	const results = templates
		.flatMap(({ id, name, language, status }) => {
			const choice = [name, language, ...(status ? [sentenceCase(status)] : [])].join(' · ');
			return id && choice.toLowerCase().includes(wanted) ? { name: choice, value: id } : [];
		})
		.sort((one, other) => one.name.localeCompare(other.name));
	if (results.length === 0)
		throw new NodeOperationError(
			this.getNode(),
			`${isComplete ? 'The business account has no such template.' : `Not found among the first ${templates.length} templates.`} Choose "By ID" to enter the ID of another one.`,
		);
	return { results: isComplete ? results : [onlyFirst(templates.length, 'By ID'), ...results] };
}
