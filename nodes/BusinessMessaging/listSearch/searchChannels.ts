import type {
	ILoadOptionsFunctions,
	INodeListSearchItems,
	INodeListSearchResult,
} from 'n8n-workflow';
import { NodeOperationError } from 'n8n-workflow';

import type { Channel } from '../service/contract';
import { channelsForList, readAnew } from './channelList';

/** Fills the list of channels. */
export async function searchChannels(
	this: ILoadOptionsFunctions,
	filter?: string,
): Promise<INodeListSearchResult> {
	return { results: (await channelsFound(this, filter)).map(entryOf) };
}

/** The channels that a search in the editor finds. */
export async function channelsFound(
	context: ILoadOptionsFunctions,
	filter?: string,
): Promise<Channel[]> {
	return await channelsForList(
		context,
		filter ?? '',
		'Choose "By ID" and paste the channel ID.',
		readAnew(filter),
	);
}

/** Its entry in a list. n8n keeps the name with the workflow, so it is the channel's alone. */
export const entryOf = (channel: Channel): INodeListSearchItems => ({
	name: labelOf(channel),
	value: channel.id,
});

/** How people call it. */
export const titleOf = ({ id, name }: Channel): string => (name?.trim() ? name : id);

/**
 * Its name, with what tells it apart from another of that name: its number and its type. And
 * whether nobody can be reached with it.
 */
function labelOf(channel: Channel): string {
	const { type, phoneNumberConnected, phoneConnected } = channel;
	const state = phoneConnected === false ? 'not connected' : undefined;
	const beside = [phoneNumberConnected, type, state].filter(
		(text) => typeof text === 'string' && text.trim() !== '',
	);
	const title = titleOf(channel);
	return beside.length > 0 ? `${title} (${beside.join(', ')})` : title;
}

const TYPE_INSTEAD = 'Choose "By ID" and enter the type as your service calls it.';

/** Fills the list of channel types with those of the account's channels. */
export async function searchChannelTypes(
	this: ILoadOptionsFunctions,
	filter = '',
): Promise<INodeListSearchResult> {
	const channels = await channelsForList(this, '', TYPE_INSTEAD, readAnew(filter));
	const types = new Set(channels.flatMap(({ type }) => type || []));
	if (types.size === 0) {
		throw new NodeOperationError(
			this.getNode(),
			`No channel of the account shows a type. ${TYPE_INSTEAD}`,
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
