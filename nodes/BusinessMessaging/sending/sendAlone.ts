import type { ServiceClient } from '../service/client';
import { asError, ServiceError } from '../service/errors';
import type { Message } from '../service/messages';
import { nameOfContent, sendMessage } from '../service/messages';
import { hostClock, steadyClock } from '../shared/clock';
import type { RequestTimes } from '../shared/sentSpan';
import { askedWaitOf, LONGEST_WAIT, MAX_OFFERS, pauseFor } from './askedWait';
import type { RateLimiter, Slot } from './rateLimiter';
import { limiterOf } from './rateLimiter';

export interface Bounds {
	/** Milliseconds in which it must leave. Left out: it waits as long as others on its channel. */
	within?: number;
	/** Milliseconds to wait for the service. */
	timeout?: number;
	/** Runs once it may leave, before the request. If it fails, nothing is sent. */
	prepare?: () => Promise<void>;
}

/**
 * Sends one message outside of an execution's batch, when the limiter of its channel admits it. A
 * pause that the service asks for holds for the whole channel.
 * @returns its ID, and when its request began and ended
 * @throws ServiceError, or what `prepare` throws. The effect is `none` if it did not leave in time
 */
export async function sendAlone(
	client: ServiceClient,
	message: Message,
	{ within, timeout, prepare }: Bounds = {},
): Promise<RequestTimes & { messageId: string }> {
	const limiter = limiterOf(client.account, message.channelId);
	const until = within === undefined ? undefined : steadyClock.now() + within;
	const rest = () => (until === undefined ? LONGEST_WAIT : Math.max(0, until - steadyClock.now()));
	let isPrepared = false;
	for (let offer = 1; ; offer++) {
		const slot = await (until === undefined
			? limiter.enter(0, message)
			: enterWithin(limiter, rest()));
		if (!slot) throw tooLate(message);
		try {
			if (!isPrepared) await prepare?.();
			isPrepared = true;
			const start = steadyClock.now();
			const messageId = await sendMessage(client, message, timeout);
			return { start, end: steadyClock.now(), messageId };
		} catch (error) {
			const wait = askedWaitOf(error);
			if (wait === undefined) throw asError(error);
			limiter.pause(pauseFor(wait));
			if (wait > rest() || offer === MAX_OFFERS) throw asError(error);
		} finally {
			slot.leave();
		}
	}
}

async function enterWithin(limiter: RateLimiter, milliseconds: number): Promise<Slot | undefined> {
	const owner = {};
	let isWaiting = true;
	const entering = limiter.enter(0, owner).finally(() => (isWaiting = false));
	// Usually nothing delays it, and it needs no timer.
	await hostClock.sleep(0);
	if (isWaiting) void hostClock.sleep(milliseconds).then(() => limiter.withdraw(owner));
	return await entering;
}

function tooLate({ content }: Message): ServiceError {
	return new ServiceError(`send the ${nameOfContent(content)}`, {
		reason: 'rate_limited',
		effect: 'none',
		cause: 'the service asked the channel to wait, and the wait is not over',
		hint: 'Nothing was sent.',
	});
}
