import { asError } from './nodeError';
import { ServiceError } from './serviceError';

/** What to do about a refusal, by a part of the service's message. */
export type Hints = ReadonlyArray<readonly [message: string, hint: string]>;

/** Adds the hint that fits the service's message. */
export async function withHint<Response>(
	hints: Hints,
	response: Promise<Response>,
): Promise<Response> {
	return await response.catch((error: unknown) => {
		const message = error instanceof ServiceError ? error.serviceMessage : undefined;
		const known = hints.find(([part]) => message?.includes(part));
		if (!(error instanceof ServiceError) || !known) throw asError(error);
		throw new ServiceError(error.action, { ...error.failure, hint: known[1] });
	});
}
