import { identifierOf } from '../service/recipient';

/**
 * An identifier for comparisons. All spellings of a phone number have the same. Other identifiers
 * lose only the blanks around them. Nothing is ever sent to the result.
 */
export function normalizeIdentifier(identifier: string): string {
	const sent = identifierOf(identifier.trim());
	const number = sent.replace(ARGENTINE_15, '54$1$2');
	for (const { form, usual } of COUNTRIES) {
		const [, before, after] = form.exec(number) ?? [];
		if (before !== undefined && after !== undefined) return before + usual + after;
	}
	return sent;
}

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

/** Within Argentina, a 15 follows the area code. The longer number shows that it is there. */
const ARGENTINE_15 = /^54(?=\d{12}$)(11|[23]\d{2,3}?)15(\d+)$/;
