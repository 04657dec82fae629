import { control } from './api.js';
import { attempt, field, fill, h, option, toggle, within } from './dom.js';

/**
 * @import { ActiveFault } from '../faults/faults.mts'
 * @import { MediaSubCode } from '../contract.mts'
 * @import { Fault, Operation } from '../faults/schema.mts'
 * @import { App } from './state.js'
 */
/** @typedef {{ name: string, label: string, value: number | string, unit: string, choices?: string[] }} Parameter */
/** @typedef {{ kind: Fault['kind'], mode?: string, label: string, parameters?: Parameter[] }} Definition */

/**
 * @param {string} name
 * @param {string} label
 * @param {number} value
 */
const number = (name, label, value, unit = '') => ({ name, label, value, unit });

/** @type {MediaSubCode[]} */
const MEDIA_CODES = [
	'MEDIA_URL_REQUIRED',
	'MEDIA_INVALID_URL',
	'MEDIA_INVALID_DATA_URL',
	'MEDIA_MIME_NOT_ALLOWED',
	'MEDIA_TOO_LARGE',
	'MEDIA_CAPTION_TOO_LONG',
	'MEDIA_UNSUPPORTED_ATTACHMENT',
	'MEDIA_DOWNLOAD_FAILED',
	'MEDIA_CONVERSION_FAILED',
	'MEDIA_UPLOAD_FAILED',
	'MEDIA_PROCESSING_FAILED',
];

/**
 * What can go wrong, in people's words, with what can be chosen about it.
 * @type {Record<Fault['on'], Definition[]>}
 */
const FAULTS = {
	route: [
		{
			kind: 'status',
			label: 'Answer with a status',
			parameters: [number('status', 'status', 429), number('retryAfter', 'Retry-After', 5, 's')],
		},
		{ kind: 'latency', label: 'Answer late', parameters: [number('ms', 'by', 2000, 'ms')] },
		{ kind: 'dropBefore', label: 'Cut the connection, nothing done' },
		{ kind: 'dropAfter', label: 'Cut the connection after it was done' },
		{ kind: 'windowClosed', label: 'Conversation window closed' },
		{
			kind: 'media',
			label: 'Refuse media',
			parameters: [
				{ name: 'subCode', label: 'as', value: 'MEDIA_TOO_LARGE', unit: '', choices: MEDIA_CODES },
			],
		},
	],
	webhook: [
		{
			kind: 'status',
			label: 'Count as answered with a status',
			parameters: [number('status', 'status', 503)],
		},
		{ kind: 'latency', label: 'Deliver late', parameters: [number('ms', 'by', 2000, 'ms')] },
		{ kind: 'dropBefore', label: 'Fail before sending' },
		{ kind: 'dropAfter', label: 'Lose the answer' },
		{
			kind: 'duplicate',
			label: 'Deliver more than once',
			parameters: [number('copies', 'copies', 1)],
		},
		{
			kind: 'reorder',
			label: 'Deliver out of order',
			parameters: [number('withinMs', 'within', 1000, 'ms')],
		},
		{ kind: 'badSignature', label: 'Sign wrongly' },
		{
			kind: 'staleSignature',
			label: 'Sign with an old time',
			parameters: [number('seconds', 'by', 3600, 's')],
		},
		{ kind: 'gzip', mode: 'always', label: 'Always gzip' },
		{ kind: 'gzip', mode: 'never', label: 'Never gzip' },
	],
};
/** @type {Operation[]} */
const OPERATIONS = [
	'sendMessage',
	'connectChannel',
	'createChannel',
	'listChannels',
	'getChannel',
	'disconnectChannel',
	'deleteChannel',
	'listChannelWebhooks',
	'createChannelWebhook',
	'updateChannelWebhook',
	'deleteChannelWebhook',
	'listTemplateWebhooks',
];

/**
 * A switch for each fault; what is switched on stays so until it is switched off.
 * @param {App} app
 */
export function faultSwitches(app) {
	const render = () => {
		routes.render();
		webhooks.render();
		const active = app.state.faults.map(activeFault);
		fill(others, active.length ? active : h('li', { class: 'empty' }, 'No fault is switched on.'));
	};
	const routes = panel(app, 'route', 'Faults of the API', 'At', render);
	const webhooks = panel(app, 'webhook', 'Faults of deliveries', 'To', render);
	const others = h('ul', { class: 'active-faults' });
	others.addEventListener('click', (event) => {
		const id = within(event, '.remove')?.dataset['id'];
		if (id) void attempt(() => control(`/faults/${id}`, undefined, 'DELETE'));
	});
	render();
	const element = h(
		'div',
		{},
		h('div', { class: 'columns' }, routes.element, webhooks.element),
		h(
			'section',
			{ class: 'panel', id: 'controls/faults', tabIndex: -1 },
			h('h3', {}, 'Switched on'),
			others,
		),
	);
	return { element, render };
}

/**
 * The faults of one kind of place, all of them or one chosen.
 * @param {App} app
 * @param {Fault['on']} on
 * @param {string} title
 * @param {string} label
 * @param {() => void} renderAll
 */
function panel(app, on, title, label, renderAll) {
	const target = h('select', { onchange: renderAll });
	const list = h('div', { class: 'switches' });
	const places = () =>
		on === 'route'
			? OPERATIONS.map((name) => ({ value: name, name }))
			: app.state.webhooks.map((webhook) => ({
					value: webhook.id,
					name: app.webhookName(webhook),
				}));
	return {
		element: h('section', { class: 'panel' }, h('h3', {}, title), field(label, target), list),
		render() {
			const chosen = target.value;
			target.replaceChildren(
				option('', `every ${on}`),
				...places().map(({ value, name }) => option(value, name, value === chosen)),
			);
			const at = {
				on,
				...(target.value && { [on === 'route' ? 'operation' : 'webhookId']: target.value }),
			};
			fill(
				list,
				FAULTS[on].map((definition) => row(app, at, definition, renderAll)),
			);
		},
	};
}

/**
 * @param {App} app
 * @param {Record<string, string>} at where the fault strikes
 * @param {Definition} definition
 * @param {() => void} renderAll
 */
function row(app, at, { kind, mode, label, parameters = [] }, renderAll) {
	const wanted = { ...at, kind, ...(mode && { mode }) };
	const active = app.state.faults.find(({ fault }) => isThat(fault, wanted));
	const set = new Map(Object.entries(active?.fault ?? {}));
	const inputs = parameters.map((parameter) => ({
		...parameter,
		input: inputOf(parameter, set.get(parameter.name) ?? parameter.value, {
			disabled: Boolean(active),
			'aria-label': `${label}: ${parameter.label}`,
		}),
	}));
	/** @param {boolean} checked */
	const change = async (checked) => {
		const values = Object.fromEntries(
			inputs.map(({ name, input, choices }) => [name, choices ? input.value : Number(input.value)]),
		);
		if (!checked) return attempt(() => control(`/faults/${active?.id}`, undefined, 'DELETE'));
		// A switch whose fault was refused goes back.
		if (!(await attempt(() => control('/faults', { ...wanted, ...values })))) renderAll();
	};
	return h(
		'div',
		{ class: 'fault' },
		toggle(label, Boolean(active), change),
		h(
			'span',
			{ class: 'parameters' },
			inputs.map(({ label: name, input, unit }) =>
				h('span', { class: 'parameter' }, `${name} `, input, unit && ` ${unit}`),
			),
		),
	);
}

/**
 * @param {Parameter} parameter
 * @param {unknown} value
 * @param {Record<string, unknown>} properties
 */
const inputOf = ({ choices }, value, properties) =>
	choices
		? h(
				'select',
				properties,
				choices.map((choice) => option(choice, choice, choice === value)),
			)
		: h('input', { type: 'number', min: 0, value, ...properties });

/**
 * Whether a fault is of this kind and strikes at this place, and there alone.
 * @param {Fault} fault
 * @param {Record<string, string>} wanted
 */
function isThat(fault, wanted) {
	const given = new Map(Object.entries(fault));
	return ['on', 'operation', 'webhookId', 'kind', 'mode', 'tenant', 'every'].every(
		(name) => given.get(name) === wanted[name],
	);
}

/** @param {ActiveFault} active */
function activeFault({ id, fault, remaining }) {
	const { on, kind, times: _times, ...rest } = fault;
	const details = Object.entries(rest).map(([name, value]) => `${name} ${value}`);
	const left = remaining === null ? [] : [`${remaining} times more`];
	const text = [`${on}: ${kind}`, ...details, ...left].join(', ');
	return h(
		'li',
		{},
		h('code', {}, text),
		' ',
		h(
			'button',
			{ type: 'button', class: 'remove', 'data-id': id, 'aria-label': `Remove ${text}` },
			'Remove',
		),
	);
}
