import { control } from './api.js';
import { attempt, fill, field, h, option, toast } from './dom.js';

const ORDERS = { parallel: 'as fast as possible', kept: 'one after another', shuffled: 'shuffled' };

/** The registered webhooks, and template events to send to them. */
export function mountWebhooks(root, app) {
	const list = h('div', { class: 'cards' });

	function card(webhook) {
		const isTemplate = webhook.channelId === null;
		const change = (body) => attempt(() => control(`/webhooks/${webhook.id}`, body, 'PATCH'));
		const order = h(
			'select',
			{ onchange: () => change({ order: order.value }) },
			Object.entries(ORDERS).map(([value, label]) => option(value, label, value === webhook.order)),
		);
		const status = h('button', {
			type: 'button',
			onclick: () => change({ status: webhook.status === 'ENABLED' ? 'DISABLED' : 'ENABLED' }),
		});
		status.textContent = webhook.status === 'ENABLED' ? 'Disable' : 'Enable';
		return h(
			'article',
			{ class: 'card', 'data-webhook': webhook.id },
			h(
				'header',
				{},
				h('span', { class: `tag ${webhook.status === 'ENABLED' ? 'good' : 'bad'}` }, webhook.status),
				h('strong', {}, isTemplate ? 'Template webhook' : app.channelName(webhook.channelId)),
			),
			h('p', { class: 'url' }, webhook.url),
			webhook.description && h('p', {}, webhook.description),
			h(
				'p',
				{ class: 'tags' },
				webhook.events.map((event) => h('span', { class: 'tag' }, event)),
			),
			h(
				'dl',
				{},
				...pair('Id', h('code', {}, webhook.id)),
				...pair('Signing', webhook.signing ? 'five-field signature' : 'none'),
				...pair('Auth', webhook.auth.type),
				...(Object.keys(webhook.customAttributes).length
					? pair('Attributes', h('code', {}, JSON.stringify(webhook.customAttributes)))
					: []),
			),
			h('footer', {}, field('Deliveries go out', order), status, h('a', { href: `#deliveries/${webhook.id}` }, 'Deliveries')),
		);
	}

	function render() {
		const { webhooks } = app.state;
		const empty = h(
			'p',
			{ class: 'empty' },
			'No webhook is registered. Publish an n8n workflow with the trigger node, or create one through the API.',
		);
		fill(list, webhooks.length ? webhooks.map(card) : empty);
	}

	root.append(h('h2', {}, 'Webhooks'), list, templateForm(app));
	render();
	return {
		update(notices) {
			if (notices.some(({ type }) => ['webhook', 'reset', 'missed', 'channel'].includes(type))) render();
		},
	};
}

const pair = (term, value) => [h('dt', {}, term), h('dd', {}, value)];

/** A change of a message template, which template webhooks are told of. */
function templateForm(app) {
	const what = h('select', {}, option('status', 'Status'), option('category', 'Category'));
	const to = h('select', {});
	const name = h('input', { value: 'order_update', required: true });
	const choices = {
		status: ['APPROVED', 'REJECTED', 'PENDING', 'PAUSED', 'DISABLED'],
		category: ['MARKETING', 'UTILITY', 'AUTHENTICATION'],
	};
	const offer = () => to.replaceChildren(...choices[what.value].map((value) => option(value, value)));
	what.addEventListener('change', offer);
	offer();
	const submit = async (event) => {
		event.preventDefault();
		const change = what.value === 'status' ? { status: to.value } : { newCategory: to.value };
		const sent = await attempt(() => control('/templates', { field: what.value, name: name.value, ...change }));
		if (sent)
			toast(
				`Sent to ${sent.webhooks} of ${app.state.webhooks.filter(({ channelId }) => channelId === null).length} template webhooks`,
				false,
			);
	};
	const row = h(
		'div',
		{ class: 'row' },
		field('What changes', what),
		field('To', to),
		field('Template', name),
		h('button', { class: 'primary' }, 'Send event'),
	);
	return h('form', { class: 'panel', onsubmit: submit }, h('h3', {}, 'Template event'), row);
}
