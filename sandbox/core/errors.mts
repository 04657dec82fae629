import { STATUS_CODES } from 'node:http';

/**
 * The error bodies of the service. A: `{error: <status>, message}`. B: `{error: <message>}`. C:
 * `{timestamp, code, message, subCode?}`. D: `{error: {errors: [{message, code, description?}]}}`.
 * `framework`: `{timestamp, status, error, path}`, of a fault: a server whose own code failed.
 * Source: docs/contract.md.
 */
export type ErrorShape = 'A' | 'B' | 'C' | 'D' | 'framework';

export interface RefusalDetails {
	headers?: Record<string, string>;
	/** For errors with a shape of their own, whatever the route's shape. */
	shape?: ErrorShape;
	/** In shape C, the problem with media. In shape D, the chat application's number of it. */
	subCode?: string;
	/** In shape D: the chat application's error number, and its name for it. */
	code?: number | string;
	name?: string;
	/** In shapes B and D: what is wrong, while the message is always the same. */
	description?: string;
}

/** A refusal that the caller is told. Thrown before any change, or inside a transaction. */
export class Refusal extends Error {
	readonly status: number;
	readonly details: RefusalDetails;

	constructor(status: number, message: string, details: RefusalDetails = {}) {
		super(message);
		this.status = status;
		this.details = details;
	}
}

/** Why the sandbox cannot start: one sentence for people, with the remedy. */
export class StartError extends Error {}

/** Codes of shape C. Only VALIDATION_ERROR is published. */
const CODES: Record<number, string> = {
	400: 'VALIDATION_ERROR',
	401: 'UNAUTHORIZED',
	404: 'NOT_FOUND',
	422: 'UNPROCESSABLE_ENTITY',
};

/** The body of an error. `now`: milliseconds. `path`: of the request. */
export function errorBody(
	shape: ErrorShape,
	{ status, message, details }: Refusal,
	{ now, path }: { now: number; path: string },
) {
	const { name, description } = details;
	const inner = { ...(name && { name }), description };
	switch (shape) {
		case 'A':
			return { error: status, message };
		case 'B':
			return {
				error: message,
				...(details.description === undefined
					? {}
					: { value: { errors: [{ message, code: String(status), ...inner }] } }),
			};
		case 'C':
			return {
				timestamp: `${new Date(now).toISOString().slice(0, 19)}Z`,
				code: CODES[status] ?? (status < 500 ? 'REQUEST_ERROR' : 'SERVER_ERROR'),
				message,
				...(details.subCode === undefined ? {} : { subCode: details.subCode }),
			};
		case 'framework':
			return {
				timestamp: new Date(now).toISOString(),
				status,
				error: STATUS_CODES[status] ?? message,
				path,
			};
		case 'D': {
			const { code = status, subCode } = details;
			return { error: { errors: [{ message, code, ...inner, ...(subCode && { subCode }) }] } };
		}
	}
}
