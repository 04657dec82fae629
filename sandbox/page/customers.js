/**
 * What this tab knows of customers and the sandbox does not: names of those who have not written
 * yet, and whether one was removed.
 */

const SUGGESTED = { customer: '5500000000101', name: 'Ana Example' };
const REMOVED = 'customer-removed';

/** @param {string} customer */
const keyOf = (customer) => `customer-name:${customer}`;

/** @param {object} chat */
export const isSuggested = (chat) => chat === SUGGESTED;

/** The customer that a sandbox suggests until somebody removes one. */
export const suggestion = () => (sessionStorage.getItem(REMOVED) === null ? SUGGESTED : undefined);

/**
 * @param {string} customer
 * @param {string} name
 */
export const remember = (customer, name) => sessionStorage.setItem(keyOf(customer), name);

/** @param {string} customer */
export function forget(customer) {
	sessionStorage.removeItem(keyOf(customer));
	sessionStorage.setItem(REMOVED, 'true');
}

/** After a reset, the sandbox is new. */
export const forgetAll = () => sessionStorage.clear();

/**
 * The entered or suggested name of a customer whose name the sandbox does not know: it calls them
 * by their number.
 * @template {{ customer: string, name: string }} C
 * @param {C} known
 * @returns {C}
 */
export function named(known) {
	const { customer, name } = known;
	if (name !== customer) return known;
	const suggested = customer === SUGGESTED.customer ? SUGGESTED.name : customer;
	return { ...known, name: sessionStorage.getItem(keyOf(customer)) ?? suggested };
}
