import type { TemplateView } from '../http/control/templates.mts';

import { control, drawnAt, readTemplates } from './api.js';
import { shownTemplate } from './contents.js';
import { ask, attempt, field, h, oneAtATime, select, within, type Child } from './dom.js';
import { morph } from './morph.js';
import { CATEGORIES, newTemplate } from './newTemplate.js';
import type { App } from './state.js';

const TONES = { APPROVED: 'good', PENDING: 'wait', REJECTED: 'bad', PAUSED: 'bad' };

/** What can be done to a template. Template webhooks are told of its new status. */
const DEEDS: Record<string, (template: TemplateView) => unknown> = {
	Approve: ({ id }) => change(id, { status: 'APPROVED' }),
	'Approve as …': approveAs,
	Reject: reject,
	Pause: ({ id }) => change(id, { status: 'PAUSED' }),
	Delete: ({ id }) => attempt(() => control(`/message-templates/${id}`, undefined, 'DELETE')),
};

/** The message templates, and the decisions of the service's reviewers. */
export function mountTemplates(root: HTMLElement, app: App) {
	let templates: TemplateView[] = [];
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
	return drawnAt(refresh, 'template', 'tenant', 'reset', 'missed');
}

function card(template: TemplateView, app: App) {
	const { id, tenantId, business, name, language, category, status, reason } = template;
	const { tenants } = app.state;
	const tenant = tenants.find((known) => known.id === tenantId)?.name;
	const owners = [tenants.length > 1 && tenant, business !== tenant && business];
	return h(
		'article.card',
		{ 'data-id': id, 'aria-label': `Template ${name}, ${language}` },
		h(
			'header',
			h(`span.tag.${TONES[status]}`, status),
			h('strong', h('bdi', name)),
			h(
				'span.muted',
				`${language} · ${category}`,
				owners.map((owner) => owner && h('span', ' · ', h('bdi', owner))),
			),
		),
		preview(template),
		reason !== null && h('p', 'Reason: ', h('bdi', reason)),
		h(
			'footer',
			Object.keys(DEEDS)
				.filter((deed) => !(deed === 'Approve' && status === 'APPROVED'))
				.map((deed) =>
					h(
						'button',
						{ type: 'button', 'data-deed': deed, 'aria-label': `${deed} ${name}, ${language}` },
						deed,
					),
				),
		),
	);
}

/** What the customer will get, drawn as in the chat. */
function preview({ shown }: TemplateView) {
	const drawn = h('div.theirs.preview', shownTemplate(shown));
	// Only a message can be answered.
	for (const button of drawn.querySelectorAll('button')) button.disabled = true;
	return drawn;
}

const change = (id: string, part: object) =>
	attempt(() => control(`/message-templates/${id}`, part, 'PATCH'));

/**
 * Asks for what a decision needs.
 * @param deed a button
 */
async function decided(title: Child, asked: HTMLElement, deed: HTMLElement) {
	const cancel = h('button', { value: '', formNoValidate: true }, 'Cancel');
	return (await ask('decision-title', title, [asked], deed, cancel)) === 'yes';
}

async function approveAs({ id, name, category: present }: TemplateView) {
	const category = select(CATEGORIES, present);
	const deed = h('button.primary', { value: 'yes' }, 'Approve');
	const asked = field('Category', category, 'Template webhooks are told if it changes.');
	if (await decided(['Approve ', h('bdi', name), ' as'], asked, deed))
		await change(id, { status: 'APPROVED', category: category.value });
}

async function reject({ id, name }: TemplateView) {
	const reason = h('input', { value: 'INVALID_FORMAT', required: true, maxLength: 512 });
	const deed = h('button.danger', { value: 'yes' }, 'Reject');
	const asked = field('Reason', reason, 'Template webhooks get this reason.');
	if (await decided(['Reject ', h('bdi', name), '?'], asked, deed))
		await change(id, { status: 'REJECTED', reason: reason.value });
}
