import type { MessageWithReceipts } from '../http/control/chats.mts';
import type { Receipt } from '../http/control/deliveries.mts';

import { exactTime, h, shortened, type Child } from './dom.js';
import { ownerOf, waitsUntil } from './owner.js';
import type { App } from './state.js';

interface Said {
	tone: '' | 'wait' | 'bad';
	id?: number;
	parts: Child[];
}

const MAX_NAME = 40;
const MAX_REASON = 60;

/** The events that a customer's message becomes. */
const RECEIVED = ['MESSAGE_RECEIVED', 'RECEIVED_STATUS', 'RECEIVED_AND_DELIVERY'];

/**
 * One line about what became of a customer's message: which workflow took it, or why none has it.
 * Empty while it is on its way.
 */
export function receipt({ deliveries, channelId }: MessageWithReceipts, app: App) {
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
 */
const isPassedBy = (receipt: Receipt) =>
	receipt.said !== null || (isOver(receipt) && !isTaken(receipt));

const isOver = ({ description, state, webhookStatus }: Receipt) => {
	const until = waitsUntil(description);
	return (
		until !== undefined &&
		(until <= Date.now() || state === 'CANCELLED' || webhookStatus === 'DISABLED')
	);
};

function leftOut(receipts: Receipt[]): Said | undefined {
	const triggers = receipts.filter(
		({ said, description }) => said === 'left' && waitsUntil(description) === undefined,
	);
	if (triggers.length === 0) return undefined;
	return { tone: '', parts: ['left out by ', listed(namesOf(triggers))] };
}

function shown({ tone, id, parts }: Said) {
	if (id === undefined) return h('span', { class: tone }, ...parts);
	return h('a.bad', { href: `#deliveries/${id}` }, ...parts);
}

function nobody(channelId: string, app: App): Said {
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

function sayings(receipts: Receipt[], now: number): Said[] {
	const takers = namesOf(receipts.filter(isTaken));
	const problems = receipts.flatMap((one): Said[] => {
		const problem = problemOf(one, receipts.length > 1, now);
		return problem ? [{ tone: 'bad', id: one.id, parts: problem }] : [];
	});
	const taken: Said =
		takers.length > 1
			? { tone: 'wait', parts: ['taken by ', listed(takers), ': each of them may answer'] }
			: { tone: '', parts: ['taken by ', listed(takers)] };
	return [...(takers.length > 0 ? [taken] : []), ...problems];
}

const namesOf = (receipts: Receipt[]) => [...new Set(receipts.map(nameOf))];

const listed = (names: string[]) =>
	names.flatMap((name, place) => [place > 0 && ', ', h('bdi', name)]);

const isTaken = ({ lastAttempt }: Receipt) => lastAttempt !== null && lastAttempt.error === null;

const nameOf = ({ description, webhookStatus }: Receipt) =>
	shortened(
		ownerOf(description)?.workflow ||
			description ||
			(webhookStatus === null ? 'a webhook that was removed' : 'a webhook without a name'),
		MAX_NAME,
	);

/** @param isOneOfSeveral whether it says to whom */
function problemOf(receipt: Receipt, isOneOfSeveral: boolean, now: number): Child[] | undefined {
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

function reasonOf({ lastAttempt }: Receipt) {
	const { status = null, error = null } = lastAttempt ?? {};
	// A response that a fault dropped has a good status.
	return status !== null && status >= 300 ? String(status) : shortened(error ?? '', MAX_REASON);
}
