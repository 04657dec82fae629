import type { ActiveFault } from '../faults/faults.mts';
import type { Fault } from '../faults/schema.mts';

import { control } from './api.js';
import { attempt, field, fill, h, isolated, offer, select, toggle, within } from './dom.js';
import { definitionOf, FAULTS, OPERATIONS, type Definition, type Parameter } from './faultKinds.js';
import type { App } from './state.js';

/** A switch for each fault. A fault stays on until it is switched off. */
export function faultSwitches(app: App) {
	const render = () => {
		routes.render();
		webhooks.render();
		const active = app.state.faults.map((fault) => activeFault(app, fault));
		fill(others, active.length ? active : h('li.empty', 'No fault is switched on.'));
	};
	const routes = panel(
		app,
		'route',
		'Faults when a workflow calls the service',
		'Which calls',
		render,
	);
	const webhooks = panel(
		app,
		'webhook',
		'Faults when the service delivers',
		'To which webhook',
		render,
	);
	const others = h('ul.active-faults');
	others.addEventListener('click', (event) => {
		const id = within(event, '.remove')?.dataset['id'];
		if (id) void attempt(() => control(`/faults/${id}`, undefined, 'DELETE'));
	});
	render();
	const element = h(
		'div',
		h('div.columns', routes.element, webhooks.element),
		h('section.panel', { id: 'controls/faults', tabIndex: -1 }, h('h3', 'Switched on'), others),
	);
	return { element, render };
}

/** The faults of calls or of deliveries, for all targets or a chosen one. */
function panel(app: App, on: Fault['on'], title: string, label: string, renderAll: () => void) {
	const target = h('select', { onchange: renderAll });
	const at = () => ({
		on,
		...(target.value && { [on === 'route' ? 'operation' : 'webhookId']: target.value }),
	});
	const rows = FAULTS[on].map((definition) => row(app, at, definition, renderAll));
	const shown = (isAdvanced: boolean) =>
		rows.filter((one) => one.isAdvanced === isAdvanced).map(({ element }) => element);
	const places = (): Array<[value: string, name: string]> =>
		on === 'route'
			? Object.entries(OPERATIONS)
			: app.state.webhooks.map((webhook) => [webhook.id, app.webhookName(webhook)]);
	return {
		element: h(
			'section.panel',
			h('h3', title),
			field(label, target),
			h('div', shown(false)),
			h('details', h('summary', 'Advanced'), h('div', shown(true))),
		),
		render() {
			offer(target, [['', on === 'route' ? 'every call' : 'every webhook'], ...places()]);
			for (const { render } of rows) render();
		},
	};
}

/**
 * A switch with its parameters. It is not drawn anew: nobody is interrupted while typing, and what
 * is typed stays.
 * @param at the target of the fault
 */
function row(
	app: App,
	at: () => Record<string, string>,
	{ kind, label, isAdvanced = false, parameters = [] }: Definition,
	renderAll: () => void,
) {
	const active = () => app.state.faults.find(({ fault }) => isThat(fault, { ...at(), kind }));
	const inputs = parameters.map((parameter) => ({
		...parameter,
		input: inputOf(parameter, { 'aria-label': `${label}: ${parameter.label}` }),
	}));
	const change = async (checked: boolean) => {
		const values = Object.fromEntries(
			inputs.map(({ name, input, choices }) => [name, choices ? input.value : Number(input.value)]),
		);
		if (!checked) return attempt(() => control(`/faults/${active()?.id}`, undefined, 'DELETE'));
		// If the fault is refused, the switch goes back.
		if (!(await attempt(() => control('/faults', { ...at(), kind, ...values })))) renderAll();
	};
	const switched = toggle(label, false, change);
	const isOn = switched.control as HTMLInputElement;
	const render = () => {
		const { fault } = active() ?? {};
		const set = new Map(Object.entries(fault ?? {}));
		isOn.checked = fault !== undefined;
		for (const { name, input } of inputs) {
			input.disabled = fault !== undefined;
			if (set.has(name)) input.value = String(set.get(name));
		}
	};
	const element = h(
		'div.fault',
		switched,
		h(
			'span.parameters',
			inputs.map(({ label: name, input, unit }) =>
				h('span.parameter', `${name} `, input, unit && ` ${unit}`),
			),
		),
	);
	return { element, isAdvanced, render };
}

const inputOf = ({ choices, value }: Parameter, properties: Record<string, unknown>) =>
	choices
		? select(choices, value, properties)
		: h('input', { type: 'number', min: 0, value, ...properties });

/** Whether a fault is of this kind and has exactly this target. */
function isThat(fault: Fault, wanted: Record<string, string>) {
	const given = new Map(Object.entries(fault));
	return ['on', 'operation', 'webhookId', 'kind', 'tenant', 'every'].every(
		(name) => given.get(name) === wanted[name],
	);
}

/** A fault in words: `Respond late, only Send a message, by 2000 ms, 3 more times`. */
function wordsFor(app: App, { fault, remaining }: ActiveFault) {
	const { on, kind } = fault;
	const given = new Map(Object.entries(fault));
	const { label, parameters = [] } = definitionOf(on, kind) ?? { label: kind };
	const operation = 'operation' in fault && fault.operation;
	const webhook = app.state.webhooks.find(({ id }) => id === given.get('webhookId'));
	const tenant = app.state.tenants.find(({ id }) => id === fault.tenant);
	return [
		label,
		operation && `only ${OPERATIONS[operation] ?? operation}`,
		given.has('webhookId') && `only ${webhook ? app.webhookName(webhook) : 'a deleted webhook'}`,
		tenant && `only account ${isolated(tenant.name)}`,
		fault.every && `1 time in ${fault.every}`,
		...parameters
			.filter(({ name }) => given.has(name))
			.map(({ name, label: of, unit }) => [of, given.get(name), unit].filter(Boolean).join(' ')),
		remaining !== null && `${remaining} more ${remaining === 1 ? 'time' : 'times'}`,
	]
		.filter(Boolean)
		.join(', ');
}

function activeFault(app: App, active: ActiveFault) {
	const text = wordsFor(app, active);
	return h(
		'li',
		text,
		' ',
		h(
			'button.remove',
			{ type: 'button', 'data-id': active.id, 'aria-label': `Remove ${text}` },
			'Remove',
		),
	);
}
