import type { ErrorResponse } from '#nodes/service/errors/response.ts';
import { kindOf } from '#nodes/service/errors/response.ts';

/** A response that failed: by default one of 500 to a message, in no shape of the service. */
export function responseOf(changes: Partial<ErrorResponse>): ErrorResponse {
	const { method = 'POST', path = ['v1', 'channels', 'C', 'messages'] } = changes;
	return {
		method,
		path,
		kind: method === 'POST' && path.at(-1) === 'messages' ? 'message' : kindOf({ method }),
		status: 500,
		serviceMessage: undefined,
		subCode: undefined,
		isSendForm: false,
		hasErrorList: false,
		excerpt: '',
		retryAfter: undefined,
		...changes,
	};
}

/** What n8n throws if there is no response: an error within another. */
export const thrownBy = (code: string, changes: object = {}) =>
	Object.assign(new Error('wrapped'), {
		cause: Object.assign(new Error(code), { code, ...changes }),
	});
