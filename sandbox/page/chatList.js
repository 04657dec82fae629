import { choices } from './choices.js';
import { h, initial, shortTime } from './dom.js';
import { said } from './said.js';

/**
 * @import { ConversationView, MessageView } from '../http/control/chats.mts'
 * @import { App } from './state.js'
 */
/**
 * @typedef {{ customer: string, name: string } & Partial<ConversationView>} Chat a new one has no
 * message yet
 */

/**
 * The customers of a channel, with the open chat marked, and a search.
 * @param {App} app
 * @param {(customer: string) => void} onOpen
 */
export function chatList(app, onOpen) {
	/** @type {Chat[]} */
	let chats = [];
	/** @type {string | undefined} */
	let open;
	const list = choices({
		...{ className: 'conversations', label: 'Customers', onChoose: onOpen },
		empty: 'No customer has this name or number.',
	});
	const search = h('input', {
		...{ type: 'search', placeholder: 'Find a name or number', autocomplete: 'off' },
		'aria-label': 'Find a customer',
	});

	/** @param {Chat} chat */
	const isFound = ({ customer, name }) => {
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
		 * @param {Chat[]} all
		 * @param {string | undefined} customer the one whose chat is open
		 * @param {boolean} isOpened whether a person opens it now
		 */
		render(all, customer, isOpened) {
			const isHidden = all.some((chat) => chat.customer === customer && !isFound(chat));
			if (isOpened && isHidden) search.value = '';
			chats = all;
			open = customer;
			show();
		},
	};
}

/**
 * @param {Chat} chat
 * @param {number} now
 * @param {boolean} isOpen
 */
function entry({ customer, name, lastMessage }, now, isOpen) {
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

/** @param {MessageView} message */
function summary({ content, direction }) {
	const text = textOf(content);
	const shown = h('bdi', text === undefined ? content.type.toLowerCase() : said(text).textContent);
	return direction === 'in' ? ['You: ', shown] : [shown];
}

/** @param {MessageView['content']} content */
function textOf(content) {
	if ('text' in content) return content.text;
	if ('contacts' in content) return content.contacts.map(({ name }) => name).join(', ');
	return 'caption' in content ? content.caption : undefined;
}

/**
 * Starts a chat with a new customer.
 * @param {(customer: string, name: string) => void} onAdd
 */
export function newCustomer(onAdd) {
	const number = h('input', {
		placeholder: 'e.g. 5500000000102 or @bo',
		required: true,
		'aria-label': 'Number of a new customer',
	});
	const name = h('input', {
		placeholder: 'Name, e.g. Bo',
		'aria-label': 'Name of a new customer',
	});
	const form = h('form.new-customer', number, name, h('button', 'Add customer'));
	form.addEventListener('submit', (event) => {
		event.preventDefault();
		const customer = number.value.trim();
		onAdd(customer, name.value.trim() || customer);
		number.value = name.value = '';
	});
	return form;
}
