/** Calls n8n's internal REST interface, signed in like its editor. */
import { until } from '../until.mts';

/** n8n binds a session to the browser that signed in. This is ours. */
const BROWSER_ID = 'business-messaging-scripts';

const DATABASE_LIMIT_MS = 60_000;

export class N8nRequestError extends Error {
	constructor(
		request: string,
		readonly status: number,
		readonly reason: string,
	) {
		super(`n8n answered ${request} with ${status}: ${reason}`);
		this.name = 'N8nRequestError';
	}
}

export class N8nSession {
	/**
	 * @param session another client's session at this n8n, because n8n allows few sign-ins a minute
	 */
	constructor(
		readonly url: string,
		public session = '',
	) {}

	protected headers(): Record<string, string> {
		// One connection per request: n8n closes idle ones after 5 s, which could hit the next request
		// on a busy machine.
		return {
			connection: 'close',
			'browser-id': BROWSER_ID,
			...(this.session && { cookie: this.session }),
		};
	}

	/** Calls a route below /rest and returns the `data` of the response. */
	async request<T = unknown>(method: string, path: string, body?: unknown): Promise<T> {
		const { response, text } = await until(
			'n8n to reach its database',
			async () => await this.answerTo(method, path, body),
			DATABASE_LIMIT_MS,
		);
		const [cookie] = response.headers
			.getSetCookie()
			.filter((value) => value.startsWith('n8n-auth='));
		if (cookie !== undefined) this.session = cookie.split(';')[0] ?? '';
		if (!response.ok)
			throw new N8nRequestError(`${method} ${path}`, response.status, reasonOf(text));
		return (JSON.parse(text) as { data: T }).data;
	}

	/** @returns nothing while n8n refuses every request, before it looks at it */
	private async answerTo(method: string, path: string, body: unknown) {
		const response = await fetch(new URL(`/rest${path}`, this.url), {
			method,
			headers: { ...this.headers(), 'content-type': 'application/json' },
			body: body === undefined ? undefined : JSON.stringify(body),
		});
		const text = await response.text();
		const isRefused = response.status === 503 && reasonOf(text) === 'Database is not ready!';
		return isRefused ? undefined : { response, text };
	}
}

function reasonOf(text: string): string {
	try {
		return (JSON.parse(text) as { message?: string }).message ?? text;
	} catch {
		return text;
	}
}
