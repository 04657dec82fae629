import type { ILoadOptionsFunctions, INodeListSearchResult } from 'n8n-workflow';
import { NodeOperationError } from 'n8n-workflow';

import { listChannels } from '../service/channels';
import { createServiceClient } from '../service/client';
import { ServiceError, toNodeError } from '../service/errors';

/** Entries that a list in the editor shows at most; the search narrows them down. */
const LONGEST_LIST = 500;

/** Fills the list of channels. A service that has no such list says so, and By ID still works. */
export async function searchChannels(
	this: ILoadOptionsFunctions,
	filter?: string,
): Promise<INodeListSearchResult> {
	const results: INodeListSearchResult['results'] = [];
	try {
		const client = await createServiceClient(this);
		for await (const { id, name } of listChannels(client, filter ? { query: filter } : {})) {
			results.push({ name: name ?? id, value: id });
			if (results.length === LONGEST_LIST) break;
		}
	} catch (error) {
		if (error instanceof ServiceError && (error.status === 404 || error.status === 405)) {
			throw new NodeOperationError(
				this.getNode(),
				'This service offers no list of channels. Choose "By ID" and paste the channel ID.',
			);
		}
		if (error instanceof ServiceError && error.reason === 'role_required') {
			throw new NodeOperationError(
				this.getNode(),
				'The service lists channels only for accounts with the ENTERPRISE role. Choose "By ID" and paste the channel ID.',
			);
		}
		throw toNodeError(this.getNode(), error);
	}
	return { results };
}
