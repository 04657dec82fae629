import type { IExecuteFunctions } from 'n8n-workflow';

import { asError } from './errors';

/** The longest timer, in milliseconds. A longer one ends at once. */
const TIMER_MAX = 2 ** 31 - 1;

/**
 * What ends a request and the reading of its response.
 * @param context only an execution can be cancelled
 */
export function startDeadline(
	context: object & Partial<Pick<IExecuteFunctions, 'getExecutionCancelSignal'>>,
	milliseconds: number,
) {
	// Node.js refuses a timer with a fraction, which what is left of a longer wait has.
	const timeout = Math.min(Math.ceil(milliseconds), TIMER_MAX);
	const over = AbortSignal.timeout(timeout);
	const cancelled = context.getExecutionCancelSignal?.();
	const controller = new AbortController();
	const { signal } = controller;
	const stop = () => controller.abort(over.aborted ? over.reason : cancelled?.reason);
	const sources = cancelled ? [over, cancelled] : [over];
	for (const source of sources) source.addEventListener('abort', stop, { once: true });
	if (cancelled?.aborted) stop();
	return {
		/** Milliseconds for all of it. */
		timeout,
		/** Aborted when the time is over, or when the execution is cancelled. */
		signal,
		/** The error's code if the time is over, or the execution cancelled. */
		codeOfEnd: () => {
			if (over.aborted) return { code: 'ETIMEDOUT' };
			return cancelled?.aborted ? { code: 'ERR_CANCELED' } : undefined;
		},
		/** What comes first: the result, or the end of the time. n8n may not heed the signal. */
		race: async <Result>(result: Promise<Result>): Promise<Result> =>
			await new Promise((resolve, reject) => {
				const giveUp = () => reject(asError(signal.reason));
				signal.addEventListener('abort', giveUp, { once: true });
				if (signal.aborted) giveUp();
				result
					.then(resolve, (error: unknown) => reject(asError(error)))
					.finally(() => signal.removeEventListener('abort', giveUp));
			}),
		/** Lets go of the execution, whose signal lives longer. */
		end: () => {
			for (const source of sources) source.removeEventListener('abort', stop);
		},
	};
}
