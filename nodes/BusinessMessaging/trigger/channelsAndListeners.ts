import type {
	ILoadOptionsFunctions,
	INodeListSearchItems,
	INodeListSearchResult,
} from 'n8n-workflow';

import { readAnew, WHILE_TYPING } from '../listSearch/channelList';
import { channelsFound, entryOf, titleOf } from '../listSearch/searchChannels';
import { createServiceClient } from '../service/client';
import type { Webhook } from '../service/contract';
import { webhookApi } from '../service/webhooks';
import { fewAtATime, Remembered } from '../shared/remembered';
import { oneLine } from '../service/log';
import { namesOfListeners } from './registration/otherWorkflows';

/** Channels at most whose webhooks a list reads, and how long it waits for each. */
const CHANNELS_READ_MAX = 20;
const TIMEOUT_MS = 3000;
/** While somebody types, webhooks are read for the one channel that is left. */
const CHANNELS_READ_TYPING = 1;
const webhooksRead = new Remembered<Webhook[]>(WHILE_TYPING, 100);
/** Workflows of a channel, and channels, that are named. */
const NAMES_MAX = 2;
/** Characters of a name. */
const NAME_MAX = 40;

/**
 * The trigger's list of channels. An entry above them names the published workflows that already
 * get the events chosen here: if two workflows answer, a customer gets two answers. It is an entry
 * of its own, because n8n keeps what a channel's says. The workflow in the editor is among them,
 * because n8n does not say which workflow a list is for.
 */
export async function channelsAndListeners(
	this: ILoadOptionsFunctions,
	filter?: string,
): Promise<INodeListSearchResult> {
	const channels = await channelsFound(this, filter);
	const events: unknown = this.getCurrentNodeParameter('channelEvents');
	const entries = channels.map(entryOf);
	if (!Array.isArray(events)) return { results: entries };
	const client = await createServiceClient(this);
	const isReading = channels.length <= (filter ? CHANNELS_READ_TYPING : CHANNELS_READ_MAX);
	const anew = readAnew(filter);
	const webhooksOf = async (channelId: string): Promise<Webhook[] | undefined> => {
		const key = `${client.account} ${channelId}`;
		const read = async () =>
			await webhookApi(client, { kind: 'channel', channelId }).list(TIMEOUT_MS);
		// The channel can be chosen without.
		return await (isReading ? webhooksRead.get(key, read, anew) : webhooksRead.known(key))?.catch(
			() => undefined,
		);
	};
	const inUse = await fewAtATime(channels, async (channel) => {
		const names = namesOfListeners((await webhooksOf(channel.id)) ?? [], events);
		const quoted = names.map((name) => `"${oneLine(name, NAME_MAX)}"`);
		return names.length === 0 ? [] : [`${titleOf(channel)} starts ${listOf(quoted)}`];
	});
	return { results: [...noteOf(inUse.flat()), ...entries] };
}

/** It cannot be chosen. */
const noteOf = (inUse: readonly string[]): INodeListSearchItems[] =>
	inUse.length === 0 ? [] : [{ name: `In use already: ${listOf(inUse)}`, value: '' }];

/** What an entry has room for. */
function listOf(all: readonly string[]): string {
	const more = all.length - NAMES_MAX;
	return `${all.slice(0, NAMES_MAX).join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
}
