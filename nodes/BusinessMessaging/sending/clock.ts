/** Time as sending sees it, so that tests can play it. */
export interface Clock {
	/** Milliseconds. */
	now(): number;
	/** Resolves after the milliseconds, or as soon as the signal aborts. */
	sleep(milliseconds: number, signal?: AbortSignal): Promise<void>;
}
