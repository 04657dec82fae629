import { type Answer, answerOf } from './answer.mts';
import type { Stop } from './stop.mts';

/** Milliseconds for a response. */
const TIMEOUT = 60_000;

export interface CallOptions {
	method?: string;
	/** Sent as JSON. A string is sent unchanged. */
	body?: unknown;
	/** Another key than the account's. */
	key?: string;
	/** Also after a signal: to remove what was made. */
	always?: boolean;
}

/** No response came. */
export class NoAnswer extends Error {}

/** Calls the service as any client does. */
export class Wire {
	readonly #url: string;
	readonly #key: string;
	readonly #stop: Stop;

	/** @param url Base URL without a trailing slash */
	constructor(url: string, key: string, stop: Stop) {
		this.#url = url;
		this.#key = key;
		this.#stop = stop;
	}

	/**
	 * A request under way is never given up at a signal: what it makes must be known, to be removed.
	 *
	 * @throws NoAnswer, or Stopped after a signal
	 */
	async call(
		path: string,
		{ method, body, key = this.#key, always = false }: CallOptions = {},
	): Promise<Answer> {
		if (!always) this.#stop.check();
		try {
			const response = await fetch(this.#url + path, {
				method: method ?? (body === undefined ? 'GET' : 'POST'),
				redirect: 'manual',
				signal: AbortSignal.timeout(TIMEOUT),
				headers: {
					authorization: `Bearer ${key}`,
					...(body === undefined ? {} : { 'content-type': 'application/json' }),
				},
				...(body === undefined
					? {}
					: { body: typeof body === 'string' ? body : JSON.stringify(body) }),
			});
			return answerOf(response, await response.text());
		} catch (error) {
			throw new NoAnswer(reasonOf(error));
		}
	}
}

function reasonOf(error: unknown): string {
	const { name, cause } = error as { name?: string; cause?: { code?: unknown } };
	if (name === 'TimeoutError') return `no response within ${TIMEOUT / 1000} s`;
	const code = cause?.code;
	return typeof code === 'string' ? `no response (${code})` : 'no response';
}
