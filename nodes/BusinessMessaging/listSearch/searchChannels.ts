import type { ILoadOptionsFunctions, INodeListSearchResult } from 'n8n-workflow';

import type { Channel } from '../service/contract';
import { toNodeError } from '../service/errors';
import { sentenceCase } from '../shared/texts/words';
import { channelsForList, readAnew } from './channelList';

/** Fills the list of channels. n8n keeps an entry's name with the workflow. */
export async function searchChannels(
	this: ILoadOptionsFunctions,
	filter = '',
): Promise<INodeListSearchResult> {
	const instead = 'Choose "By ID" and paste the channel ID.';
	const channels = await channelsForList(this, filter, instead, readAnew(filter));
	return { results: channels.map((channel) => ({ name: labelOf(channel), value: channel.id })) };
}

/** Its name, what tells it apart from another of that name, and whether it reaches nobody. */
function labelOf(channel: Channel): string {
	const { id, name, type, phoneNumberConnected, phoneConnected } = channel;
	const state = phoneConnected === false ? 'not connected' : undefined;
	const beside = [phoneNumberConnected, inWords(type ?? ''), state].filter(
		(text) => typeof text === 'string' && text.trim() !== '',
	);
	const title = name?.trim() ? name : id;
	return beside.length > 0 ? `${title} (${beside.join(', ')})` : title;
}

/** A channel's type: "Official chat app" of OFFICIAL_CHATAPP. */
const inWords = (type: string): string =>
	sentenceCase(type.replaceAll('_', ' ').replaceAll('CHATAPP', 'CHAT APP'));

const TYPE_INSTEAD = 'Choose "By ID" and enter the type as your service calls it.';

/** Fills the list of channel types with those of the account's channels. */
export async function searchChannelTypes(
	this: ILoadOptionsFunctions,
	filter = '',
): Promise<INodeListSearchResult> {
	const channels = await channelsForList(this, '', TYPE_INSTEAD, readAnew(filter));
	const types = new Set(channels.flatMap(({ type }) => type || []));
	if (types.size === 0) {
		throw toNodeError(this.getNode(), `No channel of the account shows a type. ${TYPE_INSTEAD}`);
	}
	const wanted = filter.toLowerCase();
	return {
		results: [...types]
			.map((type) => ({ name: inWords(type), value: type }))
			.filter(({ name, value }) => `${name} ${value}`.toLowerCase().includes(wanted))
			.sort((left, right) => (left.name < right.name ? -1 : 1)),
	};
}
