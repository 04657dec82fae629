import { control } from './api.js';
import { bubble } from './bubble.js';
import { composer } from './composer.js';
import { attempt, duration, field, fill, h, oneAtATime, option, shortTime, toggle } from './dom.js';

/** The customer whom an empty sandbox offers. */
const FIRST_CUSTOMER = { customer: '5500000000101', name: 'Ana Example' };

/** The chats of a channel's customers, seen from the customers' phones. */
export function mountChats(root, app, argument) {
	const channels = app.channels();
	let channelId = channels[0]?.id;
	let customer = argument ? decodeURIComponent(argument) : undefined;
	let conversations = [];
	let readsAtOnce = true;
	let isAtEnd = true;

	const list = h('ul', { class: 'conversations', 'aria-label': 'Customers' });
	const phone = h('section', { class: 'phone', 'aria-label': 'Chat' });
	const head = h('header', {});
	const messages = h('ol', { class: 'messages', 'aria-live': 'polite', 'aria-label': 'Messages', tabIndex: 0 });
	// A picture that arrives late must not push the newest message out of sight.
	messages.addEventListener('load', () => isAtEnd && (messages.scrollTop = messages.scrollHeight), true);
	messages.addEventListener('scroll', () => (isAtEnd = messages.scrollHeight - messages.scrollTop - messages.clientHeight < 60));
	const channelSelect = h(
		'select',
		{ onchange: () => ((channelId = channelSelect.value), (customer = undefined), refresh()) },
		channels.map((channel) => option(channel.id, channel.name)),
	);
	const number = h('input', {
		inputMode: 'numeric',
		placeholder: 'Number, e.g. 5500000000102',
		required: true,
		'aria-label': 'Number of a new customer',
	});
	const name = h('input', { placeholder: 'Name, e.g. Bo Example', 'aria-label': 'Name of a new customer' });
	const newCustomer = h('form', { class: 'new-customer', onsubmit: add }, number, name, h('button', {}, 'Add customer'));

	function add(event) {
		event.preventDefault();
		const identifier = number.value.trim();
		if (!conversations.some((entry) => entry.customer === identifier))
			conversations.unshift({ customer: identifier, name: name.value.trim() || identifier });
		open(identifier);
		number.value = name.value = '';
	}

	const current = () => conversations.find((entry) => entry.customer === customer);

	function open(identifier) {
		customer = identifier;
		history.replaceState(null, '', `#chats/${encodeURIComponent(identifier)}`);
		root.classList.add('open');
		void refreshMessages(true);
		renderList();
		compose.focus();
	}

	function close() {
		root.classList.remove('open');
		history.replaceState(null, '', '#chats');
		list.querySelector('button')?.focus();
	}

	const compose = composer(async (content) => {
		const { name: knownName } = current() ?? {};
		return attempt(() => control('/inbound', { channelId, from: customer, name: knownName, ...content }));
	});

	function renderList() {
		fill(
			list,
			conversations.map((entry) =>
				h(
					'li',
					{},
					h(
						'button',
						{ type: 'button', 'aria-pressed': String(entry.customer === customer), 'data-customer': entry.customer },
						h('span', { class: 'avatar', 'aria-hidden': 'true' }, entry.name.slice(0, 1).toUpperCase()),
						h(
							'span',
							{ class: 'who' },
							h('strong', {}, entry.name),
							h('span', {}, entry.lastMessage ? summary(entry.lastMessage) : entry.customer),
						),
						h('span', { class: 'when' }, entry.lastMessage ? shortTime(entry.lastMessage.createdAt, app.now()) : ''),
					),
				),
			),
		);
	}
	list.addEventListener('click', (event) => {
		const button = event.target.closest('button');
		if (button) open(button.dataset.customer);
	});

	function renderHead() {
		const entry = current();
		const channel = channels.find(({ id }) => id === channelId);
		const left = entry?.windowClosesAt ? Date.parse(entry.windowClosesAt) - app.now() : 0;
		const text = left > 0 ? `24-hour window open, ${duration(left)} left` : entry?.windowClosesAt ? '24-hour window closed' : '24-hour window not opened yet';
		fill(
			head,
			h('button', { type: 'button', class: 'back', 'aria-label': 'Back to the customers' }, '‹'),
			h('span', { class: 'avatar', 'aria-hidden': 'true' }, channel.name.slice(0, 1)),
			h(
				'div',
				{},
				h('strong', {}, channel.name),
				h('small', {}, `to ${entry?.name ?? customer} · `, h('span', { class: left > 0 ? 'good' : 'bad' }, text)),
			),
		);
	}
	head.addEventListener('click', (event) => event.target.closest('.back') && close());

	async function refreshMessages(scroll) {
		if (!customer) return;
		const asked = customer;
		const query = new URLSearchParams({ channelId, customer, limit: '200' });
		const answer = await attempt(() => control(`/messages?${query}`));
		if (!answer || asked !== customer) return;
		const empty = h(
			'li',
			{ class: 'hint' },
			'Write as the customer: the first message opens the 24-hour window, and what the business answers appears here.',
		);
		fill(messages, answer.messages.length ? answer.messages.map((message) => bubble(message, app.now())) : empty);
		isAtEnd ||= Boolean(scroll);
		if (isAtEnd) messages.scrollTop = messages.scrollHeight;
		renderHead();
		const unread = answer.messages.some(({ direction, status }) => direction === 'out' && status === 'DELIVERED');
		if (readsAtOnce && unread && !document.hidden) await attempt(() => control('/read', { channelId, customer }));
	}

	const refresh = oneAtATime(async () => {
		const answer = await attempt(() => control(`/conversations?channelId=${channelId}`));
		if (!answer) return;
		const known = new Set(answer.conversations.map((entry) => entry.customer));
		conversations = [...conversations.filter((entry) => !entry.lastMessage && !known.has(entry.customer)), ...answer.conversations];
		if (conversations.length === 0) conversations = [FIRST_CUSTOMER];
		customer ??= conversations[0].customer;
		if (!current()) conversations.unshift(customer === FIRST_CUSTOMER.customer ? FIRST_CUSTOMER : { customer, name: customer });
		renderList();
		await refreshMessages();
	});

	if (!channelId) {
		root.append(h('p', { class: 'empty' }, 'There is no channel. Create one under Connect, or reset the sandbox under Controls.'));
		return { update: () => undefined };
	}
	const reads = toggle('The customer reads at once', readsAtOnce, (checked) => ((readsAtOnce = checked), refreshMessages()));
	phone.append(head, messages, compose.element);
	root.append(h('aside', { class: 'panel side' }, field('Channel', channelSelect), list, newCustomer, reads), phone);
	if (argument) root.classList.add('open');
	void refresh();
	return {
		update(notices) {
			if (notices.some(({ type }) => type === 'reset')) conversations = [];
			if (notices.some(({ type }) => ['message', 'status', 'reset', 'clock', 'missed'].includes(type))) void refresh();
		},
	};
}

function summary({ content, direction }) {
	const text =
		content.text ?? content.caption ?? content.contacts?.map((contact) => contact.name).join(', ') ?? content.type.toLowerCase();
	return direction === 'in' ? `You: ${text}` : text;
}
