import type { ErrorResponse } from '../../../../nodes/BusinessMessaging/service/errors/failureOfResponse.ts';

/** A response that failed: by default one of 500 to a message, in no shape of the service. */
export const responseOf = (changes: Partial<ErrorResponse>): ErrorResponse => ({
	method: 'POST',
	path: ['v1', 'channels', 'C', 'messages'],
	status: 500,
	serviceMessage: undefined,
	subCode: undefined,
	isSendForm: false,
	excerpt: '',
	retryAfter: undefined,
	...changes,
});

/** What n8n throws if there is no response: an error within another. */
export const thrownBy = (code: string, changes: object = {}) =>
	Object.assign(new Error('wrapped'), {
		cause: Object.assign(new Error(code), { code, ...changes }),
	});
