import { control, has, readTemplates } from './api.js';
import { ask, attempt, field, h, oneAtATime, within } from './dom.js';
import { morph } from './morph.js';
import { newTemplate } from './newTemplate.js';

/**
 * @import { TemplateView } from '../http/control/templates.mts'
 * @import { Notice } from './api.js'
 * @import { App } from './state.js'
 */

const TONES = { APPROVED: 'good', PENDING: 'wait', REJECTED: 'bad', PAUSED: 'bad' };

/**
 * What can be done to a template. Template webhooks are told of its new status.
 * @type {Record<string, (template: TemplateView) => unknown>}
 */
const DEEDS = {
	Approve: ({ id }) => change(id, { status: 'APPROVED' }),
	Reject: ({ id, name }) => reject(id, name),
	Pause: ({ id }) => change(id, { status: 'PAUSED' }),
	Delete: ({ id }) => attempt(() => control(`/message-templates/${id}`, undefined, 'DELETE')),
};

/**
 * The message templates, and the decisions of the service's reviewers.
 * @param {HTMLElement} root
 * @param {App} app
 */
export function mountTemplates(root, app) {
	/** @type {TemplateView[]} */
	let templates = [];
	const list = h('div.cards');
	const empty = h('p.empty', 'There are no templates. Create one below.');

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
	root.append(h('h2', 'Message templates'), list, newTemplate(app));
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
function card(template, app) {
	const { id, tenantId, business, name, language, category, components, status, reason } = template;
	const { tenants } = app.state;
	const tenant = tenants.find((known) => known.id === tenantId)?.name;
	const owners = [tenants.length > 1 && tenant, business !== tenant && business];
	return h(
		'article.card',
		{ 'data-id': id, 'aria-label': `Template ${name}, ${language}` },
		h(
			'header',
			h('span', { class: `tag ${TONES[status]}` }, status),
			h('strong', h('bdi', name)),
			h(
				'span.muted',
				`${language} · ${category}`,
				owners.map((owner) => owner && h('span', ' · ', h('bdi', owner))),
			),
		),
		components.map(part),
		reason !== null && h('p', 'Reason: ', h('bdi', reason)),
		h(
			'footer',
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
 * A part of a template, with its variables.
 * @param {TemplateView['components'][number]} component
 */
function part({ type, format, text, buttons }) {
	switch (type) {
		case 'HEADER':
			return text
				? h('p.template-body', h('strong', text))
				: h('p.tags', h('span.tag', `${format} above the text`));
		case 'BODY':
			return h('p.template-body', text || 'The text of an access code');
		case 'FOOTER':
			return h('p.template-body.muted', text || 'When the code expires');
		case 'BUTTONS':
			return h(
				'p.tags',
				(buttons ?? []).map((button) => h('span.tag', h('bdi', button.text || button.type))),
			);
		default:
			return h('p.tags', h('span.tag', type));
	}
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
	// Enter presses the first button.
	const chosen = await ask(
		'reject-title',
		h('h3', { id: 'reject-title' }, 'Reject ', h('bdi', name), '?'),
		field('Reason', reason, 'Template webhooks get this reason.'),
		h(
			'footer.row',
			h('button.danger', { value: 'reject' }, 'Reject'),
			h('button', { value: 'keep', formNoValidate: true }, 'Cancel'),
		),
	);
	if (chosen === 'reject') await change(id, { status: 'REJECTED', reason: reason.value });
}
