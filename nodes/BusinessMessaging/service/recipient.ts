/** The signs in a phone number: blanks, also invisible ones from copying, and punctuation. */
const SIGNS = /[\s+()./\p{Pd}\p{Cf}−]/gu;
/** Such a number can be the ID of a group. */
const IS_NEGATIVE = /^[\s\p{Cf}]*[\p{Pd}−]/u;

/**
 * Whether a recipient looks like a phone number, also a mistyped one. For hints alone: which
 * recipients a channel has, only the service knows.
 */
export const isWrittenAsNumber = (recipient: string): boolean =>
	/^\d{1,15}$/.test(recipient.replace(SIGNS, ''));

/**
 * A recipient as it leaves: a phone number without its signs, with no other digit added or removed.
 * Everything else leaves as it is. Whatever tells recipients apart goes by this, too.
 */
export function identifierOf(recipient: string): string {
	// The 00 stands for +.
	const digits = recipient.replace(SIGNS, '').replace(/^00/, '');
	return /^\d{8,15}$/.test(digits) && !IS_NEGATIVE.test(recipient) ? digits : recipient;
}
