import type { ILoadOptionsFunctions, INodeListSearchItems } from 'n8n-workflow';

import { listChannels } from '../service/channels';
import { createServiceClient, type ServiceClient } from '../service/client';
import { type Channel, CHANNEL_PAGE_SIZE, ID_PATTERN } from '../service/contract';
import { ServiceError, toNodeError } from '../service/errors';
import { withoutSecrets } from '../service/secrets';
import { hostClock, steadyClock } from '../shared/tools/clock';
import { EDITOR_WAIT, patientClient } from '../shared/tools/patientClient';
import { Remembered } from '../shared/tools/remembered';

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
	const read = async (client: ServiceClient) =>
		await channelsRead.get(
			`${client.account} ${query}`,
			async () => await firstChannels(client, query),
			notBefore,
		);
	return await readForList(
		context,
		read,
		() => `This service offers no list of channels. ${instead}`,
		(error) =>
			error instanceof ServiceError && error.reason === 'role_required'
				? `Only accounts with the ENTERPRISE role can list channels. ${instead}`
				: error,
	);
}

/**
 * Reads what a list of the editor shows. Of an error, the editor shows the message alone.
 * @param notOffered what to say if the service has no such list. Older ones have none
 * @param otherwise what to say of any other error
 */
export async function readForList<Listed>(
	context: ILoadOptionsFunctions,
	read: (client: ServiceClient) => Promise<Listed>,
	notOffered?: () => string,
	otherwise = (error: unknown): unknown => error,
): Promise<Listed> {
	try {
		return await read(await clientForList(context));
	} catch (error) {
		const hasNone = error instanceof ServiceError && [404, 405].includes(error.status ?? 0);
		throw toNodeError(context.getNode(), hasNone && notOffered ? notOffered() : otherwise(error));
	}
}

export const notAtPath = (what: string): string =>
	`The service lists no ${what} at the Templates Path of the credential.`;

/** A client that waits a little if the service asks to. */
async function clientForList(context: ILoadOptionsFunctions): Promise<ServiceClient> {
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

/** The channel that is chosen in the editor. Undefined if there is none, or it is an expression. */
export function chosenChannel(context: ILoadOptionsFunctions): string | undefined {
	const channelId = context.getCurrentNodeParameter('channelId', { extractValue: true });
	return typeof channelId === 'string' && ID_PATTERN.test(channelId.trim())
		? channelId.trim()
		: undefined;
}
