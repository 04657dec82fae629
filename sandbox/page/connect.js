import { control, service } from './api.js';
import { attempt, field, fill, h, option } from './dom.js';
import { createClient } from './sdk.js';

const REMEMBERED = 'sandbox.connect.url';

/** The guided connection of a channel: what the customer's page does in their browser. */
export function mountConnect(root, app) {
	const list = h('div', { class: 'cards' });
	const channel = h('select', {});
	const url = h('input', {
		type: 'url',
		placeholder: 'e.g. http://127.0.0.1:5678/webhook/connect-channel',
		value: localStorage.getItem(REMEMBERED) ?? '',
	});
	const result = h('section', { 'aria-live': 'polite' });

	function render() {
		const chosen = channel.value;
		channel.replaceChildren(...app.channels().map(({ id, name }) => option(id, name, id === chosen)));
		fill(list, app.channels().map(card));
	}

	const card = ({ id, name, type, connected, businessNumber, coexistence, tenant }) =>
		h(
			'article',
			{ class: 'card', 'data-channel': id },
			h(
				'header',
				{},
				h('span', { class: `tag ${connected ? 'good' : 'bad'}` }, connected ? 'connected' : 'not connected'),
				h('strong', {}, name),
			),
			h(
				'p',
				{},
				connected ? `+${businessNumber}${coexistence ? ', in coexistence' : ''}` : 'No number yet',
				h('span', { class: 'muted' }, ` · ${type} · ${tenant.name}`),
			),
			h('p', {}, h('code', {}, id)),
			h('footer', {}, connected && h('button', { type: 'button', class: 'disconnect', 'data-id': id }, 'Disconnect')),
		);
	list.addEventListener('click', (event) => {
		const button = event.target.closest('.disconnect');
		if (button) void attempt(() => control(`/channels/${button.dataset.id}/disconnect`, undefined, 'POST'));
	});

	async function connect(event) {
		event.preventDefault();
		localStorage.setItem(REMEMBERED, url.value);
		const { publicKey } = app.channels().find(({ id }) => id === channel.value).tenant;
		const answer = await attempt(() => createClient({ publicKey }).connect(channel.value));
		if (!answer) return;
		const json = JSON.stringify(answer, null, 2);
		fill(result, h('h4', {}, 'The SDK answered'), h('pre', { tabIndex: 0, 'aria-label': 'SDK answer' }, json));
		if (!answer.success || !url.value) return;
		const posted = await attempt(() => control('/sdk/post', { url: url.value, answer }));
		if (!posted) return;
		const said = posted.status === null ? posted.error : `${posted.status}\n\n${posted.body}`;
		result.append(h('h4', {}, 'Your backend answered'), h('pre', { tabIndex: 0, 'aria-label': 'Answer of the backend' }, said));
	}

	const name = h('input', { required: true, placeholder: 'e.g. Shop' });
	async function create(event) {
		event.preventDefault();
		const made = await attempt(() => service('/v1/channels', app.state.demoSecretKey, { name: name.value, type: 'OFFICIAL_CHATAPP' }));
		if (made) name.value = '';
	}

	root.append(
		h('h2', {}, 'Connect a channel'),
		h(
			'form',
			{ class: 'panel', onsubmit: connect },
			h(
				'p',
				{},
				'Plays the page on which a business connects its number: the connection SDK asks, answers with a code that is good once, and the page hands it to your backend, which calls Connect.',
			),
			h(
				'div',
				{ class: 'row' },
				field('Channel', channel),
				field('Post the answer to', url, 'An n8n webhook, for example. Left empty, it is only shown.'),
				h('button', { class: 'primary' }, 'Connect'),
			),
			result,
		),
		list,
		app.state.demoSecretKey &&
			h(
				'section',
				{ class: 'panel' },
				h('h3', {}, 'Credential in n8n'),
				h(
					'dl',
					{},
					h('dt', {}, 'Base URL'),
					h('dd', {}, h('code', {}, location.origin)),
					h('dt', {}, 'Secret key'),
					h('dd', {}, h('code', {}, app.state.demoSecretKey)),
				),
			),
		app.state.demoSecretKey &&
			h(
				'form',
				{ class: 'panel', onsubmit: create },
				h('h3', {}, 'New channel'),
				h('div', { class: 'row' }, field('Name', name), h('button', {}, 'Create channel')),
			),
	);
	render();
	return {
		update(notices) {
			if (notices.some(({ type }) => ['channel', 'reset', 'tenant', 'missed'].includes(type))) render();
		},
	};
}
