import type { Clock } from '../shared/tools/clock';

/** The parts of an HTTP response that tell how it ended. */
export interface EndingResponse {
	statusCode: number;
	/** The response was handed over to the network. */
	writableFinished: boolean;
	/** The response was made, even if the sender had disconnected. */
	writableEnded: boolean;
	/** The connection ended. */
	destroyed: boolean;
	once(event: 'finish' | 'close', listener: () => void): unknown;
}

/** Milliseconds between two looks at a response without a sender: no event tells its end. */
const LOOK = 100;

/** Milliseconds to wait for such a response. A later one counts as lost. */
const ABANDONED_LIMIT = 60_000;

/**
 * Waits until n8n has made a response. n8n responds after `webhook()` has returned, and can still
 * respond 500. If the sender disconnected, n8n stores the execution all the same.
 * @returns whether the response was a 2xx
 */
export async function endOfResponse(response: EndingResponse, clock: Clock): Promise<boolean> {
	if (!response.writableFinished && !response.destroyed)
		await new Promise<void>((resolve) => {
			response.once('finish', resolve);
			response.once('close', resolve);
		});
	const until = clock.now() + ABANDONED_LIMIT;
	while (!response.writableEnded && clock.now() < until) await clock.sleep(LOOK);
	return response.writableEnded && response.statusCode >= 200 && response.statusCode <= 299;
}
