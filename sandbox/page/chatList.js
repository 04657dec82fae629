import { fill, h, shortTime, within } from './dom.js';

/**
 * @import { ConversationView, MessageView } from '../http/control/chats.mts'
 * @import { App } from './state.js'
 */
/** @typedef {{ customer: string, name: string } & Partial<ConversationView>} Chat one that was only begun has no message yet */

/**
 * The customers of a channel, the one whose chat is open marked.
 * @param {App} app
 * @param {(customer: string) => void} onOpen
 */
export function chatList(app, onOpen) {
	const element = h('ul', { class: 'conversations', 'aria-label': 'Customers' });
	element.addEventListener('click', (event) => {
		const customer = within(event, 'button')?.dataset['customer'];
		if (customer !== undefined) onOpen(customer);
	});
	return {
		element,
		/**
		 * @param {Chat[]} chats
		 * @param {string | undefined} open
		 */
		render(chats, open) {
			fill(
				element,
				chats.map((chat) => h('li', {}, entry(chat, chat.customer === open, app.now()))),
			);
		},
	};
}

/**
 * @param {Chat} chat
 * @param {boolean} isOpen
 * @param {number} now
 */
function entry({ customer, name, lastMessage }, isOpen, now) {
	return h(
		'button',
		{ type: 'button', 'aria-pressed': String(isOpen), 'data-customer': customer },
		h('span', { class: 'avatar', 'aria-hidden': 'true' }, name.slice(0, 1).toUpperCase()),
		h(
			'span',
			{ class: 'who' },
			h('strong', {}, h('bdi', {}, name)),
			h('span', {}, lastMessage ? summary(lastMessage) : customer),
		),
		h('span', { class: 'when' }, lastMessage ? shortTime(lastMessage.createdAt, now) : ''),
	);
}

/** @param {MessageView} message */
function summary({ content, direction }) {
	const text = h('bdi', {}, textOf(content) ?? content.type.toLowerCase());
	return direction === 'in' ? ['You: ', text] : [text];
}

/** @param {MessageView['content']} content */
function textOf(content) {
	if ('text' in content) return content.text;
	if ('contacts' in content) return content.contacts.map(({ name }) => name).join(', ');
	return 'caption' in content ? content.caption : undefined;
}

/**
 * Begins a chat with somebody new.
 * @param {(customer: string, name: string) => void} onAdd
 */
export function newCustomer(onAdd) {
	const number = h('input', {
		inputMode: 'numeric',
		placeholder: 'Number, e.g. 5500000000102',
		required: true,
		'aria-label': 'Number of a new customer',
	});
	const name = h('input', {
		placeholder: 'Name, e.g. Bo Example',
		'aria-label': 'Name of a new customer',
	});
	const form = h('form', { class: 'new-customer' }, number, name, h('button', {}, 'Add customer'));
	form.addEventListener('submit', (event) => {
		event.preventDefault();
		const customer = number.value.trim();
		onAdd(customer, name.value.trim() || customer);
		number.value = name.value = '';
	});
	return form;
}
