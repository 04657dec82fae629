/** Number of requests kept. */
const KEPT = 20_000;

/** A request to the service's own routes. Contains no key, and of a body only the recipient. */
export interface LoggedRequest {
	number: number;
	/** Real time, milliseconds. */
	time: number;
	method: string;
	path: string;
	/** Status of the response; null while in flight or if the connection was cut. */
	status: number | null;
	/** Milliseconds until the response; null while in flight. */
	duration: number | null;
	/** Number of requests in flight when this one arrived, including it. */
	inFlight: number;
	/** The recipient, for a send whose body was read. */
	recipient?: string;
	/** The reason of a refusal, as the caller was told. */
	refusal?: string;
}

/**
 * Requests to the service with their times, for tests that count and for the page. Lost with the
 * process.
 */
export class RequestLog {
	#entries: LoggedRequest[] = [];
	#total = 0;
	#inFlight = 0;
	#maxInFlight = 0;

	begin(method: string, path: string): LoggedRequest {
		this.#total += 1;
		this.#inFlight += 1;
		this.#maxInFlight = Math.max(this.#maxInFlight, this.#inFlight);
		const entry: LoggedRequest = {
			number: this.#total,
			time: Date.now(),
			method,
			path,
			status: null,
			duration: null,
			inFlight: this.#inFlight,
		};
		this.#entries.push(entry);
		// Halved, so that a busy sandbox does not move the whole log at every request.
		if (this.#entries.length > 2 * KEPT) this.#entries = this.#entries.slice(-KEPT);
		return entry;
	}

	end(entry: LoggedRequest, status: number | null): void {
		this.#inFlight -= 1;
		entry.status = status;
		entry.duration = Date.now() - entry.time;
	}

	summary() {
		return { total: this.#total, inFlight: this.#inFlight, maxInFlight: this.#maxInFlight };
	}

	/** The newest `limit` matching requests, oldest first. `path`: the beginning of the path. */
	list(filter: {
		method?: string | undefined;
		path?: string | undefined;
		limit: number;
	}): LoggedRequest[] {
		const { method, path, limit } = filter;
		const matches = (entry: LoggedRequest) =>
			(!method || entry.method === method) && (!path || entry.path.startsWith(path));
		return this.#entries.filter(matches).slice(-limit);
	}

	clear(): void {
		this.#entries = [];
		this.#total = 0;
		this.#maxInFlight = this.#inFlight;
	}
}
