import type { ServiceClient } from './client';
import type { Channel, ConnectRequest, CreateChannelRequest } from './contract';
import {
	CHANNEL_PAGE_SIZE,
	channelPageSchema,
	channelSchema,
	connectResponseSchema,
	createChannelResponseSchema,
	disconnectResponseSchema,
} from './contract';
import { asError, ServiceError } from './errors';
import { withoutTokens } from './tokens';

export interface ChannelFilter {
	/** Part of a name or an id. */
	query?: string;
	type?: string;
}

/** Creates a channel and returns its id. */
export async function createChannel(
	client: ServiceClient,
	body: CreateChannelRequest,
): Promise<string> {
	const { id } = await client.request({
		action: 'create the channel',
		method: 'POST',
		path: ['v1', 'channels'],
		body,
		response: createChannelResponseSchema,
	});
	return id;
}

/** Connects a channel to a business number. The service may refuse by a status or by `success: false`: both reject. */
export async function connectChannel(
	client: ServiceClient,
	channelId: string,
	body: ConnectRequest,
): Promise<void> {
	const action = 'connect the channel';
	const { success } = await client.request({
		action,
		method: 'POST',
		path: ['v1', 'channels', channelId, 'connect'],
		body,
		response: connectResponseSchema,
	});
	if (!success) {
		throw new ServiceError(action, {
			reason: 'connection_refused_by_chat_app',
			effect: 'none',
			cause: 'the chat application did not accept the connection data',
			hint: 'The code can be used once and only for a short time: let the customer go through the connection again, and pass the new data on at once.',
		});
	}
}

/** A channel as the service has it, with its webhooks, but without any `token` and without signatures in URLs. */
export async function getChannel(client: ServiceClient, channelId: string): Promise<Channel> {
	const channel = await client.request({
		action: 'get the channel',
		method: 'GET',
		path: ['v1', 'channels', channelId],
		response: channelSchema,
	});
	return withoutTokens(channel);
}

/** Takes a channel's business number off the service. Rejects unless the service says that it was done. */
export async function disconnectChannel(client: ServiceClient, channelId: string): Promise<void> {
	const action = 'disconnect the channel';
	const isDone = await client.request({
		action,
		method: 'PUT',
		path: ['v1', 'channels', channelId, 'disconnect'],
		response: disconnectResponseSchema,
	});
	if (!isDone) {
		throw new ServiceError(action, {
			reason: 'rejected',
			effect: 'none',
			cause: 'the service answered that it was not done',
			hint: 'Use the operation Get to see whether the channel is connected, then try again.',
		});
	}
}

/** What to do before a channel can be deleted, by the words with which the service refuses it. Source: published. */
const BEFORE_DELETION: ReadonlyArray<readonly [words: string, hint: string]> = [
	[
		'INSTANCE_STILL_CONNECTED',
		'The channel is still connected to a business number. Disconnect it first, with the operation Disconnect, then delete it.',
	],
	[
		'INSTANCE_HAS_ACTIVE_SUBSCRIPTION',
		'The channel still has an active subscription. Cancel it in the account at the service first, then delete the channel.',
	],
];

/** Deletes a channel for good. The body `{cancelReason}` is optional (published): without a reason there is none. */
export async function deleteChannel(
	client: ServiceClient,
	channelId: string,
	cancelReason?: string,
): Promise<void> {
	try {
		await client.request({
			action: 'delete the channel',
			method: 'DELETE',
			path: ['v1', 'channels', channelId],
			...(cancelReason ? { body: { cancelReason } } : {}),
		});
	} catch (error) {
		const said = error instanceof ServiceError ? error.serviceMessage : undefined;
		const known = BEFORE_DELETION.find(([words]) => said?.includes(words));
		if (!(error instanceof ServiceError) || !known) throw asError(error);
		throw asError(new ServiceError(error.action, { ...error.failure, hint: known[1] }));
	}
}

/**
 * Walks the pages of the channel list, each channel once, without any `token`. Pages count from 0 (published); a service that
 * counts from 1 is known by its refusing page 0, or by its giving page 1 in its place. No page is asked for twice.
 */
export async function* listChannels(
	client: ServiceClient,
	filter: ChannelFilter = {},
): AsyncGenerator<Channel> {
	const seen = new Set<string>();
	const getPage = async (page: number) =>
		await client.request({
			action: 'list the channels',
			method: 'GET',
			path: ['v1', 'channels'],
			query: {
				page,
				pageSize: CHANNEL_PAGE_SIZE.max,
				...(filter.query ? { query: filter.query } : {}),
				...(filter.type ? { type: filter.type } : {}),
			},
			response: channelPageSchema,
		});

	let page = 0;
	let listed = await getPage(page).catch(async (error: unknown) => {
		if (!refusesPage(error)) throw asError(error);
		page = 1;
		return await getPage(page);
	});
	// Whether it counts from 1, or only says so, is seen when something is missing in the end.
	let skipped = page === 0 && listed.page === 1;
	if (skipped) page = 1;
	let fruitless = 0;
	for (;;) {
		const before = seen.size;
		for (const channel of listed.content) {
			if (seen.has(channel.id)) continue;
			seen.add(channel.id);
			yield withoutTokens(channel);
		}
		if (seen.size >= listed.total) return;
		page += 1;
		// A second page with nothing new: the service counts more than it gives, and would be asked for ever.
		fruitless = seen.size > before ? 0 : fruitless + 1;
		if (page <= listed.totalPage && fruitless < 2) {
			listed = await getPage(page);
		} else if (skipped) {
			skipped = false;
			page = listed.totalPage;
			listed = await getPage(1);
		} else {
			return;
		}
	}
}

/** Whether a service may have refused the number of a page, and not the request as such. */
function refusesPage(error: unknown): boolean {
	return (
		error instanceof ServiceError &&
		(error.status === 400 || error.status === 422) &&
		(error.reason === 'invalid_request' || error.reason === 'rejected')
	);
}
