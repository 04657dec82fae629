import type { ILoadOptionsFunctions, INodeListSearchResult } from 'n8n-workflow';
import { NodeOperationError } from 'n8n-workflow';

import { createServiceClient } from '../service/client';
import { listBusinesses } from '../service/templates';
import { listFailure } from './businessList';
import { NO_BUSINESS } from './channelList';

/** Fills the list of business accounts. */
export async function searchBusinesses(
	this: ILoadOptionsFunctions,
	filter = '',
): Promise<INodeListSearchResult> {
	let businesses;
	try {
		businesses = await listBusinesses(await createServiceClient(this));
	} catch (error) {
		throw listFailure(this, error, 'business accounts', 'By ID');
	}
	if (businesses.length === 0)
		throw new NodeOperationError(
			this.getNode(),
			`${NO_BUSINESS} Choose "By ID" and enter the ID of the business account.`,
		);
	const wanted = filter.toLowerCase();
	return {
		results: businesses
			.map(({ businessId, name }) => ({ name: name || businessId, value: businessId }))
			.filter(({ name, value }) => `${name} ${value}`.toLowerCase().includes(wanted)),
	};
}
