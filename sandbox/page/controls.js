import { control } from './api.js';
import { attempt, field, fill, h, option, toggle } from './dom.js';
import { faultSwitches } from './faults.js';

const STEPS = [
	['1 minute', 60],
	['1 hour', 3600],
	['24 hours', 86_400],
];
const SPEEDS = [
	[1, 'real time'],
	[60, 'a minute a second'],
	[3600, 'an hour a second'],
	[0, 'stands still'],
];
const UP_TO = { PENDING: 'stays pending', SENT: 'is sent', DELIVERED: 'is delivered', READ: 'is read', FAILED: 'fails' };

/** The clock, the faults and how the service behaves. */
export function mountControls(root, app) {
	const clock = h('section', { class: 'panel' });
	const behaviour = h('section', { class: 'panel' });
	const faults = faultSwitches(app);

	function renderClock() {
		const { speed } = app.state.clock;
		const move = (body) => attempt(() => control('/clock', body));
		const pace = h(
			'select',
			{ onchange: () => move({ speed: Number(pace.value) }) },
			SPEEDS.map(([value, label]) => option(value, label, value === speed)),
		);
		if (!SPEEDS.some(([value]) => value === speed)) pace.append(option(speed, `${speed} × real time`, true));
		fill(
			clock,
			h('h3', {}, 'Clock'),
			h('p', { class: 'muted' }, 'The conversation window, retries, codes and status changes run on it. Signatures carry real time.'),
			h(
				'div',
				{ class: 'row' },
				STEPS.map(([label, advance]) => h('button', { type: 'button', onclick: () => move({ advance }) }, `+ ${label}`)),
				field('Pace', pace),
			),
			h('button', { type: 'button', onclick: () => move({ now: new Date().toISOString(), speed: 1 }) }, 'Back to real time'),
		);
	}

	function renderBehaviour() {
		const { settings, tenants } = app.state;
		const change = (part) => attempt(() => control('/settings', part, 'PATCH'));
		const upTo = h(
			'select',
			{ onchange: () => change({ progression: { ...settings.progression, upTo: upTo.value } }) },
			Object.entries(UP_TO).map(([value, label]) => option(value, label, value === settings.progression.upTo)),
		);
		const lag = h('input', {
			type: 'number',
			min: 0,
			max: 600,
			value: settings.templateRoutingLag,
			onchange: () => change({ templateRoutingLag: Number(lag.value) }),
		});
		fill(
			behaviour,
			h('h3', {}, 'Service'),
			tenants.map((tenant) =>
				toggle(`ENTERPRISE role of ${tenant.name}`, tenant.enterprise, (enterprise) =>
					attempt(() => control('/role', { tenant: tenant.id, enterprise })),
				),
			),
			toggle('A refused connect is an error', settings.connectRefusal === 'ERROR', (checked) =>
				change({ connectRefusal: checked ? 'ERROR' : 'SUCCESS_FALSE' }),
			),
			h('div', { class: 'row' }, field('A sent message', upTo), field('Template routing lag (s)', lag)),
			h('button', { type: 'button', class: 'danger', onclick: askReset }, 'Reset the sandbox'),
		);
	}

	function askReset() {
		const dialog = h(
			'dialog',
			{
				'aria-labelledby': 'reset-title',
				onclose: () => (dialog.remove(), dialog.returnValue === 'reset' && attempt(() => control('/reset', {}))),
			},
			h(
				'form',
				{ method: 'dialog' },
				h('h3', { id: 'reset-title' }, 'Reset the sandbox?'),
				h('p', {}, 'Every message, webhook, delivery and fault is forgotten, and the clock goes back to real time.'),
				h(
					'footer',
					{ class: 'row' },
					h('button', { value: 'keep' }, 'Keep everything'),
					h('button', { value: 'reset', class: 'danger' }, 'Reset'),
				),
			),
		);
		document.body.append(dialog);
		dialog.showModal();
	}

	const render = () => (renderClock(), renderBehaviour(), faults.render());
	root.append(h('h2', {}, 'Controls'), h('div', { class: 'columns' }, clock, behaviour), faults.element);
	render();
	return {
		update(notices) {
			const types = new Set(notices.map(({ type }) => type));
			const all = types.has('reset') || types.has('missed');
			if (all || types.has('clock')) renderClock();
			if (all || types.has('settings') || types.has('tenant')) renderBehaviour();
			if (all || types.has('fault') || types.has('webhook')) faults.render();
		},
	};
}
