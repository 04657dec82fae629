import type { DeliveryView } from '../http/control/deliveries.mts';
import type { DeliveryState } from '../store/deliveries.mts';

import { control, has, readDeliveries, readDelivery, type Notice } from './api.js';
import { choices } from './choices.js';
import { attempt, fill, h, oneAtATime, option, shortTime, within } from './dom.js';
import { inspector, outcome, subject, tone } from './inspector.js';
import type { App } from './state.js';

const STATES: DeliveryState[] = ['PENDING', 'DELIVERED', 'FAILED', 'CANCELLED'];

/**
 * Every delivery, with its exact requests and responses.
 * @param argument the selected delivery, or the webhook to filter by
 */
export function mountDeliveries(root: HTMLElement, app: App, argument: string | undefined) {
	let selected = /^\d+$/.test(argument ?? '') ? Number(argument) : undefined;
	const detail = deliveryDetail(() => refresh());
	const list = choices({
		...{ className: 'deliveries-list', label: 'Deliveries', onChoose: (id) => choose(Number(id)) },
		empty:
			'Nothing was delivered yet. Write as a customer under Chats while a webhook is registered.',
	});
	const counts = h('p.counts');
	const filter = filters(app, selected === undefined ? argument : undefined, () => refresh());

	const refresh = oneAtATime(async () => {
		const read = await attempt(() => readDeliveries({ limit: '100', ...filter.chosen() }));
		if (!read) return;
		fill(
			counts,
			STATES.map((state) => countOf(state, read.counts[state])),
		);
		selected ??= read.deliveries[0]?.id;
		list.render(
			read.deliveries.map((delivery) => ({
				id: String(delivery.id),
				content: entry(delivery, app.now()),
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
			if (has(notices, 'reset')) selected = undefined;
			if (has(notices, 'delivery', 'message', 'status', 'reset', 'missed', 'clock', 'webhook'))
				void refresh();
		},
	};
}

function filters(app: App, webhookId: string | undefined, onchange: () => unknown) {
	const state = h(
		'select',
		{ 'aria-label': 'State', onchange },
		option('', 'Any state'),
		STATES.map((name) => option(name, name.toLowerCase())),
	);
	const webhook = h(
		'select',
		{ 'aria-label': 'Webhook', onchange },
		option('', 'Any webhook'),
		app.state.webhooks.map((known) =>
			option(known.id, app.webhookName(known), known.id === webhookId),
		),
	);
	return {
		elements: [state, webhook],
		chosen: () => ({
			...(state.value && { state: state.value }),
			...(webhook.value && { webhookId: webhook.value }),
		}),
	};
}

const countOf = (state: DeliveryState, count: number) =>
	h('span', { class: `tag ${count ? tone(state) : 'muted'}` }, `${count} ${state.toLowerCase()}`);

const entry = (delivery: DeliveryView, now: number) => [
	h('span', { class: `dot ${tone(delivery.state)}`, 'aria-hidden': 'true' }),
	h('span.who', h('strong', delivery.event), h('span', subject(delivery)), outcome(delivery, now)),
	h('span.when', shortTime(delivery.createdAt, now)),
];

/** A delivery with all its attempts, and a button that sends it again. */
function deliveryDetail(onResent: () => Promise<void>) {
	const element = h('section.panel.detail', { 'aria-label': 'Delivery', 'aria-live': 'polite' });
	let selected: number | undefined;
	let shown = '';
	const say = (text: string) => {
		shown = '';
		fill(element, h('p.empty', text));
	};
	element.addEventListener('click', (event) => {
		if (within(event, '.resend'))
			void attempt(() => control(`/deliveries/${selected}/redeliver`, undefined, 'POST')).then(
				onResent,
			);
	});
	return {
		element,
		async show(id: number | undefined) {
			selected = id;
			if (id === undefined) return say('Choose a delivery to see its requests.');
			const delivery = await readDelivery(id).catch(() => undefined);
			if (!delivery) return say('This delivery is no longer stored.');
			// Rendered again only for news, because rendering closes what a person opened.
			const json = JSON.stringify(delivery);
			if (json !== shown) element.replaceChildren(...h('div', inspector(delivery)).childNodes);
			shown = json;
		},
	};
}
