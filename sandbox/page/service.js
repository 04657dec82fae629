import { control } from './api.js';
import { attempt, field, fill, h, option, toggle } from './dom.js';

/** @import { App } from './state.js' */

const UP_TO = {
	PENDING: 'stays pending',
	SENT: 'is sent',
	DELIVERED: 'is delivered',
	READ: 'is read',
	FAILED: 'fails',
};

/** An address of those that are kept for examples. */
const BLOCKED = '203.0.113.10';

/** @param {object} part */
const change = (part) => attempt(() => control('/settings', part, 'PATCH'));

/**
 * How the service behaves where it leaves room, and to whom.
 * @param {App} app
 */
export function serviceControls(app) {
	// It stands where it is, and is not made anew like the rest: nobody is interrupted who types there.
	const address = h('input', { value: BLOCKED, maxLength: 64 });
	address.addEventListener(
		'change',
		() =>
			app.state.settings.blockedAddress !== null && void change({ blockedAddress: address.value }),
	);
	const switched = h('div', { class: 'settings' });
	const progression = h('div', { class: 'row' });
	return {
		elements: [
			h('h3', {}, 'Service'),
			switched,
			field('Address that is not allowed', address),
			progression,
		],
		render() {
			const { settings } = app.state;
			if (settings.blockedAddress !== null && document.activeElement !== address)
				address.value = settings.blockedAddress;
			fill(switched, ...switches(app, address));
			fill(progression, ...progress(settings));
		},
	};
}

/**
 * @param {App} app
 * @param {HTMLInputElement} address
 */
function switches(app, address) {
	const { settings, tenants } = app.state;
	return [
		tenants.map((tenant) =>
			toggle(['ENTERPRISE role of ', h('bdi', {}, tenant.name)], tenant.enterprise, (enterprise) =>
				attempt(() => control('/role', { tenant: tenant.id, enterprise })),
			),
		),
		app
			.channels()
			.map(({ id, name, hasWindow }) =>
				toggle(['No conversation window on ', h('bdi', {}, name)], !hasWindow, (checked) =>
					attempt(() => control(`/channels/${id}`, { hasWindow: !checked }, 'PATCH')),
				),
			),
		toggle('A refused connect is an error', settings.connectRefusal === 'ERROR', (checked) =>
			change({ connectRefusal: checked ? 'ERROR' : 'SUCCESS_FALSE' }),
		),
		toggle(
			'A refused send has the older shape of error (C)',
			settings.sendErrors === 'C',
			(checked) => change({ sendErrors: checked ? 'C' : 'A' }),
		),
		toggle(
			'Refuse every call, as from an address that is not allowed',
			settings.blockedAddress !== null,
			(checked) => change({ blockedAddress: checked ? address.value : null }),
		),
	];
}

/** @param {App['state']['settings']} settings */
function progress({ progression, templateRoutingLag }) {
	const upTo = h(
		'select',
		{},
		Object.entries(UP_TO).map(([value, label]) => option(value, label, value === progression.upTo)),
	);
	upTo.addEventListener(
		'change',
		() => void change({ progression: { ...progression, upTo: upTo.value } }),
	);
	const lag = h('input', { type: 'number', min: 0, max: 600, value: templateRoutingLag });
	lag.addEventListener('change', () => void change({ templateRoutingLag: Number(lag.value) }));
	return [field('A sent message', upTo), field('Template routing lag (s)', lag)];
}
