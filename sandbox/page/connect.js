import { callWithKey, control, has } from './api.js';
import { attempt, field, fill, h, option, within } from './dom.js';
import { createClient } from './sdk.js';

/**
 * @import { Result } from '../delivery/send.mts'
 * @import { Notice } from './api.js'
 * @import { App } from './state.js'
 */
/** @typedef {ReturnType<App['channels']>[number]} Channel */

const REMEMBERED = 'sandbox.connect.url';

/**
 * The guided connection of a channel: what the customer's page does in their browser.
 * @param {HTMLElement} root
 * @param {App} app
 */
export function mountConnect(root, app) {
	const list = h('div', { class: 'cards' });
	const channel = h('select', {});

	function render() {
		const chosen = channel.value;
		channel.replaceChildren(
			...app.channels().map(({ id, name }) => option(id, name, id === chosen)),
		);
		fill(list, app.channels().map(card));
	}

	list.addEventListener('click', (event) => {
		const id = within(event, '.disconnect')?.dataset['id'];
		if (id) void attempt(() => control(`/channels/${id}/disconnect`, undefined, 'POST'));
	});
	const { demoSecretKey } = app.state;
	root.append(h('h2', {}, 'Connect a channel'), connectForm(app, channel), list);
	if (demoSecretKey) root.append(credential(demoSecretKey), channelForm(demoSecretKey));
	render();
	return {
		/** @param {Notice[]} notices */
		update(notices) {
			if (has(notices, 'channel', 'reset', 'tenant', 'missed')) render();
		},
	};
}

/** @param {Channel} channel */
function card({ id, name, type, connected, businessNumber, coexistence, tenant }) {
	const number = connected
		? `+${businessNumber}${coexistence ? ', in coexistence' : ''}`
		: 'No number yet';
	const state = connected ? 'connected' : 'not connected';
	return h(
		'article',
		{ class: 'card', 'data-channel': id },
		h(
			'header',
			{},
			h('span', { class: `tag ${connected ? 'good' : 'bad'}` }, state),
			h('strong', {}, h('bdi', {}, name)),
		),
		h('p', {}, number, h('span', { class: 'muted' }, ` · ${type} · `, h('bdi', {}, tenant.name))),
		h('p', {}, h('code', {}, id)),
		h(
			'footer',
			{},
			connected &&
				h('button', { type: 'button', class: 'disconnect', 'data-id': id }, 'Disconnect'),
		),
	);
}

/**
 * @param {App} app
 * @param {HTMLSelectElement} channel
 */
function connectForm(app, channel) {
	const url = h('input', {
		type: 'url',
		placeholder: 'e.g. http://127.0.0.1:5678/webhook/connect-channel',
		value: localStorage.getItem(REMEMBERED) ?? '',
	});
	const result = h('section', { 'aria-live': 'polite' });
	const form = h(
		'form',
		{ class: 'panel' },
		h(
			'p',
			{},
			'Plays the page on which a business connects its number: the connection SDK asks, answers with a code that is good once, and the page hands it to your backend, which calls Connect.',
		),
		h(
			'div',
			{ class: 'row' },
			field('Channel', channel),
			field(
				'Post the answer to',
				url,
				'An n8n webhook, for example. Left empty, it is only shown.',
			),
			h('button', { class: 'primary' }, 'Connect'),
		),
		result,
	);
	form.addEventListener('submit', (event) => {
		event.preventDefault();
		localStorage.setItem(REMEMBERED, url.value);
		const chosen = app.channels().find(({ id }) => id === channel.value);
		if (chosen) void connect(chosen, url.value, result);
	});
	return form;
}

/**
 * Runs the SDK, posts what it gives to the backend, and shows both.
 * @param {Channel} channel
 * @param {string} url of the backend; empty: none
 * @param {HTMLElement} result
 */
async function connect({ id, tenant }, url, result) {
	const connection = await attempt(() => createClient(tenant).connect(id));
	if (!connection) return;
	fill(result, ...shown('The SDK answered', 'SDK answer', JSON.stringify(connection, null, 2)));
	if (!connection.success || !url) return;
	const posted = await attempt(() => control('/sdk/post', { url, answer: connection }));
	if (!posted) return;
	const { status, body, error } = /** @type {Result} */ (posted);
	const said = status === null ? error : `${status}\n\n${body}`;
	result.append(...shown('Your backend answered', 'Answer of the backend', said));
}

/**
 * @param {string} title
 * @param {string} label
 * @param {string | null} text
 */
const shown = (title, label, text) => [
	h('h4', {}, title),
	h('pre', { tabIndex: 0, 'aria-label': label }, text),
];

/** @param {string} secretKey */
function credential(secretKey) {
	return h(
		'section',
		{ class: 'panel' },
		h('h3', {}, 'Credential in n8n'),
		h(
			'dl',
			{},
			h('dt', {}, 'Base URL'),
			h('dd', {}, h('code', {}, location.origin)),
			h('dt', {}, 'Secret key'),
			h('dd', {}, h('code', {}, secretKey)),
		),
	);
}

/** @param {string} secretKey */
function channelForm(secretKey) {
	const name = h('input', { required: true, placeholder: 'e.g. Shop' });
	const form = h(
		'form',
		{ class: 'panel' },
		h('h3', {}, 'New channel'),
		h('div', { class: 'row' }, field('Name', name), h('button', {}, 'Create channel')),
	);
	/** @param {string} wanted */
	const create = async (wanted) => {
		const body = { name: wanted, type: 'OFFICIAL_CHATAPP' };
		if (await attempt(() => callWithKey('/v1/channels', secretKey, body))) name.value = '';
	};
	form.addEventListener('submit', (event) => {
		event.preventDefault();
		void create(name.value);
	});
	return form;
}
