import { ServiceError } from '../service/errors';
import { laterBy } from '../shared/tools/clock';
import type { Held } from './holds';

const SLOW_DOWN = 'the service asks to slow down';
/** Why a message must not wait. */
const CAUSES = {
	vain: `${SLOW_DOWN}, and waiting did not help`,
	ownCrowd: `${SLOW_DOWN}, and three executions already wait for this recipient`,
	crowd: `${SLOW_DOWN}, and three executions already wait for this channel`,
	long: 'the service asks to wait for longer than a message waits',
	late: 'the service asked to wait, and the wait is not over',
	key: 'others with its Send Once Key were not done after 15 minutes',
};
export type WhyNot = keyof typeof CAUSES;
/** Milliseconds after which a key that others wait for is tried again. */
const TRY_AGAIN = 60_000;

/** The error of a message that is not sent, because it must not wait. */
export function notSent(
	name: string,
	why: WhyNot,
	held: Held | undefined,
	now: number,
	timeZone?: string,
): ServiceError {
	const isKey = why === 'key';
	const error = new ServiceError(`send the ${name}`, {
		reason: isKey ? 'key_waiting' : (held?.reason ?? 'rate_limited'),
		...{ effect: 'none', cause: CAUSES[why] },
		hint: `Nothing was sent.${isKey ? '' : ' To send more slowly, use the option "Max per Second".'}`,
	});
	return triedLater(error, isKey ? TRY_AGAIN : (held?.until ?? now) - now, timeZone);
}

/** Says in an error when the message can be tried again. */
export function triedLater(
	{ action, failure }: ServiceError,
	wait: number,
	timeZone?: string,
): ServiceError {
	const { iso, said } = laterBy(wait, timeZone);
	return new ServiceError(action, {
		...failure,
		hint: `${failure.hint} Try again after ${said}.`,
		retryAt: iso,
	});
}
