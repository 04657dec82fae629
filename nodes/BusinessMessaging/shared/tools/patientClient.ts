import type { ServiceClient } from '../../service/client';
import { asError, ServiceError } from '../../service/errors';
import type { ServiceRequest } from '../../service/exchange';
import { type Clock, laterBy } from './clock';

/** How long the reading of a list waits in all, if the service asks to. */
export interface Patience {
	/** Milliseconds. */
	most: number;
	clock: Clock;
	timeZone: () => string;
}

/** Of an item that lists, and of a list of the editor, for which a person waits. */
export const LIST_WAIT = 60_000;
export const EDITOR_WAIT = 5_000;
const TIMES_MAX = 3;

/** Milliseconds. A longer wait that a service asks for is told as a day. */
const DAY = 24 * 3_600_000;

/** A client for one list: its requests wait and are made again if the service says for how long. */
export function patientClient(
	client: ServiceClient,
	{ most, clock, timeZone }: Patience,
): ServiceClient {
	let times = 0;
	let waited = 0;
	async function request<Result = void>(wanted: ServiceRequest<Result>): Promise<Result> {
		for (;;) {
			try {
				return await client.request(wanted);
			} catch (error) {
				const wait = error instanceof ServiceError ? error.failure.retryAfter : undefined;
				if (!(error instanceof ServiceError) || wait === undefined) throw asError(error);
				if (times === TIMES_MAX || waited + wait > most) {
					const { said, iso } = laterBy(Math.min(wait, DAY), timeZone());
					const seconds = Math.round(waited / 1000);
					throw error.but({
						cause: `${error.failure.cause}, until ${said}`,
						hint: `Try again after ${said}.${times > 0 ? ` The node waited ${times} times, ${seconds} s in all.` : ''}`,
						retryAt: iso,
					});
				}
				times += 1;
				waited += wait;
				await clock.sleep(wait);
			}
		}
	}
	return { ...client, request };
}
