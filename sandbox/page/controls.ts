import { control, has, type Notice } from './api.js';
import { ask, attempt, field, h, offer, type Child } from './dom.js';
import { faultSwitches } from './faults.js';
import { serviceControls } from './service.js';
import type { App } from './state.js';

const STEPS = Object.entries({ '1 minute': 60, '1 hour': 3600, '24 hours': 86_400 });
const SPEEDS = new Map([
	[1, 'real time'],
	[60, 'one minute per second'],
	[3600, 'one hour per second'],
	[0, 'stopped'],
]);

/** The panel with the address `#controls/<name>`. */
const panelOf = (name: string, ...children: Child[]) =>
	h('section.panel', { id: `controls/${name}`, tabIndex: -1 }, ...children);

/**
 * The clock, the faults and the service's settings.
 * @param argument the part to show
 */
export function mountControls(root: HTMLElement, app: App, argument: string | undefined) {
	const behaviour = panelOf('service');
	const faults = faultSwitches(app);
	const clock = clockControls(app);
	const service = serviceControls(app, argument === 'service');
	behaviour.append(...service.elements);
	root.append(
		h('div.row.title', h('h2', 'Controls'), resetButton()),
		h('div.columns', clock.element, behaviour),
		faults.element,
	);
	clock.render();
	service.render();
	return {
		update(notices: Notice[]) {
			const all = has(notices, 'reset', 'missed');
			if (all || has(notices, 'clock')) clock.render();
			if (all || has(notices, 'settings', 'tenant', 'channel')) service.render();
			if (all || has(notices, 'fault', 'webhook')) faults.render();
		},
	};
}

function clockControls(app: App) {
	const move = (body: object) => attempt(() => control('/clock', body));
	const pace = h('select');
	pace.addEventListener('change', () => void move({ speed: Number(pace.value) }));
	const element = panelOf(
		'clock',
		h('h3', 'Clock'),
		h(
			'p.muted',
			'Move it to close conversation windows or to see retries at once. Everything in the sandbox follows it, except the time in signatures.',
		),
		h(
			'div.row',
			STEPS.map(([label, advance]) =>
				h('button', { type: 'button', onclick: () => move({ advance }) }, `+ ${label}`),
			),
			field('Speed', pace),
		),
		h(
			'button',
			{ type: 'button', onclick: () => move({ now: new Date().toISOString(), speed: 1 }) },
			'Back to real time',
		),
	);
	const render = () => {
		const { speed } = app.state.clock;
		const other = `${speed} × real time`;
		offer(pace, [...new Map(SPEEDS).set(speed, SPEEDS.get(speed) ?? other)], speed);
	};
	return { element, render };
}

const resetButton = () =>
	h('button.danger', { type: 'button', onclick: reset }, 'Reset the sandbox');

async function reset() {
	const chosen = await ask(
		'reset-title',
		'Reset the sandbox?',
		[
			'This deletes every message, webhook, delivery and fault, and sets the clock back to real time.',
			'Published workflows lose their webhooks. Unpublish and publish them afterwards, or they receive nothing.',
		],
		h('button', { value: 'keep' }, 'Keep everything'),
		h('button.danger', { value: 'reset' }, 'Reset'),
	);
	if (chosen === 'reset') await attempt(() => control('/reset', {}));
}
