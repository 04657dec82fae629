import { control, drawnAt } from './api.js';
import { attempt, exactTime, field, h, offer, panelForm, select, toast } from './dom.js';
import { morph } from './morph.js';
import { ownerOf, waitsUntil } from './owner.js';
import type { App } from './state.js';

const ORDERS = { parallel: 'as fast as possible', kept: 'one after another', shuffled: 'shuffled' };
const CHANGES = {
	status: ['APPROVED', 'REJECTED', 'PENDING', 'PAUSED', 'DISABLED'],
	category: ['MARKETING', 'UTILITY', 'AUTHENTICATION'],
};

/** The registered webhooks, and template events to send to them. */
export function mountWebhooks(root: HTMLElement, app: App) {
	const list = h('div.cards');
	function render() {
		const { webhooks } = app.state;
		const empty = h(
			'p.empty',
			'No webhook is registered. Publish an n8n workflow with the trigger node. If it was published before the sandbox was reset, unpublish and publish it.',
		);
		morph(list, webhooks.length ? webhooks.map((webhook) => card(webhook, app)) : empty);
	}
	root.append(h('h2', 'Webhooks'), list, templateForm(app));
	render();
	return drawnAt(render, 'webhook', 'reset', 'missed', 'channel');
}

function card(webhook: App['state']['webhooks'][number], app: App) {
	const isEnabled = webhook.status === 'ENABLED';
	const name = webhook.channelId === null ? 'Template webhook' : app.channelName(webhook.channelId);
	const route = app.webhookName(webhook);
	return h(
		'article.card',
		// With the order, because a list that a person chose in does not change otherwise.
		{ 'data-id': webhook.id, 'data-order': webhook.order, 'aria-label': route },
		h(
			'header',
			h(`span.tag.${isEnabled ? 'good' : 'bad'}`, webhook.status),
			h('h3', h('bdi', name)),
		),
		h('p', webhook.url),
		webhook.description && h('p', ...described(webhook.description)),
		h('p.tags', ...webhook.events.map((event) => h('span.tag', event))),
		h(
			'dl',
			pair('ID', h('code', webhook.id)),
			pair('Signature', webhook.signing ? 'yes' : 'none'),
			pair('Authentication', webhook.auth.type),
			Object.entries(webhook.customAttributes).flatMap(attribute),
		),
		cardControls(webhook, route),
	);
}

function cardControls({ id, status, order }: App['state']['webhooks'][number], route: string) {
	const change = (body: object) => attempt(() => control(`/webhooks/${id}`, body, 'PATCH'));
	const [deed, next] = status === 'ENABLED' ? ['Disable', 'DISABLED'] : ['Enable', 'ENABLED'];
	const label = 'Deliveries go out';
	const named = { id: `order-${id}`, 'aria-label': `${label}: ${route}` };
	const orders = select(Object.entries(ORDERS), order, named);
	orders.addEventListener('change', () => void change({ order: orders.value }));
	const onclick = () => change({ status: next });
	return h(
		'footer',
		field(label, orders),
		h('button', { type: 'button', 'aria-label': `${deed} ${route}`, onclick }, deed),
		h('a', { href: `#deliveries/${id}`, 'aria-label': `Deliveries of ${route}` }, 'Deliveries'),
	);
}

/** Of a question, whether somebody still waits. n8n removes the webhook later. */
function described(description: string) {
	const { workflow, node } = ownerOf(description) ?? {};
	const until = waitsUntil(description);
	if (until === undefined) return [h('bdi', description)];
	const time = exactTime(new Date(until).toISOString(), Date.now());
	return [
		...['A question of ', h('bdi', workflow), ', ', h('bdi', node)],
		until > Date.now() ? `: waits for a reply until ${time}` : `: over since ${time}`,
	];
}

/** Of a node's attributes, only what a person can look up in n8n. */
function attribute([name, value]: [name: string, value: unknown]) {
	if (!name.startsWith('n8n')) return pair(name, valueOf(value).join(', '));
	const { workflowId, executionId } = (value ?? {}) as Record<string, unknown>;
	return [
		...(workflowId ? pair('Workflow', String(workflowId)) : []),
		...(executionId ? pair('Execution', String(executionId)) : []),
	];
}

/** A value of any depth in words: `instanceId: abc`. */
const valueOf = (value: unknown): string[] =>
	typeof value === 'object' && value !== null
		? Object.entries(value).flatMap(([name, inner]) =>
				valueOf(inner).map((text) => (Array.isArray(value) ? text : `${name}: ${text}`)),
			)
		: [String(value)];

const pair = (term: string, value: Node | string) => [h('dt', term), h('dd', value)];

/** Sends a change of a message template to template webhooks. */
function templateForm(app: App) {
	const what = select([
		['status', 'Status'],
		['category', 'Category'],
	]);
	const to = h('select');
	const name = h('input', { value: 'order_update', required: true });
	const show = () => offer(to, CHANGES[what.value === 'status' ? 'status' : 'category']);
	what.addEventListener('change', show);
	show();
	const send = async () => {
		const change = what.value === 'status' ? { status: to.value } : { newCategory: to.value };
		const body = { field: what.value, name: name.value, ...change };
		const sent = await attempt(() => control('/templates', body));
		if (!sent) return;
		const { webhooks } = sent as { webhooks: number };
		const all = app.state.webhooks.filter(({ channelId }) => channelId === null).length;
		toast(`Sent to ${webhooks} of ${all} template webhooks`, false);
	};
	return panelForm(
		send,
		h('h3', 'Template event'),
		h(
			'div.row',
			field('What changes', what),
			field('To', to),
			field('Template', name),
			h('button.primary', 'Send event'),
		),
	);
}
