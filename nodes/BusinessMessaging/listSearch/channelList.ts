import type { ILoadOptionsFunctions } from 'n8n-workflow';
import { NodeOperationError } from 'n8n-workflow';

import type { ChannelFilter } from '../service/channels';
import { listChannels } from '../service/channels';
import { createServiceClient } from '../service/client';
import type { Channel } from '../service/contract';
import { ServiceError, toNodeError } from '../service/errors';
import { ID_PATTERN } from '../service/contract';

/** Channels in a list of the editor. The search narrows them down. */
const LIST_MAX = 500;

/**
 * The account's channels for a list in the editor.
 * @param instead what to do if the service lists none
 */
export async function channelsForList(
	context: ILoadOptionsFunctions,
	filter: ChannelFilter,
	instead: string,
): Promise<Channel[]> {
	const channels: Channel[] = [];
	try {
		for await (const channel of listChannels(await createServiceClient(context), filter)) {
			channels.push(channel);
			if (channels.length === LIST_MAX) break;
		}
	} catch (error) {
		const node = context.getNode();
		if (isNotOffered(error))
			throw new NodeOperationError(node, `This service offers no list of channels. ${instead}`);
		if (error instanceof ServiceError && error.reason === 'role_required') {
			throw new NodeOperationError(
				node,
				`Only accounts with the ENTERPRISE role can list channels. ${instead}`,
			);
		}
		throw toNodeError(node, error);
	}
	return channels;
}

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
