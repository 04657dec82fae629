import type { Result } from '../delivery/send.mts';

import { callWithKey, control, drawnAt } from './api.js';
import { connectButton, connectHere } from './connectHere.js';
import { copyButton, credential } from './credential.js';
import { attempt, field, fill, h, offer, panelForm, select, within } from './dom.js';
import { takeOut } from './drafts.js';
import { createClient, withPlus, type Connection } from './sdk.js';
import { channelChoice, type App, type Channel } from './state.js';

const REMEMBERED = 'sandbox.connect.url';

/**
 * The credential for n8n, the channels, and the guided connection of a channel, as a customer's
 * page does it in the browser.
 */
export function mountConnect(root: HTMLElement, app: App) {
	const list = h('div.cards');
	const form = connectForm(app);
	const forN8n = credential(app);

	function render() {
		form.render();
		fill(list, app.channels().map(card));
		forN8n.render();
	}

	list.addEventListener('click', (event) => {
		const id = within(event, '.disconnect')?.dataset['id'];
		if (id) void attempt(() => control(`/channels/${id}/disconnect`, undefined, 'POST'));
	});
	const { demoSecretKey, channelTypes } = app.state;
	root.append(forN8n.element, h('h2', 'Connect a channel'), form.element, list);
	if (demoSecretKey) root.append(channelForm(demoSecretKey, channelTypes, form.choose));
	render();
	return drawnAt(render, 'channel', 'reset', 'tenant', 'missed');
}

function card(channel: Channel) {
	const { id, name, type, connected, businessNumber, coexistence, paymentStatus, tenant } = channel;
	const number = connected
		? `${withPlus(String(businessNumber))}${coexistence ? ', in coexistence' : ''}`
		: 'No number or name yet';
	const state = connected ? 'connected' : 'not connected';
	return h(
		'article.card',
		{ 'data-channel': id },
		h('header', h(`span.tag.${connected ? 'good' : 'bad'}`, state), h('strong', h('bdi', name))),
		h(
			'p',
			h('bdi', number),
			h('span.muted', ` · ${type} · ${paymentStatus} · `, h('bdi', tenant.name)),
		),
		h('p', h('code', id)),
		h(
			'footer',
			connected && h('button.disconnect', { type: 'button', 'data-id': id }, 'Disconnect'),
			!connected && connectButton(channel),
		),
	);
}

function connectForm(app: App) {
	let wanted = '';
	const channel = h('select');
	channel.addEventListener('change', () => choose(channel.value));
	const chosen = () => app.channels().find(({ id }) => id === channel.value);
	const onclick = () => {
		const one = chosen();
		if (one) void connectHere(one);
	};
	const here = h('button.primary', { type: 'button', onclick }, 'Connect here');
	const allow = () => (here.disabled = chosen()?.connected !== false);
	const url = h('input', {
		type: 'url',
		placeholder: 'e.g. http://127.0.0.1:5678/webhook/connect-channel',
		value: localStorage.getItem(REMEMBERED) ?? '',
	});
	const result = h('section', { 'aria-live': 'polite' });
	const get = () => {
		localStorage.setItem(REMEMBERED, url.value);
		const one = chosen();
		if (one) void connect(one, url.value, result);
	};
	const element = panelForm(
		get,
		h('div.row', field('Channel', channel), here),
		h('h3', 'Or connect it from n8n'),
		h(
			'p',
			'Plays the page on which a business connects its number, inbox or bot: the connection SDK asks the person and returns an object that works once. Paste it in n8n, or let the page post it to your backend, which calls Connect.',
		),
		h(
			'div.row',
			field(
				'Post the result to',
				url,
				'For example an n8n webhook. If empty, you can copy the result.',
			),
			h('button', 'Get the object'),
		),
		result,
	);
	const render = () => {
		const channels = app.channels();
		const [first] = channels.filter(({ connected }) => !connected);
		const known = [wanted, channel.value].find((id) => channels.some((one) => one.id === id));
		offer(channel, channels.map(channelChoice), known ?? first?.id);
		allow();
	};
	/** @param id of a channel, which the page may learn of later */
	const choose = (id: string) => {
		wanted = id;
		render();
	};
	return { element, choose, render };
}

/**
 * Runs the SDK, posts its result to the backend, and shows both.
 * @param url of the backend; empty: none
 */
async function connect({ id, name, tenant }: Channel, url: string, result: HTMLElement) {
	const connection = await attempt(() => createClient(tenant).connect(id));
	if (!connection) return;
	fill(result, ...shown('The SDK returned', 'SDK result', withoutSecrets(connection)));
	if (!connection.success) return;
	if (!url) {
		result.append(
			copyButton('Result', JSON.stringify(connection)),
			h(
				'p',
				h('strong', 'Next: '),
				'in n8n, add Business Messaging → Channel → Connect, choose ',
				h('bdi', name),
				', and paste this object. It works once, within ten minutes.',
			),
		);
		return;
	}
	const posted = await attempt(() => control('/sdk/post', { url, answer: connection }));
	if (!posted) return;
	const { status, body, error } = posted as Result;
	const said = status === null ? error : `${status}\n\n${body}`;
	result.append(...shown('Your backend responded', 'Response of the backend', said));
}

/** The result as the page shows it. All of its values are secrets while they live. */
function withoutSecrets({ success, channelId, ...secrets }: Connection) {
	const hidden = Object.keys(secrets).map((name) => [name, '•••']);
	return JSON.stringify({ success, channelId, ...Object.fromEntries(hidden) }, null, 2);
}

const shown = (title: string, label: string, text: string | null) => [
	h('h3', title),
	h('pre', { tabIndex: 0, 'aria-label': label }, text),
];

function channelForm(
	secretKey: string,
	types: App['state']['channelTypes'],
	onCreated: (channelId: string) => void,
) {
	const name = h('input', { required: true, placeholder: 'e.g. Shop' });
	const type = select(types);
	const create = async () => {
		const body = { name: name.value, type: type.value };
		const giveBack = takeOut([name]);
		const created = await attempt(() => callWithKey('/v1/channels', secretKey, body));
		if (created) onCreated((created as { id: string }).id);
		else giveBack();
	};
	return panelForm(
		create,
		h('h3', 'New channel'),
		h('div.row', field('Name', name), field('Type', type), h('button', 'Create channel')),
	);
}
