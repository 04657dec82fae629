import type { ILoadOptionsFunctions, INodeListSearchResult } from 'n8n-workflow';
import { isResourceLocatorValue, NodeOperationError } from 'n8n-workflow';

import { createServiceClient } from '../service/client';
import { toNodeError } from '../service/errors';
import { TEMPLATE_PAGES_MAX, templatePages } from '../service/templates';
import { sentenceCase } from '../shared/words';

/** Between the parts of a choice. No name of a template has it. */
const SEPARATOR = ' · ';

/** The name of the template, by the words of its choice in the list. */
export function nameInChoice(choice: string): string | undefined {
	const [name, ...others] = choice.split(SEPARATOR);
	return others.length > 0 && name ? name : undefined;
}

/** Fills the list of a business's templates, of all statuses. */
export async function searchAllTemplates(
	this: ILoadOptionsFunctions,
	filter = '',
): Promise<INodeListSearchResult> {
	const business: unknown = this.getCurrentNodeParameter('businessId');
	const businessId = isResourceLocatorValue(business) ? String(business.value) : '';
	if (!/^[\w-][\w.-]*$/.test(businessId))
		throw new NodeOperationError(this.getNode(), 'Choose a business account first.');
	const wanted = filter.trim().toLowerCase();
	const results: INodeListSearchResult['results'] = [];
	let pages = 0;
	try {
		for await (const page of templatePages(await createServiceClient(this), businessId)) {
			for (const { id, name, language, status } of page) {
				const choice = [name, language, ...(status ? [sentenceCase(status)] : [])].join(SEPARATOR);
				if (id && choice.toLowerCase().includes(wanted)) results.push({ name: choice, value: id });
			}
			pages += 1;
			if (pages === TEMPLATE_PAGES_MAX) break;
		}
	} catch (error) {
		throw toNodeError(this.getNode(), error);
	}
	if (results.length === 0)
		throw new NodeOperationError(
			this.getNode(),
			'The business account has no such template. Choose "By ID" to enter the ID of another one.',
		);
	return { results: results.sort((one, other) => one.name.localeCompare(other.name)) };
}
