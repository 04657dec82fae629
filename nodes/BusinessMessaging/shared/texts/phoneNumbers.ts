import { identifierOf } from '../../service/recipient';
import { withoutMobile15 } from '../../service/trunk';
import { numberInAddress } from '../../service/writtenNumber';

/**
 * The key of an identifier that the service gave. Two people have different ones. All ways in which
 * the service can have one phone number share one, and any other identifier is its own. Nothing is
 * ever sent to a key.
 */
export function keyOf(identifier: string): string {
	const [, digits] = NUMBER.exec(numberInAddress(identifier) ?? identifier) ?? [];
	if (digits === undefined) return identifier;
	const number = withoutMobile15(digits);
	for (const { form, usual } of COUNTRIES) {
		const [, before, after] = form.exec(number) ?? [];
		if (before !== undefined && after !== undefined) return before + usual + after;
	}
	return digits;
}

/** The key of the person that a field names: of the identifier that would leave. */
export const keyOfEntered = (entered: string): string => keyOf(identifierOf(entered));

/** Some channels put a + in front. An ID with any other sign is no number. */
const NUMBER = /^\+?(\d{8,15})$/;

/**
 * Countries whose mobile numbers have an optional digit. The chat application and people do not
 * always write the same. No digit may turn a landline into a mobile number: a stranger could reply.
 */
const COUNTRIES: Array<{ form: RegExp; usual: string }> = [
	// Brazil added a 9 to mobile numbers, which began with 6 to 9. Landlines begin with 2 to 5.
	{ form: /^(55[1-9]{2})9?([6-9]\d{7})$/, usual: '9' },
	// Mexico had a 1 for calls to mobile numbers from abroad. The ten digits after it are unique.
	{ form: /^(52)1?([2-9]\d{9})$/, usual: '' },
	// Argentina has a 9 there. The ten digits after it, area and number, are unique.
	{ form: /^(54)9?([1-3]\d{9})$/, usual: '' },
];
