import type {
	ILoadOptionsFunctions,
	INodeListSearchItems,
	INodeListSearchResult,
} from 'n8n-workflow';

import type { Channel } from '../service/contract';
import { channelsForList, readAnew } from './channelList';

/** Fills the list of channels. */
export async function searchChannels(
	this: ILoadOptionsFunctions,
	filter?: string,
): Promise<INodeListSearchResult> {
	return { results: (await channelsFound(this, filter)).map((channel) => entryOf(channel)) };
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

/**
 * Its entry in a list.
 * @param note what else is worth knowing. It comes early, because the editor cuts long entries.
 */
export function entryOf(channel: Channel, note?: string): INodeListSearchItems {
	return { name: labelOf(channel, note), value: channel.id };
}

/**
 * Its name, with what tells it apart from another of that name: its number and its type. And
 * whether nobody can be reached with it.
 */
function labelOf(channel: Channel, note?: string): string {
	const { id, name, type, phoneNumberConnected, phoneConnected } = channel;
	const state = phoneConnected === false ? 'not connected' : undefined;
	const beside = [phoneNumberConnected, type, state].filter(
		(text) => typeof text === 'string' && text.trim() !== '',
	);
	const called = name?.trim() ? name : id;
	const noted = note === undefined ? called : `${called} – ${note}`;
	return beside.length > 0 ? `${noted} (${beside.join(', ')})` : noted;
}
