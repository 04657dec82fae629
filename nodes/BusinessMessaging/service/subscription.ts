import { getChannel } from './channels';
import type { ServiceClient } from './client';
import { CREDIT_LIMIT_EXCEEDED, SUBSCRIPTION_TERMINATED, subscribedSchema } from './contract';
import { asError, type Failure, notDone, ServiceError } from './errors';
import { hintIn, type Hints, saying } from './errors/nodeError';

const ACTION = 'subscribe the channel';

/** Where a person sees whether a channel is subscribed. */
export const LOOK_AT_SUBSCRIPTION =
	'Look at "paymentStatus" in the output of the operation Get before you subscribe the channel again: each subscription is charged.';

/** The messages of refusals. Source: published. */
const REFUSED: Hints = [
	[
		CREDIT_LIMIT_EXCEEDED,
		'Nothing was charged. Raise the credit limit of the account at the service, or pay what is due.',
	],
	[
		SUBSCRIPTION_TERMINATED,
		'Nothing was charged. The service does not renew a subscription that has ended. Create, connect and subscribe a new channel.',
	],
];

/**
 * What is wrong with subscribing a channel in these states. Each request is charged, also of a
 * channel that is paid for. Source: published. A cancelled one is for the service to refuse.
 */
const PAID_FOR: Record<string, readonly [cause: string, hint: string]> = {
	PAID: [
		'it is subscribed already (its "paymentStatus" is PAID)',
		'Nothing was charged. The channel needs no other subscription.',
	],
	CANCELLATION_PROCESS: [
		'its subscription was cancelled, and the paid time has not ended (its "paymentStatus" is CANCELLATION_PROCESS)',
		'Nothing was charged. The channel works until the end of the paid time. To go on after that, create, connect and subscribe a new channel.',
	],
};

/** Whether a channel works in this state. */
export const isPaidFor = (status: string): boolean => Object.hasOwn(PAID_FOR, status.toUpperCase());

/** @returns "paymentStatus", in capitals. @throws ServiceError if it is paid for, or unread */
export async function readUnpaid(client: ServiceClient, channelId: string): Promise<string> {
	const channel = await getChannel(client, channelId).catch((error: unknown) => {
		if (!(error instanceof ServiceError)) throw asError(error);
		const { cause, hint } = error.failure;
		throw new ServiceError(ACTION, {
			...{ ...error.failure, effect: 'none', hint: `Nothing was charged. ${hint}` },
			cause: `its "paymentStatus" could not be read first: ${cause}`,
		});
	});
	const status = String(channel['paymentStatus'] ?? '').toUpperCase();
	const paid = Object.hasOwn(PAID_FOR, status) ? PAID_FOR[status] : undefined;
	if (!paid) return status;
	const [cause, hint] = paid;
	throw notDone(ACTION, 'rejected', { cause, hint });
}

/** The status of a channel whose subscription has ended. */
export const CANCELED = 'CANCELED';

/** The error of a channel that this process subscribed, or may have, which it may not show yet. */
export const subscribedJustNow = (retryAt: string, after: string): ServiceError =>
	new ServiceError(ACTION, {
		...{ reason: 'rejected', effect: 'none', retryAt },
		cause: 'this n8n asked for its subscription less than ten minutes ago',
		hint: `Nothing was charged now. Look at "paymentStatus" in the output of the operation Get, which can change late. If it shows no subscription, try again after ${after}.`,
	});

/**
 * Subscribes a channel, which charges the account. It asks once, although that is a GET, and
 * callers must not repeat it unless the error's effect is `none`. Source: published.
 * @returns the service's message, empty without one
 * @throws ServiceError. Its effect is `none` only if the service refused, or nothing left
 */
export async function subscribeChannel(client: ServiceClient, channelId: string): Promise<string> {
	const subscribed = client.request({
		action: ACTION,
		method: 'GET',
		path: ['v1', 'channels', channelId, 'subscribe'],
		response: subscribedSchema,
	});
	const { message } = await saying(subscribed, (error) =>
		isCertain(error.failure)
			? hintIn(REFUSED, error)
			: { effect: 'unknown', hint: LOOK_AT_SUBSCRIPTION },
	);
	return message ?? '';
}

/** Of these, somebody stopped waiting. The service may go on. */
const STOPPED_WAITING = [408, 499];

/** Other statuses say that it was not done, too. But then a second charge would be our mistake. */
const isCertain = ({ effect, status = 400 }: Failure): boolean =>
	effect === 'none' && status >= 400 && status < 500 && !STOPPED_WAITING.includes(status);

/** Ends a subscription. The channel works until the end of the paid time. Source: published. */
export async function cancelSubscription(
	client: ServiceClient,
	channelId: string,
	cancelReason?: string,
): Promise<void> {
	await client.request({
		action: 'cancel the subscription',
		method: 'DELETE',
		path: ['v1', 'channels', channelId, 'cancel'],
		query: { cancel: true },
		...(cancelReason ? { body: { cancelReason } } : {}),
	});
}
