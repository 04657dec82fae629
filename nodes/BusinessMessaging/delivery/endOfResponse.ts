import type { Clock } from '../shared/clock';
import type { EndingResponse } from './deduplicate';
import { ABANDONED_LIMIT, isKept } from './deduplicate';

/** Milliseconds between two looks at a response whose sender went away: no event tells when n8n has made it. */
const LOOK = 100;

/** Waits until n8n has made a response, whether or not somebody is there to take it. @returns whether it was 2xx */
export async function endOfResponse(response: EndingResponse, clock: Clock): Promise<boolean> {
	if (!response.writableFinished && !response.destroyed)
		await new Promise<void>((resolve) => {
			response.once('finish', resolve);
			response.once('close', resolve);
		});
	const until = clock.now() + ABANDONED_LIMIT;
	while (!response.writableEnded && clock.now() < until) await clock.sleep(LOOK);
	return response.writableEnded && isKept(response);
}
