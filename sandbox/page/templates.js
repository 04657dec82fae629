import { control, has, readTemplates } from './api.js';
import { ask, attempt, field, h, oneAtATime, option, within } from './dom.js';
import { morph } from './morph.js';

/**
 * @import { TemplateView } from '../http/control/templates.mts'
 * @import { Notice } from './api.js'
 * @import { App } from './state.js'
 */

const CATEGORIES = ['UTILITY', 'MARKETING', 'AUTHENTICATION'];
const TONES = { APPROVED: 'good', PENDING: 'wait', REJECTED: 'bad', PAUSED: 'bad' };

/**
 * What can be done to a template. What its status becomes, template webhooks are told of.
 * @type {Record<string, (template: TemplateView) => unknown>}
 */
const DEEDS = {
	Approve: ({ id }) => change(id, { status: 'APPROVED' }),
	Reject: ({ id, name }) => reject(id, name),
	Pause: ({ id }) => change(id, { status: 'PAUSED' }),
	Delete: ({ id }) => attempt(() => control(`/message-templates/${id}`, undefined, 'DELETE')),
};

/**
 * The message templates, and what the service's reviewers do with them.
 * @param {HTMLElement} root
 * @param {App} app
 */
export function mountTemplates(root, app) {
	/** @type {TemplateView[]} */
	let templates = [];
	const list = h('div', { class: 'cards' });
	const empty = h('p', { class: 'empty' }, 'There is no template. Make one below.');

	const refresh = oneAtATime(async () => {
		const ids = app.state.tenants.map(({ id }) => id);
		const read = await attempt(() => Promise.all(ids.map(readTemplates)));
		if (!read) return;
		templates = read.flat();
		morph(list, templates.length ? templates.map((template) => card(template, app)) : empty);
	});

	list.addEventListener('click', (event) => {
		const deed = within(event, 'button')?.dataset['deed'] ?? '';
		const id = within(event, '[data-id]')?.dataset['id'];
		const template = templates.find((known) => known.id === id);
		if (template) DEEDS[deed]?.(template);
	});
	root.append(h('h2', {}, 'Message templates'), list, newTemplate(app));
	void refresh();
	return {
		/** @param {Notice[]} notices */
		update(notices) {
			if (has(notices, 'template', 'tenant', 'reset', 'missed')) void refresh();
		},
	};
}

/**
 * @param {TemplateView} template
 * @param {App} app
 */
function card({ id, tenantId, name, language, category, body, buttons, status, reason }, app) {
	const { tenants } = app.state;
	const owner = tenants.length > 1 && tenants.find((tenant) => tenant.id === tenantId)?.name;
	return h(
		'article',
		{ class: 'card', 'data-id': id, 'aria-label': `Template ${name}, ${language}` },
		h(
			'header',
			{},
			h('span', { class: `tag ${TONES[status]}` }, status),
			h('strong', {}, h('bdi', {}, name)),
			h(
				'span',
				{ class: 'muted' },
				`${language} · ${category}`,
				owner && [' · ', h('bdi', {}, owner)],
			),
		),
		h('p', { class: 'template-body' }, body),
		buttons.length > 0 &&
			h(
				'p',
				{ class: 'tags' },
				buttons.map(({ title }) => h('span', { class: 'tag' }, h('bdi', {}, title))),
			),
		reason !== null && h('p', {}, 'Reason: ', h('bdi', {}, reason)),
		h(
			'footer',
			{},
			Object.keys(DEEDS).map((deed) =>
				h(
					'button',
					{ type: 'button', 'data-deed': deed, 'aria-label': `${deed} ${name}, ${language}` },
					deed,
				),
			),
		),
	);
}

/**
 * @param {string} id
 * @param {object} part
 */
const change = (id, part) => attempt(() => control(`/message-templates/${id}`, part, 'PATCH'));

/**
 * @param {string} id
 * @param {string} name
 */
async function reject(id, name) {
	const reason = h('input', { value: 'INVALID_FORMAT', required: true, maxLength: 512 });
	// The first button is the one that Enter presses.
	const chosen = await ask(
		'reject-title',
		h('h3', { id: 'reject-title' }, 'Reject ', h('bdi', {}, name), '?'),
		field('Reason', reason, 'Template webhooks are told of it.'),
		h(
			'footer',
			{ class: 'row' },
			h('button', { value: 'reject', class: 'danger' }, 'Reject'),
			h('button', { value: 'keep', formNoValidate: true }, 'Cancel'),
		),
	);
	if (chosen === 'reject') await change(id, { status: 'REJECTED', reason: reason.value });
}

/** @param {App} app */
function newTemplate(app) {
	const tenant = h(
		'select',
		{},
		app.state.tenants.map(({ id, name }) => option(id, name)),
	);
	const name = h('input', { required: true, maxLength: 512, placeholder: 'e.g. order_shipped' });
	const language = h('input', { required: true, minLength: 2, maxLength: 16, value: 'en_US' });
	const category = h(
		'select',
		{},
		CATEGORIES.map((value) => option(value, value)),
	);
	const body = h('textarea', { required: true, maxLength: 1024, rows: 3 });
	const replies = h('input', { placeholder: 'e.g. My orders, Talk to us' });
	const titles = () =>
		replies.value
			.split(',')
			.map((title) => title.trim())
			.filter(Boolean);
	const create = async () => {
		const wanted = {
			...(tenant.value && { tenant: tenant.value }),
			...{ name: name.value, language: language.value, category: category.value },
			...{ body: body.value, buttons: titles().map((title) => ({ id: title, title })) },
		};
		if (await attempt(() => control('/message-templates', wanted)))
			name.value = body.value = replies.value = '';
		name.focus();
	};
	const form = h(
		'form',
		{ class: 'panel' },
		h('h3', {}, 'New template'),
		h(
			'div',
			{ class: 'row' },
			app.state.tenants.length > 1 && field('Tenant', tenant),
			field('Name', name),
			field('Language', language),
			field('Category', category),
		),
		field('Body', body, 'Parameters stand in it as {{1}}, {{2}} and so on.'),
		field('Quick replies', replies, 'With commas between. Left empty, it has none.'),
		h('button', { class: 'primary' }, 'Create template'),
	);
	form.addEventListener('submit', (event) => {
		event.preventDefault();
		void create();
	});
	return form;
}
