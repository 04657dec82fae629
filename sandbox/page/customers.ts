/**
 * What this tab knows of customers and the sandbox does not: names of those who have not written
 * yet, and whether one was removed.
 */

const SUGGESTED = { customer: '5500000000101', name: 'Ana Example' };
const REMOVED = 'customer-removed';

const keyOf = (customer: string) => `customer-name:${customer}`;

export const isSuggested = (chat: object) => chat === SUGGESTED;

/** The customer that a sandbox suggests until somebody removes one. */
export const suggestion = () => (sessionStorage.getItem(REMOVED) === null ? SUGGESTED : undefined);

export const remember = (customer: string, name: string) =>
	sessionStorage.setItem(keyOf(customer), name);

export function forget(customer: string) {
	sessionStorage.removeItem(keyOf(customer));
	sessionStorage.setItem(REMOVED, 'true');
}

/** After a reset, the sandbox is new. */
export const forgetAll = () => sessionStorage.clear();

/**
 * The entered or suggested name of a customer whose name the sandbox does not know: it calls them
 * by their number.
 */
export function named<C extends { customer: string; name: string }>(known: C): C {
	const { customer, name } = known;
	if (name !== customer) return known;
	const suggested = customer === SUGGESTED.customer ? SUGGESTED.name : customer;
	return { ...known, name: sessionStorage.getItem(keyOf(customer)) ?? suggested };
}
