import { control } from './api.js';
import { attempt, field, fill, h, select, toggle } from './dom.js';
import type { App } from './state.js';

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

const change = (part: object) => attempt(() => control('/settings', part, 'PATCH'));
const changeChannel = (id: string, part: object) =>
	attempt(() => control(`/channels/${id}`, part, 'PATCH'));

/**
 * The service's settings: what becomes of a sent message, and under *Advanced* the rest.
 * @param isOpen whether *Advanced* is open at first
 */
export function serviceControls(app: App, isOpen: boolean) {
	const address = kept(
		h('input', { value: BLOCKED, maxLength: 64 }),
		({ blockedAddress }) => blockedAddress,
		(blockedAddress) =>
			app.state.settings.blockedAddress !== null && void change({ blockedAddress }),
	);
	const fate = kept(
		select(Object.entries(UP_TO)),
		({ progression }) => progression.upTo,
		(upTo) => change({ progression: { upTo } }),
	);
	const verdict = kept(
		select(Object.entries(VERDICTS)),
		({ templateReview }) => templateReview.verdict,
		(value) => change({ templateReview: { verdict: value } }),
	);
	const lag = kept(
		h('input', { type: 'number', min: 0, max: 600 }),
		({ templateRoutingLag }) => templateRoutingLag,
		(seconds) => change({ templateRoutingLag: Number(seconds) }),
	);
	const delay = kept(
		h('input', { type: 'number', min: 0, max: 86_400 }),
		({ templateReview }) => templateReview.afterMs / 1000,
		(seconds) => change({ templateReview: { afterMs: Number(seconds) * 1000 } }),
	);
	const reason = kept(
		h('input', { maxLength: 512 }),
		({ templateReview }) => templateReview.reason,
		(why) => change({ templateReview: { reason: why } }),
	);
	const switched = h('div.settings');
	const advanced = h(
		'details',
		{ open: isOpen },
		h('summary', 'Advanced'),
		h(
			'div.settings',
			switched,
			field('Address that is not allowed', address.control),
			h(
				'div',
				field('Seconds until a new template webhook works', lag.control),
				field('Seconds until a submitted template is decided', delay.control),
				field('Reason of a rejection', reason.control),
			),
			!app.state.asksForToken && tokenless(),
		),
	);
	return {
		elements: [
			h('h3', 'Service'),
			h(
				'div',
				field('A sent message', fate.control),
				field('A submitted template', verdict.control),
			),
			advanced,
		],
		render() {
			for (const setting of [address, fate, verdict, lag, delay, reason])
				setting.show(app.state.settings);
			fill(switched, ...switches(app, address.control));
		},
	};
}

/**
 * The control of a setting. It is not drawn anew, and shows no other value while a person is at it,
 * so that nobody is interrupted while typing.
 * @param read null: it stays
 */
function kept<C extends HTMLInputElement | HTMLSelectElement>(
	control: C,
	read: (settings: App['state']['settings']) => string | number | null,
	set: (value: string) => unknown,
) {
	control.addEventListener('change', () => void set(control.value));
	return {
		control,
		show(settings: App['state']['settings']) {
			const value = read(settings);
			const isTyping = control === document.activeElement && control instanceof HTMLInputElement;
			if (value !== null && !isTyping) control.value = String(value);
		},
	};
}

const tokenless = () =>
	h(
		'p.muted',
		'This sandbox has no token. Start it with --token before you put a proxy in front of it, because the sandbox cannot recognize every proxy.',
	);

function switches(app: App, address: HTMLInputElement) {
	const { settings, tenants } = app.state;
	const channels = app.channels();
	return [
		tenants.map((tenant) =>
			toggle(['ENTERPRISE role of ', h('bdi', tenant.name)], tenant.enterprise, (enterprise) =>
				attempt(() => control('/role', { tenant: tenant.id, enterprise })),
			),
		),
		channels.map(({ id, name, hasWindow }) =>
			toggle(['No conversation window on ', h('bdi', name)], !hasWindow, (checked) =>
				changeChannel(id, { hasWindow: !checked }),
			),
		),
		channels.map(({ id, name, paymentStatus }) =>
			toggle(['Paid subscription of ', h('bdi', name)], paymentStatus === 'PAID', (checked) =>
				changeChannel(id, { paymentStatus: checked ? 'PAID' : 'CANCELED' }),
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
