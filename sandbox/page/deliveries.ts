import type { DeliveryView } from '../http/control/deliveries.mts';
import type { DeliveryState } from '../store/deliveries.mts';

import { control, has, readDeliveries, readDelivery, type Notice } from './api.js';
import { choices } from './choices.js';
import { attempt, fill, h, offer, oneAtATime, select, shortTime } from './dom.js';
import { attemptMade, contents, outcome, progress, subject, tone } from './inspector.js';
import type { App } from './state.js';

const STATES: DeliveryState[] = ['PENDING', 'DELIVERED', 'FAILED', 'CANCELLED'];

/**
 * Every delivery, with its exact requests and responses.
 * @param argument the selected delivery, or the webhook to filter by
 */
export function mountDeliveries(root: HTMLElement, app: App, argument: string | undefined) {
	let selected = /^\d+$/.test(argument ?? '') ? Number(argument) : undefined;
	const detail = deliveryDetail(app, () => refresh());
	const list = choices({
		...{ className: 'deliveries-list', label: 'Deliveries', onChoose: (id) => choose(Number(id)) },
		empty:
			'No delivery to show. Write as a customer under Chats while a webhook is registered, or choose other filters.',
	});
	const counts = h('p.tags', { role: 'status' });
	const filter = filters(app, selected === undefined ? argument : undefined, () => refresh());

	const refresh = oneAtATime(async () => {
		filter.render();
		const read = await attempt(() => readDeliveries({ limit: '100', ...filter.chosen() }));
		if (!read) return;
		fill(counts, ...STATES.map((state) => countOf(state, read.counts[state])));
		selected ??= read.deliveries[0]?.id;
		list.render(
			read.deliveries.map((delivery) => ({
				id: String(delivery.id),
				content: entry(delivery, app),
			})),
			String(selected),
		);
		await detail.show(selected);
	});

	function choose(id: number) {
		selected = id;
		history.replaceState(null, '', `#deliveries/${id}`);
		void detail.show(id);
	}
	root.append(
		h('h2', 'Deliveries'),
		h('div.row.filters', filter.elements, counts),
		h('div.split', h('div', list.elements), detail.element),
	);
	void refresh();
	return {
		update(notices: Notice[]) {
			if (has(notices, 'reset')) void detail.show((selected = undefined));
			if (has(notices, 'delivery', 'message', 'status', 'reset', 'missed', 'clock', 'webhook'))
				void refresh();
		},
	};
}

function filters(app: App, webhookId: string | undefined, onchange: () => unknown) {
	const states = STATES.map((name) => [name, name.toLowerCase()] as const);
	const state = select([['', 'Any state'], ...states], '', { 'aria-label': 'State', onchange });
	const webhook = h('select', { 'aria-label': 'Webhook', onchange });
	const render = (chosen = webhook.value) => {
		const known = app.state.webhooks.map((one) => [one.id, app.webhookName(one)] as const);
		offer(webhook, [['', 'Any webhook'], ...known], chosen);
	};
	render(webhookId);
	return {
		elements: [state, webhook],
		render,
		chosen: () => ({
			...(state.value && { state: state.value }),
			...(webhook.value && { webhookId: webhook.value }),
		}),
	};
}

const countOf = (state: DeliveryState, count: number) =>
	h(`span.tag.${count ? tone(state) : 'muted'}`, `${count} ${state.toLowerCase()}`);

/** Says to which webhook it goes if there are several. */
const entry = (delivery: DeliveryView, app: App) => [
	h('span', { class: `dot ${tone(delivery.state)}`, 'aria-hidden': 'true' }),
	h(
		'span.who',
		h('strong', delivery.event),
		app.state.webhooks.length > 1 && h('span', 'to ', h('bdi', app.receiver(delivery.webhookId))),
		h('span', subject(delivery)),
		outcome(delivery, app.now()),
	),
	h('span.when', shortTime(delivery.createdAt, app.now())),
];

/**
 * A delivery with all its attempts, and a button that sends it again. An attempt never changes, so
 * what a person opened or reads in one stays while others come.
 */
function deliveryDetail(app: App, onResent: () => Promise<void>) {
	const header = h('header');
	const result = h('p', { role: 'status' });
	const sent = h('div.stack');
	const attempts = h('div.stack');
	let selected: number | undefined;
	let shown: number | undefined;
	const onclick = () =>
		attempt(() => control(`/deliveries/${selected}/redeliver`, undefined, 'POST')).then(onResent);
	const again = () => h('button.primary', { type: 'button', onclick }, 'Send again');
	return {
		element: h('section.panel.detail', { 'aria-label': 'Delivery' }, [
			header,
			result,
			sent,
			attempts,
		]),
		async show(id: number | undefined) {
			selected = id;
			const delivery = id === undefined ? undefined : await readDelivery(id).catch(() => undefined);
			if (id !== selected) return;
			if (id !== shown || !delivery) attempts.replaceChildren();
			shown = id;
			fill(header, delivery && [h('h3', delivery.event), again()]);
			fill(sent, delivery && contents(delivery, app));
			fill(result, delivery ? progress(delivery, app.now()) : 'Choose a delivery that is stored.');
			const news = delivery?.attemptList.slice(attempts.childElementCount) ?? [];
			attempts.prepend(...news.toReversed().map(attemptMade));
		},
	};
}
