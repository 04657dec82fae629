import { control } from './api.js';
import { attempt, field, fill, h, option, toggle } from './dom.js';

const number = (name, label, value, unit = '') => ({ name, label, value, unit });

/** What can go wrong, in people's words, with what can be chosen about it. */
const FAULTS = {
	route: [
		{
			kind: 'status',
			label: 'Answer with a status',
			parameters: [number('status', 'status', 429), number('retryAfter', 'Retry-After', 5, 's')],
		},
		{ kind: 'latency', label: 'Answer late', parameters: [number('ms', 'by', 2000, 'ms')] },
		{ kind: 'dropBefore', label: 'Cut the connection, nothing done', parameters: [] },
		{ kind: 'dropAfter', label: 'Cut the connection after it was done', parameters: [] },
		{ kind: 'windowClosed', label: 'Conversation window closed', parameters: [] },
	],
	webhook: [
		{ kind: 'status', label: 'Count as answered with a status', parameters: [number('status', 'status', 503)] },
		{ kind: 'latency', label: 'Deliver late', parameters: [number('ms', 'by', 2000, 'ms')] },
		{ kind: 'dropBefore', label: 'Fail before sending', parameters: [] },
		{ kind: 'dropAfter', label: 'Lose the answer', parameters: [] },
		{ kind: 'duplicate', label: 'Deliver more than once', parameters: [number('copies', 'copies', 1)] },
		{ kind: 'reorder', label: 'Deliver out of order', parameters: [number('withinMs', 'within', 1000, 'ms')] },
		{ kind: 'badSignature', label: 'Sign wrongly', parameters: [] },
		{ kind: 'staleSignature', label: 'Sign with an old time', parameters: [number('seconds', 'by', 3600, 's')] },
		{ kind: 'gzip', mode: 'always', label: 'Always gzip', parameters: [] },
		{ kind: 'gzip', mode: 'never', label: 'Never gzip', parameters: [] },
	],
};
const OPERATIONS = [
	'sendMessage',
	'connectChannel',
	'listChannels',
	'listChannelWebhooks',
	'createChannelWebhook',
	'updateChannelWebhook',
	'deleteChannelWebhook',
	'listTemplateWebhooks',
];

/** A switch for each fault; what is switched on stays so until it is switched off. */
export function faultSwitches(app) {
	const target = { route: h('select', { onchange: () => render() }), webhook: h('select', { onchange: () => render() }) };
	const lists = { route: h('div', { class: 'switches' }), webhook: h('div', { class: 'switches' }) };
	const others = h('ul', { class: 'active-faults' });

	const targetOf = (on) =>
		on === 'route' ? { operation: target.route.value || undefined } : { webhookId: target.webhook.value || undefined };
	const isFor = (fault, on, { kind, mode }) =>
		fault.on === on &&
		fault.kind === kind &&
		fault.mode === mode &&
		(fault.operation ?? '') === (on === 'route' ? target.route.value : '') &&
		(fault.webhookId ?? '') === (on === 'webhook' ? target.webhook.value : '');

	function row(on, definition) {
		const active = app.state.faults.find(({ fault }) => isFor(fault, on, definition));
		const inputs = definition.parameters.map(({ name, label, value, unit }) => {
			const input = h('input', {
				type: 'number',
				min: 0,
				value: active?.fault[name] ?? value,
				disabled: Boolean(active),
				'aria-label': `${definition.label}: ${label}`,
			});
			return { name, input, element: h('span', { class: 'parameter' }, `${label} `, input, unit && ` ${unit}`) };
		});
		const change = (checked) => {
			const values = Object.fromEntries(inputs.map(({ name, input }) => [name, Number(input.value)]));
			const fault = { on, kind: definition.kind, ...(definition.mode && { mode: definition.mode }), ...targetOf(on), ...values };
			return attempt(() => (checked ? control('/faults', fault) : control(`/faults/${active.id}`, undefined, 'DELETE'))).then(
				(done) => {
					if (checked && !done) render();
				},
			);
		};
		return h(
			'div',
			{ class: 'fault' },
			toggle(definition.label, Boolean(active), change),
			h(
				'span',
				{ class: 'parameters' },
				inputs.map(({ element }) => element),
			),
		);
	}

	function describe({ id, fault, remaining }) {
		const { on, kind, times: _times, ...rest } = fault;
		const details = Object.entries(rest).map(([name, value]) => `${name} ${value}`);
		const text = [`${on}: ${kind}`, ...details, remaining === null ? '' : `${remaining} times more`].filter(Boolean).join(', ');
		return h(
			'li',
			{},
			h('code', {}, text),
			' ',
			h('button', { type: 'button', class: 'remove', 'data-id': id, 'aria-label': `Remove ${text}` }, 'Remove'),
		);
	}
	others.addEventListener('click', (event) => {
		const button = event.target.closest('.remove');
		if (button) void attempt(() => control(`/faults/${button.dataset.id}`, undefined, 'DELETE'));
	});

	function render() {
		const chosen = { route: target.route.value, webhook: target.webhook.value };
		target.route.replaceChildren(option('', 'every route'), ...OPERATIONS.map((name) => option(name, name, name === chosen.route)));
		target.webhook.replaceChildren(
			option('', 'every webhook'),
			...app.state.webhooks.map(({ id, url, channelId }) =>
				option(id, `${channelId ? app.channelName(channelId) : 'Template'} → ${new URL(url).host}`, id === chosen.webhook),
			),
		);
		for (const on of ['route', 'webhook'])
			fill(
				lists[on],
				FAULTS[on].map((definition) => row(on, definition)),
			);
		fill(others, app.state.faults.length ? app.state.faults.map(describe) : h('li', { class: 'empty' }, 'No fault is switched on.'));
	}

	const element = h(
		'div',
		{},
		h(
			'div',
			{ class: 'columns' },
			h('section', { class: 'panel' }, h('h3', {}, 'Faults of the API'), field('At', target.route), lists.route),
			h('section', { class: 'panel' }, h('h3', {}, 'Faults of deliveries'), field('To', target.webhook), lists.webhook),
		),
		h('section', { class: 'panel' }, h('h3', {}, 'Switched on'), others),
	);
	return { element, render };
}
