/**
 * Executions of a process that may queue at a time. Each runs while it queues, so more could take
 * all places of an n8n with a concurrency limit, and nothing else would run.
 */
const QUEUE_PLACES = 3;

/** The places in the queue of questions. */
export class QueuePlaces {
	private free: number;

	constructor(places: number) {
		this.free = places;
	}

	/** @returns the function that gives the place back, once, or undefined if none is free */
	take(): (() => void) | undefined {
		if (this.free === 0) return undefined;
		this.free -= 1;
		let isHeld = true;
		return () => {
			if (isHeld) this.free += 1;
			isHeld = false;
		};
	}
}

/** One for the whole process: for every node that asks. */
export const queuePlaces = new QueuePlaces(QUEUE_PLACES);
