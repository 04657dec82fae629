import type { ILoadOptionsFunctions, INodeListSearchItems } from 'n8n-workflow';

import { listChannels } from '../service/channels';
import type { ServiceClient } from '../service/client';
import { createServiceClient } from '../service/client';
import type { Channel } from '../service/contract';
import { CHANNEL_PAGE_SIZE, ID_PATTERN } from '../service/contract';
import { ServiceError, toNodeError } from '../service/errors';
import { withoutSecrets } from '../service/secrets';
import { hostClock, steadyClock } from '../shared/clock';
import { EDITOR_WAIT, patientClient } from '../shared/patientClient';
import { Remembered } from '../shared/remembered';

/** Channels in a list of the editor. What is typed narrows them down, in one request a letter. */
const LIST_MAX = 500;
const FOUND_MAX = CHANNEL_PAGE_SIZE.max;

/** Milliseconds. Each letter that is typed asks again. Only opening a list reads anew. */
const WHILE_TYPING = 60_000;
const channelsRead = new Remembered<Channel[]>(WHILE_TYPING, 100);

/** For a list that is opened. Undefined while somebody types. */
export const readAnew = (typed: string | undefined): number | undefined =>
	typed ? undefined : steadyClock.now();

/**
 * The account's channels for a list in the editor.
 * @param query is searched by the service
 * @param instead what to do if the service lists none
 * @param notBefore what was read earlier, by the steady clock, is read again
 */
export async function channelsForList(
	context: ILoadOptionsFunctions,
	query: string,
	instead: string,
	notBefore: number | undefined,
): Promise<Channel[]> {
	try {
		const client = await clientForList(context);
		const read = async () => await firstChannels(client, query);
		return await channelsRead.get(`${client.account} ${query}`, read, notBefore);
	} catch (error) {
		const node = context.getNode();
		if (isNotOffered(error))
			throw toNodeError(node, `This service offers no list of channels. ${instead}`);
		if (error instanceof ServiceError && error.reason === 'role_required') {
			throw toNodeError(
				node,
				`Only accounts with the ENTERPRISE role can list channels. ${instead}`,
			);
		}
		throw toNodeError(node, error);
	}
}

/** A client that waits a little if the service asks to. */
export async function clientForList(context: ILoadOptionsFunctions): Promise<ServiceClient> {
	const timeZone = () => context.getTimezone();
	const client = await createServiceClient(context);
	return patientClient(client, { most: EDITOR_WAIT, clock: hostClock, timeZone });
}

async function firstChannels(client: ServiceClient, query: string): Promise<Channel[]> {
	const channels: Channel[] = [];
	const most = query === '' ? LIST_MAX : FOUND_MAX;
	for await (const channel of listChannels(client, { query })) {
		// They are remembered.
		channels.push(withoutSecrets(channel));
		if (channels.length === most) break;
	}
	return channels;
}

/** An entry above the others, which cannot be chosen: more templates exist than are listed. */
export const onlyFirst = (count: number, otherWay: string): INodeListSearchItems => ({
	name: `Only the first ${count} templates are listed. For another one, choose "${otherWay}".`,
	value: '',
});

/** What an empty list of business accounts means. Source: published, as a fault of the service. */
export const NO_BUSINESS =
	'The service lists no business account, a known fault of its own even if a channel is connected.';

/** Whether the service has no such list. Older ones have none. */
export const isNotOffered = (error: unknown): boolean =>
	error instanceof ServiceError && (error.status === 404 || error.status === 405);

/** The channel that is chosen in the editor. Undefined if there is none, or it is an expression. */
export function chosenChannel(context: ILoadOptionsFunctions): string | undefined {
	const channelId = context.getCurrentNodeParameter('channelId', { extractValue: true });
	return typeof channelId === 'string' && ID_PATTERN.test(channelId.trim())
		? channelId.trim()
		: undefined;
}
