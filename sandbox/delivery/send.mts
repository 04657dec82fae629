import { Agent } from 'undici';

/** Bytes of a response that are kept for the inspector. */
const RESPONSE_KEPT = 4096;

/** The result of a call: a response, or the reason why there was none. */
export interface Result {
	status: number | null;
	headers: Record<string, string> | null;
	body: string | null;
	/** Why the attempt failed; null for a 2xx. */
	error: string | null;
}

export interface Call {
	url: string;
	headers: Record<string, string>;
	body: Buffer;
	controller: AbortController;
}

export const NOTHING_LISTENS = 'nothing listens at the webhook URL (connection refused)';

function reasonOf(error: unknown): string {
	if (!(error instanceof Error)) return String(error);
	const code = 'code' in error && typeof error.code === 'string' ? error.code : undefined;
	if (code === 'ECONNREFUSED') return NOTHING_LISTENS;
	return [code, error.message].filter(Boolean).join(': ');
}

/** Calls receivers. Keeps a limited number of connections per receiver and follows no redirects. */
export class Sender {
	readonly #timeout: number;
	readonly #agent;

	/** `timeout`: milliseconds for the whole call. */
	constructor(timeout: number, connectionsPerReceiver: number) {
		this.#timeout = timeout;
		this.#agent = new Agent({
			connections: connectionsPerReceiver,
			pipelining: 1,
			headersTimeout: 0,
			bodyTimeout: 0,
			maxResponseSize: -1,
		});
	}

	async call({ url, headers, body, controller }: Call): Promise<Result> {
		const { origin, pathname, search } = new URL(url);
		const timer = setTimeout(
			() => controller.abort(new Error(`no response within ${this.#timeout} ms`)),
			this.#timeout,
		);
		try {
			const response = await this.#agent.request({
				origin,
				path: pathname + search,
				method: 'POST',
				headers,
				body,
				signal: controller.signal,
			});
			const chunks: Buffer[] = [];
			let size = 0;
			for await (const chunk of response.body) {
				chunks.push(chunk as Buffer);
				size += (chunk as Buffer).length;
				// Leaving the loop closes the connection, so an endless response is not read to its end.
				if (size >= RESPONSE_KEPT) break;
			}
			return {
				status: response.statusCode,
				headers: Object.fromEntries(
					Object.entries(response.headers).map(([name, value]) => [name, String(value)]),
				),
				body: Buffer.concat(chunks).subarray(0, RESPONSE_KEPT).toString(),
				error:
					response.statusCode >= 200 && response.statusCode < 300
						? null
						: `answered ${response.statusCode}`,
			};
		} catch (error) {
			return {
				status: null,
				headers: null,
				body: null,
				error: reasonOf(controller.signal.reason ?? error),
			};
		} finally {
			clearTimeout(timer);
		}
	}

	async close(): Promise<void> {
		await this.#agent.destroy();
	}
}
