import { ServiceError } from '../service/errors';

/** A recipient as errors quote it: it can be any text. */
export const quoteRecipient = (recipient: string): string => recipient.slice(0, 64);

/**
 * The error of a message, saying for whom it was: who reads it has many. Where the recipient holds no digit, a number was meant, and it asks for it.
 * @param recipient undefined or empty: nobody is known, and the error is given as it is
 */
export function toRecipient(error: Error, recipient: string | undefined): Error {
	if (!recipient) return error;
	const whom = quoteRecipient(recipient);
	const doubt = /\d/.test(recipient)
		? ''
		: ` "${whom}" holds no digit: is the recipient in sender.identifier?`;
	if (!(error instanceof ServiceError)) {
		// n8n's own errors of expressions carry more than their message.
		error.message = `To ${whom}: ${error.message}${doubt}`;
		return error;
	}
	const { action, failure } = error;
	return new ServiceError(`${action} to ${whom}`, { ...failure, hint: failure.hint + doubt });
}
