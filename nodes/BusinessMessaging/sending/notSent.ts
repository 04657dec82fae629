import { ServiceError } from '../service/errors';
import { laterBy } from '../shared/clock';
import type { Held } from './holds';

/** Why a message must not wait, by what is held. */
const CAUSES = {
	vain: () => 'the service asks to slow down, and waiting did not help',
	crowded: (of: Held['of']) =>
		`the service asks to slow down, and three executions already wait for this ${of}`,
	long: () => 'the service asks to wait for longer than a message waits',
	key: () => 'others with its Send Once Key wait, because the service asks to slow down',
	late: () => 'the service asked to wait, and the wait is not over',
};
export type WhyNot = keyof typeof CAUSES;

/**
 * The error of a message that is not sent, because it must not wait.
 * @param wait milliseconds after which it can be tried again
 */
export const notSent = (
	name: string,
	why: WhyNot,
	{ of, reason }: Pick<Held, 'of' | 'reason'>,
	...later: [wait: number, timeZone: string | undefined]
): ServiceError =>
	triedLater(
		new ServiceError(`send the ${name}`, {
			...{ reason, effect: 'none', cause: CAUSES[why](of) },
			hint: 'Nothing was sent. To send more slowly, use the option "Max per Second".',
		}),
		...later,
	);

/** Says in an error when the message can be tried again. */
export function triedLater(
	{ action, failure }: ServiceError,
	wait: number,
	timeZone: string | undefined,
): ServiceError {
	const { iso, said } = laterBy(wait, timeZone);
	return new ServiceError(action, {
		...failure,
		hint: `${failure.hint} Try again after ${said}.`,
		retryAt: iso,
	});
}

/** A refusal after which the message is offered again: a 429, or a 503 with `Retry-After`. */
export function pauseOf(
	error: unknown,
): { error: ServiceError; asked: number | undefined; reason: Held['reason'] } | undefined {
	if (!(error instanceof ServiceError)) return undefined;
	const { reason, failure } = error;
	const asked = failure.retryAfter;
	const isPause =
		reason === 'rate_limited' || (reason === 'service_unavailable' && asked !== undefined);
	return isPause ? { error, asked, reason } : undefined;
}
