import type { ServiceClient } from './client';
import type { Channel, ConnectionData, CreateChannelRequest } from './contract';
import {
	CHANNEL_PAGE_SIZE,
	channelPageSchema,
	channelSchema,
	connectResponseSchema,
	createChannelResponseSchema,
	disconnectResponseSchema,
	INSTANCE_HAS_ACTIVE_SUBSCRIPTION,
	INSTANCE_STILL_CONNECTED,
} from './contract';
import { asError, notDone, ServiceError } from './errors';
import { hintIn, type Hints, saying } from './errors/nodeError';
import { ListPages } from './pages';
import { secretsIn } from './secrets';

export interface ChannelFilter {
	/** Part of a name or an id. */
	query?: string;
	type?: string;
}

/** The messages of refusals. Source: published. */
const TYPE_REFUSED: Hints = [['type must be one of', 'Choose one of these types in "Type".']];

const BEFORE_DELETION: Hints = [
	[
		INSTANCE_STILL_CONNECTED,
		'The channel is still connected. Disconnect it first, with the operation Disconnect, then delete it.',
	],
	[
		INSTANCE_HAS_ACTIVE_SUBSCRIPTION,
		'The channel still has an active subscription. If its "paymentStatus" is PAID, end it with the operation Cancel Subscription. Delete the channel when the paid time is over.',
	],
];

/** What the service answers to an unknown type. */
const TYPE_UNKNOWN =
	'The service may not know this type: check "Type". Then look in the dashboard of the service whether the channel is there, before you create it again.';

/** Creates a channel and returns its id. */
export async function createChannel(
	client: ServiceClient,
	body: CreateChannelRequest,
): Promise<string> {
	const created = client.request({
		action: 'create the channel',
		method: 'POST',
		path: ['v1', 'channels'],
		body,
		response: createChannelResponseSchema,
	});
	const { id } = await saying(created, (error) =>
		error.status === 500 ? { hint: TYPE_UNKNOWN } : hintIn(TYPE_REFUSED, error),
	);
	return id;
}

/**
 * Connects a channel with what the connection SDK returned. An error quotes nothing of the response
 * but its status and codes. The service refuses by a status or `success: false`.
 */
export async function connectChannel(
	client: ServiceClient,
	channelId: string,
	body: ConnectionData,
): Promise<void> {
	const action = 'connect the channel';
	const { success } = await client.request({
		action,
		method: 'POST',
		path: ['v1', 'channels', channelId, 'connect'],
		body,
		secrets: secretsIn(body),
		quotesOnlyCodes: true,
		response: connectResponseSchema,
	});
	if (!success)
		throw notDone(action, 'connection_refused_by_chat_app', {
			cause: 'the chat application did not accept the connection data',
			hint: 'What the connection SDK returns works once, for a short time. Let the customer connect again.',
		});
}

/** A channel with its webhooks. It can have tokens. */
export const getChannel = async (
	client: ServiceClient,
	channelId: string,
	timeout?: number,
): Promise<Channel> =>
	await client.request({
		action: 'get the channel',
		method: 'GET',
		path: ['v1', 'channels', channelId],
		response: channelSchema,
		timeout,
	});

/** Disconnects a channel. Rejects unless the service confirms it. */
export async function disconnectChannel(client: ServiceClient, channelId: string): Promise<void> {
	const action = 'disconnect the channel';
	const isDone = await client.request({
		action,
		method: 'PUT',
		path: ['v1', 'channels', channelId, 'disconnect'],
		response: disconnectResponseSchema,
	});
	if (!isDone)
		throw notDone(action, 'rejected', {
			cause: 'the service answered that it was not done',
			hint: 'Use the operation Get to see whether the channel is connected, then try again.',
		});
}

/** Deletes a channel permanently. The body `{cancelReason}` is optional (published). */
export async function deleteChannel(
	client: ServiceClient,
	channelId: string,
	cancelReason?: string,
): Promise<void> {
	const deleted = client.request({
		action: 'delete the channel',
		method: 'DELETE',
		path: ['v1', 'channels', channelId],
		...(cancelReason ? { body: { cancelReason } } : {}),
	});
	await saying(deleted, (error) => hintIn(BEFORE_DELETION, error));
}

/**
 * Lists the channels of all pages, each once. They can have tokens. Pages count from 0 (published).
 * A service that counts from 1 refuses page 0, or gives page 1 for it. No page is requested twice.
 */
export async function* listChannels(
	client: ServiceClient,
	filter: ChannelFilter = {},
): AsyncGenerator<Channel> {
	const action = 'list the channels';
	const pages = new ListPages(action, ({ id }: Channel) => id);
	const getPage = async (page: number) =>
		await client.request({
			action,
			method: 'GET',
			path: ['v1', 'channels'],
			query: {
				page,
				pageSize: CHANNEL_PAGE_SIZE.max,
				...(filter.query ? { query: filter.query } : {}),
				...(filter.type ? { type: filter.type } : {}),
			},
			response: channelPageSchema,
			entries: { field: 'content' },
		});

	let page = 0;
	let current = await getPage(page).catch(async (error: unknown) => {
		if (!refusesPage(error)) throw asError(error);
		page = 1;
		return await getPage(page);
	});
	// The service may count from 0 anyway. If channels are missing in the end, page 1 is read.
	let skipped = page === 0 && current.page === 1;
	if (skipped) page = 1;
	let fruitless = 0;
	for (;;) {
		const fresh = pages.newIn(current.content);
		yield* fresh;
		if (pages.size >= current.total) return;
		page += 1;
		// After two pages with nothing new, the total is wrong, and the loop must end.
		fruitless = fresh.length > 0 ? 0 : fruitless + 1;
		if (page <= current.totalPage && fruitless < 2) {
			current = await getPage(page);
		} else if (skipped) {
			skipped = false;
			page = current.totalPage;
			current = await getPage(1);
		} else {
			return;
		}
	}
}

/** Whether the service may have refused the page number. */
const refusesPage = (error: unknown): boolean =>
	error instanceof ServiceError &&
	(error.status === 400 || error.status === 422) &&
	(error.reason === 'invalid_request' || error.reason === 'rejected');
