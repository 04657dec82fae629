import type { ILoadOptionsFunctions, INodeListSearchResult } from 'n8n-workflow';

import { channelsFound, entryOf } from '../listSearch/searchChannels';
import { createServiceClient } from '../service/client';
import { webhookApi } from '../service/webhooks';
import { oneLine } from '../shared/words';
import { namesOfListeners } from './registration/otherWorkflows';

/** Channels at most whose webhooks a list reads, and how long it waits for each. */
const READ_MAX = 20;
const TIMEOUT_MS = 3000;
const NAMES_MAX = 2;
/** Characters of a name. */
const NAME_MAX = 40;

/**
 * The trigger's list of channels. It names the published workflows that already get the events
 * chosen here: if two workflows answer, a customer gets two answers. The one in the editor is
 * among them, because n8n does not say which workflow a list is for.
 */
export async function channelsAndListeners(
	this: ILoadOptionsFunctions,
	filter?: string,
): Promise<INodeListSearchResult> {
	const channels = await channelsFound(this, filter);
	const events: unknown = this.getCurrentNodeParameter('channelEvents');
	if (channels.length > READ_MAX || !Array.isArray(events))
		return { results: channels.map((channel) => entryOf(channel)) };
	const client = await createServiceClient(this);
	const listenersOf = async (channelId: string): Promise<string[]> => {
		try {
			const api = webhookApi(client, { kind: 'channel', channelId });
			return namesOfListeners(await api.list(TIMEOUT_MS), events);
		} catch {
			// The channel can be chosen without.
			return [];
		}
	};
	const entries = channels.map(async (channel) => {
		const names = await listenersOf(channel.id);
		return entryOf(channel, names.length > 0 ? `already starts ${listOf(names)}` : undefined);
	});
	return { results: await Promise.all(entries) };
}

/** Names as an entry has room for them. */
function listOf(names: readonly string[]): string {
	const shown = names.slice(0, NAMES_MAX).map((name) => `"${oneLine(name, NAME_MAX)}"`);
	const more = names.length - shown.length;
	return `${shown.join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
}
