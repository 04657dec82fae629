import { control } from './api.js';
import { attempt, fill, h, oneAtATime, option, shortTime } from './dom.js';

const STATES = ['PENDING', 'DELIVERED', 'FAILED', 'CANCELLED'];
const tone = (state) => (state === 'DELIVERED' ? 'good' : state === 'PENDING' ? 'wait' : 'bad');

/** Every delivery, with what exactly went out and came back. */
export function mountDeliveries(root, app, argument) {
	let selected = /^\d+$/.test(argument ?? '') ? Number(argument) : undefined;
	const list = h('ul', { class: 'deliveries-list', 'aria-label': 'Deliveries' });
	const detail = h('section', { class: 'panel detail', 'aria-label': 'Delivery', 'aria-live': 'polite' });
	let shown = '';
	const counts = h('p', { class: 'counts' });
	const state = h(
		'select',
		{ 'aria-label': 'State', onchange: () => refresh() },
		option('', 'Any state'),
		STATES.map((name) => option(name, name.toLowerCase())),
	);
	const webhook = h('select', { 'aria-label': 'Webhook', onchange: () => refresh() });
	const fillWebhooks = (wanted) =>
		webhook.replaceChildren(
			option('', 'Any webhook'),
			...app.state.webhooks.map(({ id, url, channelId }) =>
				option(id, `${channelId ? app.channelName(channelId) : 'Template'} → ${new URL(url).host}`, id === wanted),
			),
		);
	fillWebhooks(selected === undefined ? argument : undefined);

	const refresh = oneAtATime(async () => {
		const query = new URLSearchParams({ limit: '100' });
		if (state.value) query.set('state', state.value);
		if (webhook.value) query.set('webhookId', webhook.value);
		const answer = await attempt(() => control(`/deliveries?${query}`));
		if (!answer) return;
		fill(
			counts,
			STATES.map((name) =>
				h('span', { class: `tag ${answer.counts[name] ? tone(name) : 'muted'}` }, `${answer.counts[name]} ${name.toLowerCase()}`),
			),
		);
		const empty = h(
			'li',
			{ class: 'empty' },
			'Nothing was delivered yet. Write as a customer under Chats while a webhook is registered.',
		);
		selected ??= answer.deliveries[0]?.id;
		fill(list, answer.deliveries.length ? answer.deliveries.map(row) : empty);
		await refreshDetail();
	});

	function row(delivery) {
		return h(
			'li',
			{},
			h(
				'button',
				{ type: 'button', 'data-id': String(delivery.id), 'aria-pressed': String(delivery.id === selected) },
				h('span', { class: `dot ${tone(delivery.state)}`, 'aria-hidden': 'true' }),
				h(
					'span',
					{ class: 'who' },
					h('strong', {}, delivery.event),
					h('span', {}, subject(delivery)),
					h('span', {}, outcome(delivery)),
				),
				h('span', { class: 'when' }, shortTime(delivery.createdAt, app.now())),
			),
		);
	}
	list.addEventListener('click', (event) => {
		const button = event.target.closest('button');
		if (!button) return;
		selected = Number(button.dataset.id);
		for (const other of list.querySelectorAll('button')) other.setAttribute('aria-pressed', String(other === button));
		history.replaceState(null, '', `#deliveries/${selected}`);
		void refreshDetail();
	});

	async function refreshDetail() {
		if (selected === undefined) return fill(detail, h('p', { class: 'empty' }, 'Choose a delivery to see what went out.'));
		const delivery = await control(`/deliveries/${selected}`).catch(() => undefined);
		if (!delivery) shown = '';
		if (!delivery) return fill(detail, h('p', { class: 'empty' }, 'This delivery is not kept any more.'));
		// Shown again only when something is new: otherwise what a person opened would close under their eyes.
		const json = JSON.stringify(delivery);
		if (json !== shown) detail.replaceChildren(...h('div', {}, inspector(delivery)).childNodes);
		shown = json;
	}
	detail.addEventListener('click', async (event) => {
		if (!event.target.closest('.resend')) return;
		await attempt(() => control(`/deliveries/${selected}/redeliver`, undefined, 'POST'));
		await refresh();
	});

	root.append(
		h('h2', {}, 'Deliveries'),
		h('div', { class: 'row filters' }, state, webhook, counts),
		h('div', { class: 'split' }, list, detail),
	);
	void refresh();
	return {
		update(notices) {
			if (notices.some(({ type }) => type === 'reset')) selected = undefined;
			if (notices.some(({ type }) => ['delivery', 'message', 'status', 'reset', 'missed', 'clock', 'webhook'].includes(type)))
				void refresh();
		},
	};
}

const outcome = ({ state, attempts }) => `${state.toLowerCase()}, ${attempts} ${attempts === 1 ? 'attempt' : 'attempts'}`;

/** What a delivery is about, in a line. */
function subject({ body }) {
	const event = JSON.parse(body);
	if (Array.isArray(event)) return event[0].value.message_template_name;
	if (!event.message) return event.name ?? '';
	const { sender, contents, attachments } = event.message;
	return `${sender.name ?? sender.identifier}: ${contents[0]?.message ?? contents[0]?.type ?? attachments[0]?.type}`;
}

function inspector(delivery) {
	const next = delivery.nextAt && delivery.attempts > 0 ? `, next attempt ${new Date(delivery.nextAt).toLocaleString()}` : '';
	return [
		h(
			'header',
			{},
			h('h3', {}, delivery.event),
			h('span', { class: `tag ${tone(delivery.state)}` }, delivery.state),
			h('button', { type: 'button', class: 'primary resend' }, 'Send again'),
		),
		h('p', { class: 'muted' }, `Key ${delivery.idempotencyKey}${next}`),
		h('h4', {}, 'Body'),
		h('pre', { tabIndex: 0, 'aria-label': 'Body' }, JSON.stringify(JSON.parse(delivery.body), null, 2)),
		delivery.attemptList.length === 0 && h('p', { class: 'empty' }, 'Not tried yet.'),
		delivery.attemptList.toReversed().map(attemptView),
	];
}

function attemptView({
	number,
	at,
	duration,
	url,
	requestHeaders,
	requestBodyBase64,
	signedText,
	status,
	responseHeaders,
	responseBody,
	error,
	faults,
}) {
	const bytes = atob(requestBodyBase64).length;
	return h(
		'article',
		{ class: 'attempt' },
		h(
			'h4',
			{},
			`Attempt ${number} `,
			h('span', { class: `tag ${error ? 'bad' : 'good'}` }, error ?? `answered ${status}`),
			faults.map((fault) => h('span', { class: 'tag wait' }, `fault: ${fault}`)),
		),
		h(
			'p',
			{ class: 'muted' },
			`${new Date(at).toLocaleString()}, ${duration} ms, ${bytes} bytes${requestHeaders['content-encoding'] ? ` ${requestHeaders['content-encoding']}` : ''}`,
		),
		block('Request', [`POST ${url}`, ...lines(requestHeaders)].join('\n')),
		signedText !== null && block('Signed text', signedText),
		block('Bytes on the wire (base64)', requestBodyBase64),
		status !== null && block('Answer', [String(status), ...lines(responseHeaders ?? {}), '', responseBody ?? ''].join('\n')),
	);
}

const lines = (headers) => Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
const block = (title, text) =>
	h('details', { open: title === 'Request' }, h('summary', {}, title), h('pre', { tabIndex: 0, 'aria-label': title }, text));
