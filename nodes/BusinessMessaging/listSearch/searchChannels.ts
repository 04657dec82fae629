import type { ILoadOptionsFunctions } from 'n8n-workflow';

import { listChannels } from '../service/channels';
import type { ServiceClient } from '../service/client';
import { type Channel, CHANNEL_PAGE_SIZE } from '../service/contract';
import { ServiceError } from '../service/errors';
import { withoutSecrets } from '../service/secrets';
import { sentenceCase } from '../shared/texts/words';
import { Remembered } from '../shared/tools/remembered';
import { listSearch, matching, readAnew, readForList } from './readForList';

/** Fills the list of channels. n8n keeps an entry's name with the workflow. */
export const searchChannels = listSearch(async (context, typed) => {
	const instead = 'Choose "By ID" and paste the channel ID.';
	const channels = await channelsForList(context, typed, instead, readAnew(typed));
	return channels.map((channel) => ({ name: labelOf(channel), value: channel.id }));
});

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

export const searchChannelTypes = listSearch(async (context, typed) => {
	const channels = await channelsForList(context, '', TYPE_INSTEAD, readAnew(typed));
	const types = new Set(channels.flatMap(({ type }) => type || []));
	if (types.size === 0) throw new Error(`No channel of the account shows a type. ${TYPE_INSTEAD}`);
	const results = [...types].map((type) => ({ name: inWords(type), value: type }));
	return matching(typed, results).sort((left, right) => (left.name < right.name ? -1 : 1));
});

/** Channels in a list of the editor. What is typed narrows them down, in one request a letter. */
const LIST_MAX = 500;
const FOUND_MAX = CHANNEL_PAGE_SIZE.max;

/** Kept for a minute, by account and query. */
const channelsRead = new Remembered<Channel[]>(60_000, 100);

/** The account's channels. @param query the service searches @param instead of this list */
async function channelsForList(
	context: ILoadOptionsFunctions,
	query: string,
	instead: string,
	{ notBefore }: ReturnType<typeof readAnew>,
): Promise<Channel[]> {
	const most = query === '' ? LIST_MAX : FOUND_MAX;
	const readFirst = async (client: ServiceClient) => {
		const channels: Channel[] = [];
		for await (const channel of listChannels(client, { query })) {
			// They are remembered.
			channels.push(withoutSecrets(channel));
			if (channels.length === most) break;
		}
		return channels;
	};
	return await readForList(
		context,
		async (client) => {
			const key = `${client.account} ${query}`;
			return await channelsRead.get(key, async () => await readFirst(client), notBefore);
		},
		() => `This service offers no list of channels. ${instead}`,
		(error) =>
			error instanceof ServiceError && error.reason === 'role_required'
				? `Only accounts with the ENTERPRISE role can list channels. ${instead}`
				: error,
	);
}
