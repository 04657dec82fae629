import type { ILoadOptionsFunctions, INodeListSearchResult } from 'n8n-workflow';

import type { Channel } from '../service/contract';
import { channelsForList } from './channelList';

/** Fills the list of channels. */
export async function searchChannels(
	this: ILoadOptionsFunctions,
	filter?: string,
): Promise<INodeListSearchResult> {
	const channels = await channelsForList(
		this,
		filter ? { query: filter } : {},
		'Choose "By ID" and paste the channel ID.',
	);
	return { results: channels.map((channel) => ({ name: labelOf(channel), value: channel.id })) };
}

/** Its name, with what tells it apart from another of that name: its number and its type. */
function labelOf({ id, name, type, phoneNumberConnected: number }: Channel): string {
	const beside = [number, type].filter((text) => typeof text === 'string' && text.trim() !== '');
	const called = name?.trim() ? name : id;
	return beside.length > 0 ? `${called} (${beside.join(', ')})` : called;
}
