import { exactTime, h, shortened } from './dom.js';
import { ownerOf, waitsUntil } from './owner.js';

/**
 * @import { MessageWithReceipts } from '../http/control/chats.mts'
 * @import { Receipt } from '../http/control/receipts.mts'
 * @import { Child } from './dom.js'
 * @import { App } from './state.js'
 */
/** @typedef {{ tone: '' | 'wait' | 'bad', id?: number, parts: Child[] }} Said */

const MAX_NAME = 40;
const MAX_REASON = 60;

/** The events that a customer's message becomes. */
const RECEIVED = ['MESSAGE_RECEIVED', 'RECEIVED_STATUS', 'RECEIVED_AND_DELIVERY'];

/**
 * One line about what became of a customer's message: which workflow took it, or why none has it.
 * Empty while it is on its way.
 * @param {MessageWithReceipts} message
 * @param {App} app
 */
export function receipt({ deliveries, channelId }, app) {
	if (!deliveries) return undefined;
	const heard = deliveries.filter((one) => !isPassedBy(one));
	const said =
		heard.length > 0 ? sayings(heard, app.now()) : [leftOut(deliveries) ?? nobody(channelId, app)];
	const parts = said.flatMap((one, place) => [place > 0 && '; ', shown(one)]);
	return said.length > 0 && h('span.receipt', parts);
}

/**
 * Whether it changes nothing that a receiver got the message: it left it alone, or nobody waits
 * there for a reply any more.
 * @param {Receipt} receipt
 */
const isPassedBy = (receipt) => receipt.said !== null || (isOver(receipt) && !isTaken(receipt));

/** @param {Receipt} receipt */
const isOver = ({ description, state, webhookStatus }) => {
	const until = waitsUntil(description);
	return (
		until !== undefined &&
		(until <= Date.now() || state === 'CANCELLED' || webhookStatus === 'DISABLED')
	);
};

/**
 * @param {Receipt[]} receipts
 * @returns {Said | undefined}
 */
function leftOut(receipts) {
	const triggers = receipts.filter(
		({ said, description }) => said === 'left' && waitsUntil(description) === undefined,
	);
	if (triggers.length === 0) return undefined;
	return { tone: '', parts: ['left out by ', listed(namesOf(triggers))] };
}

/** @param {Said} said */
function shown({ tone, id, parts }) {
	if (id === undefined) return h('span', { class: tone }, ...parts);
	return h('a.bad', { href: `#deliveries/${id}` }, ...parts);
}

/**
 * @param {string} channelId
 * @param {App} app
 * @returns {Said}
 */
function nobody(channelId, app) {
	const isHeard = app.state.webhooks.some(
		(webhook) =>
			webhook.channelId === channelId &&
			webhook.status === 'ENABLED' &&
			waitsUntil(webhook.description) === undefined &&
			webhook.events.some((event) => RECEIVED.includes(event)),
	);
	return isHeard
		? { tone: '', parts: ['no workflow listened'] }
		: {
				tone: 'wait',
				parts: ['no workflow listens: publish one with the trigger on this channel'],
			};
}

/**
 * @param {Receipt[]} receipts
 * @param {number} now
 * @returns {Said[]}
 */
function sayings(receipts, now) {
	const takers = namesOf(receipts.filter(isTaken));
	const problems = receipts.flatMap((one) => {
		const problem = problemOf(one, receipts.length > 1, now);
		return problem ? [/** @type {Said} */ ({ tone: 'bad', id: one.id, parts: problem })] : [];
	});
	/** @type {Said} */
	const taken =
		takers.length > 1
			? { tone: 'wait', parts: ['taken by ', listed(takers), ': each of them may answer'] }
			: { tone: '', parts: ['taken by ', listed(takers)] };
	return [...(takers.length > 0 ? [taken] : []), ...problems];
}

/** @param {Receipt[]} receipts */
const namesOf = (receipts) => [...new Set(receipts.map(nameOf))];

/** @param {string[]} names */
const listed = (names) => names.flatMap((name, place) => [place > 0 && ', ', h('bdi', name)]);

/** @param {Receipt} receipt */
const isTaken = ({ lastAttempt }) => lastAttempt !== null && lastAttempt.error === null;

/** @param {Receipt} receipt */
const nameOf = ({ description, webhookStatus }) =>
	shortened(
		ownerOf(description)?.workflow ||
			description ||
			(webhookStatus === null ? 'a webhook that was removed' : 'a webhook without a name'),
		MAX_NAME,
	);

/**
 * @param {Receipt} receipt
 * @param {boolean} isOneOfSeveral whether it says to whom
 * @param {number} now
 * @returns {Child[] | undefined}
 */
function problemOf(receipt, isOneOfSeveral, now) {
	const { state, nextAt, attempts, webhookStatus } = receipt;
	if (isTaken(receipt)) return undefined;
	const name = h('bdi', nameOf(receipt));
	const to = isOneOfSeveral ? [' to ', name] : [];
	if (state === 'CANCELLED') return ['not delivered: ', name, ' stopped listening'];
	if (webhookStatus === 'DISABLED') return ['not delivered: the webhook of ', name, ' is disabled'];
	if (attempts === 0) return undefined;
	const next = nextAt === null ? 'no further try' : `next try at ${exactTime(nextAt, now)}`;
	return ['not delivered', to, `, ${next} (${reasonOf(receipt)})`];
}

/** @param {Receipt} receipt */
function reasonOf({ lastAttempt }) {
	const { status = null, error = null } = lastAttempt ?? {};
	// A response that a fault dropped has a good status.
	return status !== null && status >= 300 ? String(status) : shortened(error ?? '', MAX_REASON);
}
