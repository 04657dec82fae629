/**
 * The error bodies of the service. A: `{error: <status>, message}`. B: `{error: <message>}`. C: `{timestamp, code, message, subCode?}`.
 * D: `{error: {errors: [{message, code}]}}`. Source: docs/contract.md.
 */
export type ErrorShape = 'A' | 'B' | 'C' | 'D';

export interface RefusalDetails {
	headers?: Record<string, string>;
	/** Where the error has a shape of its own, whatever the route's is. */
	shape?: ErrorShape;
	/** Of shape C: what is wrong with media. */
	subCode?: string;
	/** Of shape D: the chat application's number for it. */
	code?: number;
}

/** A refusal that the caller is told about. Thrown before anything was changed, or inside a transaction. */
export class Refusal extends Error {
	readonly status: number;
	readonly details: RefusalDetails;

	constructor(status: number, message: string, details: RefusalDetails = {}) {
		super(message);
		this.status = status;
		this.details = details;
	}
}

/** Why the sandbox cannot start: one sentence for a person, with the remedy. */
export class StartError extends Error {}

/** Codes of shape C. Of them one is published: VALIDATION_ERROR. */
const CODES: Record<number, string> = {
	400: 'VALIDATION_ERROR',
	401: 'UNAUTHORIZED',
	404: 'NOT_FOUND',
	422: 'UNPROCESSABLE_ENTITY',
};

/** The body of an error. `now`: milliseconds, for the shape that tells the time. */
export function errorBody(shape: ErrorShape, { status, message, details }: Refusal, now: number) {
	switch (shape) {
		case 'A':
			return { error: status, message };
		case 'B':
			return { error: message };
		case 'C':
			return {
				timestamp: `${new Date(now).toISOString().slice(0, 19)}Z`,
				code: CODES[status] ?? (status < 500 ? 'REQUEST_ERROR' : 'SERVER_ERROR'),
				message,
				...(details.subCode === undefined ? {} : { subCode: details.subCode }),
			};
		case 'D':
			return { error: { errors: [{ message, code: details.code ?? status }] } };
	}
}
