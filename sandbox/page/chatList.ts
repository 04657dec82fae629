import type { ConversationView, MessageView } from '../http/control/chats.mts';

import { choices } from './choices.js';
import { h, initial, shortTime } from './dom.js';
import { said } from './said.js';
import type { App } from './state.js';

/** A new one has no message yet. */
export type Chat = { customer: string; name: string } & Partial<ConversationView>;

/** The customers of a channel, with the open chat marked, and a search. */
export function chatList(app: App, onOpen: (customer: string) => void) {
	let chats: Chat[] = [];
	let open: string | undefined;
	const list = choices({
		...{ className: 'conversations', label: 'Customers', onChoose: onOpen },
		empty: 'No customer has this name or number.',
	});
	const search = h('input', {
		...{ type: 'search', placeholder: 'Find a name or number', autocomplete: 'off' },
		'aria-label': 'Find a customer',
	});

	const isFound = ({ customer, name }: Chat) => {
		const wanted = search.value.trim().toLowerCase();
		return customer.includes(wanted) || name.toLowerCase().includes(wanted);
	};
	const show = () =>
		list.render(
			chats.filter(isFound).map((chat) => ({
				id: chat.customer,
				content: entry(chat, app.now(), chat.customer === open),
			})),
			open,
		);
	search.addEventListener('input', show);
	search.addEventListener('keydown', (event) => {
		const [first] = chats.filter(isFound);
		if (event.key === 'Enter' && first) onOpen(first.customer);
		if (event.key !== 'ArrowDown') return;
		event.preventDefault();
		list.focus();
	});
	return {
		elements: [search, ...list.elements],
		focus: list.focus,
		/**
		 * Shows the customer whose chat a person opens, whatever the search says.
		 * @param customer the one whose chat is open
		 * @param isOpened whether a person opens it now
		 */
		render(all: Chat[], customer: string | undefined, isOpened: boolean) {
			const isHidden = all.some((chat) => chat.customer === customer && !isFound(chat));
			if (isOpened && isHidden) search.value = '';
			chats = all;
			open = customer;
			show();
		},
	};
}

function entry({ customer, name, lastMessage }: Chat, now: number, isOpen: boolean) {
	const isNew = lastMessage?.direction === 'out' && lastMessage.status === 'DELIVERED' && !isOpen;
	return [
		h('span.avatar', { 'aria-hidden': 'true' }, initial(name).toUpperCase()),
		h(
			'span.who',
			h('strong', h('bdi', name)),
			h('span', lastMessage ? summary(lastMessage) : customer),
		),
		h(
			'span.when',
			isNew && h('span.new', 'new'),
			lastMessage && ` ${shortTime(lastMessage.createdAt, now)}`,
		),
	];
}

function summary({ content, direction }: MessageView) {
	const text = textOf(content);
	const shown = h('bdi', text === undefined ? content.type.toLowerCase() : plain(text));
	return direction === 'in' ? ['You: ', shown] : [shown];
}

/** A message's text in one line, without its marks. */
const plain = (text: string) =>
	[...said(text).querySelectorAll('p, li, pre')].map((block) => block.textContent).join(' ');

function textOf(content: MessageView['content']) {
	if ('text' in content) return content.text;
	if ('contacts' in content) return content.contacts.map(({ name }) => name).join(', ');
	return 'caption' in content ? content.caption : undefined;
}

/** Starts a chat with a new customer. */
export function newCustomer(onAdd: (customer: string, name: string) => void) {
	const number = h('input', {
		placeholder: 'e.g. 5500000000102 or @bo',
		required: true,
		'aria-label': 'Number of a new customer',
	});
	const name = h('input', { placeholder: 'Name, e.g. Bo', 'aria-label': 'Name of a new customer' });
	const form = h('form.new-customer', number, name, h('button', 'Add customer'));
	form.addEventListener('submit', (event) => {
		event.preventDefault();
		const customer = number.value.trim();
		onAdd(customer, name.value.trim() || customer);
		number.value = name.value = '';
	});
	return form;
}
