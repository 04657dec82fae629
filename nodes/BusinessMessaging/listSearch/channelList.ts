import type { ILoadOptionsFunctions } from 'n8n-workflow';
import { NodeOperationError } from 'n8n-workflow';

import type { ChannelFilter } from '../service/channels';
import { listChannels } from '../service/channels';
import { createServiceClient } from '../service/client';
import type { Channel } from '../service/contract';
import { ServiceError, toNodeError } from '../service/errors';
import { isNotOffered } from './notOffered';

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
