import type { ServiceClient } from '../service/client';
import { asError, ServiceError } from '../service/errors';
import type { Message } from '../service/messages';
import { nameOfContent, sendMessage } from '../service/messages';
import { identifierOf } from '../service/recipient';
import { hostClock, steadyClock } from '../shared/clock';
import type { RequestTimes } from '../shared/sentSpan';
import { MAX_ATTEMPTS } from './hold';
import { holdBack, LONGEST_WAIT, mustNotWait } from './holdBack';
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
 * Sends one message outside of an execution's batch, when the limiter of its channel lets it. A
 * 429 or 503 holds back others, too, as in a batch.
 * @returns its ID, and when its request began and ended
 * @throws ServiceError, or what `prepare` throws. The effect is `none` if it did not leave in time
 */
export async function sendAlone(
	client: ServiceClient,
	message: Message,
	{ within, timeout, prepare }: Bounds = {},
): Promise<RequestTimes & { messageId: string }> {
	const limiter = limiterOf(client.account, message.channelId);
	const recipient = identifierOf(message.recipient);
	const until = within === undefined ? undefined : steadyClock.now() + within;
	const rest = () => (until === undefined ? LONGEST_WAIT : Math.max(0, until - steadyClock.now()));
	let isPrepared = false;
	for (let attempt = 1; ; attempt++) {
		const waiting = { limiter, recipient, message, isOver: false };
		const slot = await (until === undefined ? enter(waiting) : enterWithin(waiting, rest()));
		if (!slot) throw tooLate(message);
		try {
			if (!isPrepared) await prepare?.();
			isPrepared = true;
			const start = steadyClock.now();
			const messageId = await sendMessage(client, message, timeout);
			limiter.refusals.accept(recipient);
			return { start, end: steadyClock.now(), messageId };
		} catch (error) {
			const pause = holdBack(limiter, recipient, error);
			if (!pause || pause.wait > rest() || attempt === MAX_ATTEMPTS) throw asError(error);
		} finally {
			slot.leave();
		}
	}
}

interface WaitingMessage {
	limiter: RateLimiter;
	recipient: string;
	message: Message;
	/** Whether its time is over. */
	isOver: boolean;
}

/** Waits for the recipient, and then for the channel. */
async function enter(waiting: WaitingMessage): Promise<Slot | undefined> {
	const { limiter, recipient, message } = waiting;
	while (!waiting.isOver) {
		const state = await limiter.refusals.untilOpen(recipient, waiting);
		if (state === 'inVain' || state === 'crowded')
			throw mustNotWait(nameOfContent(message.content), state);
		const slot = waiting.isOver ? undefined : await limiter.enter(0, waiting);
		if (slot && !limiter.refusals.isHeld(recipient)) return slot;
		slot?.leave();
	}
	return undefined;
}

async function enterWithin(
	waiting: WaitingMessage,
	milliseconds: number,
): Promise<Slot | undefined> {
	let isWaiting = true;
	const entering = enter(waiting).finally(() => (isWaiting = false));
	// Usually nothing delays it, and it needs no timer.
	await Promise.race([entering, hostClock.sleep(0)]);
	if (isWaiting)
		void hostClock.sleep(milliseconds).then(() => {
			waiting.isOver = true;
			waiting.limiter.withdraw(waiting);
		});
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
