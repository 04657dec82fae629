import { control, has, readDeliveries, readDelivery } from './api.js';
import { attempt, fill, h, oneAtATime, option, shortTime, within } from './dom.js';
import { inspector, subject, tone } from './inspector.js';

/**
 * @import { DeliveryView } from '../http/control/deliveries.mts'
 * @import { DeliveryState } from '../store/deliveries.mts'
 * @import { Notice } from './api.js'
 * @import { App } from './state.js'
 */

/** @type {DeliveryState[]} */
const STATES = ['PENDING', 'DELIVERED', 'FAILED', 'CANCELLED'];

/**
 * Every delivery, with what exactly went out and came back.
 * @param {HTMLElement} root
 * @param {App} app
 * @param {string | undefined} argument the delivery that is shown, or the webhook whose deliveries are
 */
export function mountDeliveries(root, app, argument) {
	let selected = /^\d+$/.test(argument ?? '') ? Number(argument) : undefined;
	const detail = deliveryDetail(() => refresh());
	const list = h('ul', { class: 'deliveries-list', 'aria-label': 'Deliveries' });
	const counts = h('p', { class: 'counts' });
	const filter = filters(app, selected === undefined ? argument : undefined, () => refresh());
	const empty = h(
		'li',
		{ class: 'empty' },
		'Nothing was delivered yet. Write as a customer under Chats while a webhook is registered.',
	);

	const refresh = oneAtATime(async () => {
		const read = await attempt(() => readDeliveries({ limit: '100', ...filter.chosen() }));
		if (!read) return;
		fill(
			counts,
			STATES.map((state) => countOf(state, read.counts[state])),
		);
		selected ??= read.deliveries[0]?.id;
		const rows = read.deliveries.map((delivery) =>
			row(delivery, delivery.id === selected, app.now()),
		);
		fill(list, rows.length ? rows : empty);
		await detail.show(selected);
	});

	list.addEventListener('click', (event) => {
		const button = within(event, 'button');
		if (!button) return;
		selected = Number(button.dataset['id']);
		for (const other of list.querySelectorAll('button'))
			other.setAttribute('aria-pressed', String(other === button));
		history.replaceState(null, '', `#deliveries/${selected}`);
		void detail.show(selected);
	});
	root.append(
		h('h2', {}, 'Deliveries'),
		h('div', { class: 'row filters' }, filter.elements, counts),
		h('div', { class: 'split' }, list, detail.element),
	);
	void refresh();
	return {
		/** @param {Notice[]} notices */
		update(notices) {
			if (has(notices, 'reset')) selected = undefined;
			if (has(notices, 'delivery', 'message', 'status', 'reset', 'missed', 'clock', 'webhook'))
				void refresh();
		},
	};
}

/**
 * @param {App} app
 * @param {string | undefined} webhookId
 * @param {() => unknown} onchange
 */
function filters(app, webhookId, onchange) {
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

/**
 * @param {DeliveryState} state
 * @param {number} count
 */
const countOf = (state, count) =>
	h('span', { class: `tag ${count ? tone(state) : 'muted'}` }, `${count} ${state.toLowerCase()}`);

/**
 * @param {DeliveryView} delivery
 * @param {boolean} isSelected
 * @param {number} now
 */
function row(delivery, isSelected, now) {
	const { id, state, attempts, event, createdAt } = delivery;
	const outcome = `${state.toLowerCase()}, ${attempts} ${attempts === 1 ? 'attempt' : 'attempts'}`;
	return h(
		'li',
		{},
		h(
			'button',
			{ type: 'button', 'data-id': String(id), 'aria-pressed': String(isSelected) },
			h('span', { class: `dot ${tone(state)}`, 'aria-hidden': 'true' }),
			h(
				'span',
				{ class: 'who' },
				h('strong', {}, event),
				h('span', {}, subject(delivery)),
				h('span', {}, outcome),
			),
			h('span', { class: 'when' }, shortTime(createdAt, now)),
		),
	);
}

/**
 * A delivery and all its attempts, and a button that sends it again.
 * @param {() => Promise<void>} onResent
 */
function deliveryDetail(onResent) {
	const element = h('section', {
		class: 'panel detail',
		'aria-label': 'Delivery',
		'aria-live': 'polite',
	});
	/** @type {number | undefined} */
	let selected;
	let shown = '';
	/** @param {string} text */
	const say = (text) => {
		shown = '';
		fill(element, h('p', { class: 'empty' }, text));
	};
	element.addEventListener('click', (event) => {
		if (within(event, '.resend'))
			void attempt(() => control(`/deliveries/${selected}/redeliver`, undefined, 'POST')).then(
				onResent,
			);
	});
	return {
		element,
		/** @param {number | undefined} id */
		async show(id) {
			selected = id;
			if (id === undefined) return say('Choose a delivery to see what went out.');
			const delivery = await readDelivery(id).catch(() => undefined);
			if (!delivery) return say('This delivery is not kept any more.');
			// Shown again only when something is new: otherwise what a person opened would close under their eyes.
			const json = JSON.stringify(delivery);
			if (json !== shown) element.replaceChildren(...h('div', {}, inspector(delivery)).childNodes);
			shown = json;
		},
	};
}
