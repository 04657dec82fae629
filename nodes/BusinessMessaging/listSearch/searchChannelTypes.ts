import type { ILoadOptionsFunctions, INodeListSearchResult } from 'n8n-workflow';
import { NodeOperationError } from 'n8n-workflow';

import { channelsForList, readAnew } from './channelList';

const INSTEAD = 'Choose "By ID" and enter the type as your service calls it.';

/** Fills the list of channel types with those of the account's channels. */
export async function searchChannelTypes(
	this: ILoadOptionsFunctions,
	filter = '',
): Promise<INodeListSearchResult> {
	const channels = await channelsForList(this, '', INSTEAD, readAnew(filter));
	const types = new Set(channels.flatMap(({ type }) => type || []));
	if (types.size === 0) {
		throw new NodeOperationError(
			this.getNode(),
			`No channel of the account shows a type. ${INSTEAD}`,
		);
	}
	const wanted = filter.toLowerCase();
	return {
		results: [...types]
			.filter((type) => type.toLowerCase().includes(wanted))
			.sort()
			.map((type) => ({ name: type, value: type })),
	};
}
