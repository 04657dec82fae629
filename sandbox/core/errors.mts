/** The two error bodies of the service. A: `{error: <status>, message}`. B: `{error: <message>}`. Source: description. */
export type ErrorShape = 'A' | 'B';

/** A refusal that the caller is told about. Thrown before anything was changed, or inside a transaction. */
export class ServiceError extends Error {
	readonly status: number;
	readonly headers: Record<string, string>;

	constructor(status: number, message: string, headers: Record<string, string> = {}) {
		super(message);
		this.status = status;
		this.headers = headers;
	}
}

/** Why the sandbox cannot start: one sentence for a person, with the remedy. */
export class StartError extends Error {}

export function errorBody(shape: ErrorShape, status: number, message: string) {
	return shape === 'A' ? { error: status, message } : { error: message };
}
