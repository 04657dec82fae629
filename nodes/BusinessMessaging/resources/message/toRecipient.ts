import { cutText } from '../../service/cutText';
import { ServiceError } from '../../service/errors';

const LOOKS_LIKE_A_NAME = /^\p{L}[\p{L}\s.'’-]*$/u;

/** A recipient as errors quote it, because it can be any text. */
export const quoteRecipient = (recipient: string): string => cutText(recipient, 64);

/**
 * Names the recipient in the error of a message. If the recipient looks like a name, it suggests
 * another field.
 * @param recipient undefined or empty: the error is returned as it is
 */
export function toRecipient(error: Error, recipient: string | undefined): Error {
	if (!recipient) return error;
	const whom = quoteRecipient(recipient);
	const suggestion = LOOKS_LIKE_A_NAME.test(recipient)
		? ` "${whom}" looks like a name. Is the recipient in sender.identifier?`
		: '';
	if (!(error instanceof ServiceError)) {
		// Changed in place, because n8n's expression errors hold more than a message.
		error.message = `To ${whom}: ${error.message}${suggestion}`;
		return error;
	}
	const { action, failure } = error;
	return new ServiceError(`${action} to ${whom}`, { ...failure, hint: failure.hint + suggestion });
}
