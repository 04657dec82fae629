import { control } from './api.js';
import { attempt, field, fill, h, select, toggle } from './dom.js';

/** @import { App } from './state.js' */

const UP_TO = {
	PENDING: 'stays pending',
	SENT: 'is sent',
	DELIVERED: 'is delivered',
	READ: 'is read',
	FAILED: 'fails',
};

const VERDICTS = {
	BY_HAND: 'waits until you decide',
	APPROVED: 'is approved',
	REJECTED: 'is rejected',
};

/** An address from the range reserved for examples. */
const BLOCKED = '203.0.113.10';

/** @param {object} part */
const change = (part) => attempt(() => control('/settings', part, 'PATCH'));

/**
 * The service's settings: what becomes of a sent message, and under *Advanced* the rest.
 * @param {App} app
 * @param {boolean} isOpen whether *Advanced* is open at first
 */
export function serviceControls(app, isOpen) {
	// Not made anew like the rest, so that nobody is interrupted while typing.
	const address = h('input', { value: BLOCKED, maxLength: 64 });
	address.addEventListener(
		'change',
		() =>
			app.state.settings.blockedAddress !== null && void change({ blockedAddress: address.value }),
	);
	const progress = h('div');
	const switched = h('div.settings');
	const delay = h('div');
	const advanced = h(
		'details',
		{ open: isOpen },
		h('summary', 'Advanced'),
		h(
			'div.settings',
			switched,
			field('Address that is not allowed', address),
			delay,
			!app.state.asksForToken && tokenless(),
		),
	);
	return {
		elements: [h('h3', 'Service'), progress, advanced],
		render() {
			const { settings } = app.state;
			if (settings.blockedAddress !== null && document.activeElement !== address)
				address.value = settings.blockedAddress;
			fill(progress, progression(settings), review(settings));
			fill(switched, ...switches(app, address));
			fill(delay, routingLag(settings), ...reviewers(settings));
		},
	};
}

const tokenless = () =>
	h(
		'p.muted',
		'This sandbox has no token. Start it with --token before you put a proxy in front of it, because the sandbox cannot recognize every proxy.',
	);

/**
 * @param {App} app
 * @param {HTMLInputElement} address
 */
function switches(app, address) {
	const { settings, tenants } = app.state;
	return [
		tenants.map((tenant) =>
			toggle(['ENTERPRISE role of ', h('bdi', tenant.name)], tenant.enterprise, (enterprise) =>
				attempt(() => control('/role', { tenant: tenant.id, enterprise })),
			),
		),
		app
			.channels()
			.map(({ id, name, hasWindow }) =>
				toggle(['No conversation window on ', h('bdi', name)], !hasWindow, (checked) =>
					attempt(() => control(`/channels/${id}`, { hasWindow: !checked }, 'PATCH')),
				),
			),
		app
			.channels()
			.map(({ id, name, paymentStatus }) =>
				toggle(['Paid subscription of ', h('bdi', name)], paymentStatus === 'PAID', (checked) =>
					attempt(() =>
						control(`/channels/${id}`, { paymentStatus: checked ? 'PAID' : 'CANCELED' }, 'PATCH'),
					),
				),
			),
		toggle(
			'Accept a message while the window is closed, and let it fail later',
			settings.closedWindow === 'FAILED',
			(checked) => change({ closedWindow: checked ? 'FAILED' : 'REFUSED' }),
		),
		toggle(
			'Refuse every call, as if from an address that is not allowed',
			settings.blockedAddress !== null,
			(checked) => change({ blockedAddress: checked ? address.value : null }),
		),
	];
}

/** @param {App['state']['settings']} settings */
function progression({ progression: { upTo } }) {
	const last = select(Object.entries(UP_TO), upTo);
	last.addEventListener('change', () => void change({ progression: { upTo: last.value } }));
	return field('A sent message', last);
}

/** @param {App['state']['settings']} settings */
function routingLag({ templateRoutingLag }) {
	const lag = h('input', { type: 'number', min: 0, max: 600, value: templateRoutingLag });
	lag.addEventListener('change', () => void change({ templateRoutingLag: Number(lag.value) }));
	return field('Seconds until a new template webhook works', lag);
}

/** @param {object} part */
const changeReview = (part) => change({ templateReview: part });

/** @param {App['state']['settings']} settings */
function review({ templateReview: { verdict } }) {
	const chosen = select(Object.entries(VERDICTS), verdict);
	chosen.addEventListener('change', () => void changeReview({ verdict: chosen.value }));
	return field('A submitted template', chosen);
}

/** @param {App['state']['settings']} settings */
function reviewers({ templateReview: { afterMs, reason } }) {
	const delay = h('input', { type: 'number', min: 0, max: 86_400, value: afterMs / 1000 });
	delay.addEventListener(
		'change',
		() => void changeReview({ afterMs: Number(delay.value) * 1000 }),
	);
	const why = h('input', { value: reason, maxLength: 512 });
	why.addEventListener('change', () => void changeReview({ reason: why.value }));
	return [
		field('Seconds until a submitted template is decided', delay),
		field('Reason of a rejection', why),
	];
}
