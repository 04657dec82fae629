import type { ServiceClient } from './client';
import type { Channel, ConnectRequest, CreateChannelRequest } from './contract';
import { CHANNEL_PAGE_SIZE, channelPageSchema, connectResponseSchema, createChannelResponseSchema } from './contract';
import { ServiceError } from './errors';

export interface ChannelFilter {
	/** Part of a name. */
	query?: string;
	type?: string;
}

/** Creates a channel and returns its id. */
export async function createChannel(client: ServiceClient, body: CreateChannelRequest): Promise<string> {
	const { id } = await client.request({ action: 'create the channel', method: 'POST', path: ['v1', 'channels'], body, answer: createChannelResponseSchema });
	return id;
}

/** Connects a channel to a business number. The service may refuse by a status or by `success: false`: both reject. */
export async function connectChannel(client: ServiceClient, channelId: string, body: ConnectRequest): Promise<void> {
	const action = 'connect the channel';
	const { success } = await client.request({ action, method: 'POST', path: ['v1', 'channels', channelId, 'connect'], body, answer: connectResponseSchema });
	if (!success) {
		throw new ServiceError(action, {
			reason: 'connection_refused_by_chat_app',
			effect: 'none',
			cause: 'the chat application did not accept the connection data',
			hint: 'The code can be used once and only for a short time: let the customer go through the connection again, and pass the new data on at once.',
		});
	}
}

/**
 * Walks the pages of the channel list, each channel once, without the `token` that an entry can hold. Whether pages count from 0 or 1 is not
 * published: page 0 is asked for first, and a service that refuses it is asked from 1.
 */
export async function* listChannels(client: ServiceClient, filter: ChannelFilter = {}): AsyncGenerator<Channel> {
	const seen = new Set<string>();
	const getPage = async (page: number) =>
		await client.request({
			action: 'list the channels',
			method: 'GET',
			path: ['v1', 'channels'],
			query: { page, pageSize: CHANNEL_PAGE_SIZE.max, ...(filter.query ? { query: filter.query } : {}), ...(filter.type ? { type: filter.type } : {}) },
			answer: channelPageSchema,
		});

	let page = 0;
	let answer = await getPage(page).catch(async (error: unknown) => {
		if (!(error instanceof ServiceError) || (error.status !== 400 && error.status !== 422)) throw error;
		page = 1;
		return await getPage(page);
	});
	let fruitless = 0;
	for (;;) {
		const before = seen.size;
		for (const channel of answer.content) {
			if (seen.has(channel.id)) continue;
			seen.add(channel.id);
			yield withoutToken(channel);
		}
		page += 1;
		// Pages 0 and 1 can be the same one. A second page with nothing new: the service counts more than it gives, and would be asked for ever.
		fruitless = seen.size > before ? 0 : fruitless + 1;
		if (seen.size >= answer.total || page > answer.totalPage || fruitless === 2) return;
		answer = await getPage(page);
	}
}

function withoutToken(channel: Channel): Channel {
	const shown = { ...channel };
	delete shown.token;
	return shown;
}
