import type { ServiceClient } from './client';
import { CREDIT_LIMIT_EXCEEDED, SUBSCRIPTION_TERMINATED, subscribedSchema } from './contract';
import { asError, type Failure, ServiceError } from './errors';
import { type Hints, withHint } from './errors/refusalHints';

const ACTION = 'subscribe the channel';

/** Where a person sees whether a channel is subscribed. */
const LOOK =
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
 * Subscribes a channel, which charges the account. It makes one request, although that is a GET,
 * and callers must not repeat it unless the error's effect is `none`. Source: published.
 * @returns the service's message, empty without one
 * @throws ServiceError. Its effect is `none` only if the service refused, or nothing left
 */
export async function subscribeChannel(client: ServiceClient, channelId: string): Promise<string> {
	try {
		const { message } = await withHint(
			REFUSED,
			client.request({
				action: ACTION,
				method: 'GET',
				path: ['v1', 'channels', channelId, 'subscribe'],
				response: subscribedSchema,
			}),
		);
		return message ?? '';
	} catch (error) {
		if (!(error instanceof ServiceError)) throw asError(error);
		throw isCertain(error.failure) ? asError(error) : inDoubt(error);
	}
}

const inDoubt = ({ failure }: ServiceError): ServiceError =>
	new ServiceError(ACTION, { ...failure, effect: 'unknown', hint: LOOK });

/** Other statuses say that it was not done, too. But then a second charge would be our mistake. */
const isCertain = ({ effect, status = 400 }: Failure): boolean =>
	effect === 'none' && status >= 400 && status < 500;

/** The error of a channel whose subscription was asked for in an earlier try of the execution. */
export const subscriptionInDoubt = (): ServiceError =>
	new ServiceError('tell whether the channel was subscribed', {
		reason: 'unknown_outcome',
		effect: 'unknown',
		cause: 'the result of an earlier try is unknown',
		hint: `The node does not ask for it again. ${LOOK}`,
	});

/**
 * Ends the subscription of a channel, which works on until the end of the paid time. The body
 * `{cancelReason}` is optional. Source: published.
 */
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
