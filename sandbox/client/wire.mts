/** A refusal of the sandbox, in its words. */
export class SandboxError extends Error {
	override readonly name = 'SandboxError';
	/** Status of the response; 0 if there was none. */
	readonly status: number;

	constructor(message: string, status: number, options?: ErrorOptions) {
		super(message, options);
		this.status = status;
	}
}

/** Calls the sandbox's control API. */
export class Wire {
	readonly url: string;
	readonly #headers: Record<string, string>;

	/** @param url of the sandbox, with or without a trailing slash */
	constructor(url: string, token: string | undefined) {
		this.url = url.replace(/\/$/, '');
		this.#headers = token === undefined ? {} : { 'x-sandbox-token': token };
	}

	/**
	 * @param path after `/_sandbox`
	 * @param body a file unchanged, anything else as JSON
	 * @returns what the response holds; undefined when it is empty
	 * @throws SandboxError if the sandbox refuses or does not listen
	 */
	async call<T>(method: string, path: string, body?: unknown): Promise<T> {
		const response = await fetch(`${this.url}/_sandbox${path}`, {
			...carried(body, this.#headers),
			method,
			// The token is for this sandbox alone.
			redirect: 'manual',
		}).catch((error: unknown) => {
			throw new SandboxError(`No sandbox listens at ${this.url}`, 0, { cause: error });
		});
		const text = await response.text();
		if (!response.ok) {
			const why = `${method} /_sandbox${path} was refused with ${response.status}: ${text}`;
			throw new SandboxError(why, response.status);
		}
		return (text === '' ? undefined : this.#parsed(text, response.status)) as T;
	}

	#parsed(text: string, status: number): unknown {
		try {
			return JSON.parse(text);
		} catch (cause) {
			throw new SandboxError(`${this.url} is not a sandbox`, status, { cause });
		}
	}
}

function carried(body: unknown, headers: Record<string, string>): RequestInit {
	if (body === undefined) return { headers };
	if (body instanceof Blob) return { body, headers: { ...headers, 'content-type': body.type } };
	return {
		body: JSON.stringify(body),
		headers: { ...headers, 'content-type': 'application/json' },
	};
}
