import type { MessageWithReceipts } from '../http/control/chats.mts';
import type { Receipt } from '../http/control/deliveries.mts';

import { exactTime, h, shortened, type Child } from './dom.js';
import { ownerOf, RECEIVED, waitsUntil, workflowIdOf } from './owner.js';
import type { App } from './state.js';

interface Said {
	tone: '' | 'wait' | 'bad';
	id?: number;
	parts: Child[];
}

const MAX_REASON = 60;

/**
 * One line about what became of a customer's message: which workflow took it, or why none has it.
 * Empty while it is on its way.
 *
 * @param answers messages of the API that came before the customer wrote again
 */
export function receipt({ deliveries, channelId }: MessageWithReceipts, answers: number, app: App) {
	if (!deliveries) return undefined;
	const heard = deliveries.filter((one) => !isPassedBy(one));
	const said =
		heard.length > 0
			? sayings(heard, answers, app)
			: [leftOut(deliveries, app) ?? nobody(channelId, app)];
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

function leftOut(receipts: Receipt[], app: App): Said | undefined {
	const left = receipts.filter(({ said }) => said === 'left');
	const triggers = left.filter(({ description }) => waitsUntil(description) === undefined);
	const words = triggers.length > 0 ? 'left out by ' : 'not an answer to the question of ';
	const names = namesOf(triggers.length > 0 ? triggers : left, app);
	return left.length > 0 ? { tone: '', parts: [words, listed(names)] } : undefined;
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
	const words = isHeard
		? 'no workflow listened'
		: 'no workflow listens: publish one with the trigger on this channel, if one should answer';
	return { tone: '', parts: [words] };
}

function sayings(receipts: Receipt[], answers: number, app: App): Said[] {
	const taken = receipts.filter(isTaken);
	const problems = receipts.flatMap((one): Said[] => {
		const problem = problemOf(one, receipts.length > 1, app);
		return problem ? [{ tone: 'bad', id: one.id, parts: problem }] : [];
	});
	return [...(taken.length > 0 ? [takenBy(taken, answers, app)] : []), ...problems];
}

function takenBy(taken: Receipt[], answers: number, app: App): Said {
	const names = namesOf(taken, app);
	// Workflows can have the same name. A trigger's webhook goes when its workflow is unpublished.
	const ids = taken.flatMap(
		(one) => workflowIdOf(app.webhook(one.webhookId)?.customAttributes) ?? [],
	);
	const count = Math.max(names.length, new Set(ids).size);
	// Who only counts or looks for STOP takes it, too, so one answer is as it should be.
	if (count < 2 || answers < 2) return { tone: '', parts: ['taken by ', listed(names)] };
	const kind = taken.every(({ description }) => ownerOf(description)) ? 'workflows' : 'receivers';
	const words = `taken by ${count} ${kind}, and ${answers} messages came: `;
	return { tone: 'wait', parts: [words, listed(names)] };
}

const namesOf = (some: Receipt[], app: App) => [...new Set(some.map((one) => nameOf(one, app)))];

const listed = (names: string[]) =>
	names.flatMap((name, place) => [place > 0 && ', ', h('bdi', name)]);

const isTaken = ({ lastAttempt }: Receipt) => lastAttempt !== null && lastAttempt.error === null;

const nameOf = ({ description, webhookId }: Receipt, app: App) =>
	app.receiver(webhookId, description);

/** @param isOneOfSeveral whether it says to whom */
function problemOf(receipt: Receipt, isOneOfSeveral: boolean, app: App): Child[] | undefined {
	const { state, nextAt, attempts, webhookStatus } = receipt;
	if (isTaken(receipt)) return undefined;
	const name = h('bdi', nameOf(receipt, app));
	const to = isOneOfSeveral ? [' to ', name] : [];
	if (state === 'CANCELLED') return ['not delivered: ', name, ' stopped listening'];
	if (webhookStatus === 'DISABLED') return ['not delivered: the webhook of ', name, ' is disabled'];
	if (attempts === 0) return undefined;
	const next = nextAt === null ? 'no further try' : `next try at ${exactTime(nextAt, app.now())}`;
	return ['not delivered', to, `, ${next} (${reasonOf(receipt)})`];
}

function reasonOf({ lastAttempt }: Receipt) {
	const { status = null, error = null } = lastAttempt ?? {};
	// A response that a fault dropped has a good status.
	return status !== null && status >= 300 ? String(status) : shortened(error ?? '', MAX_REASON);
}
