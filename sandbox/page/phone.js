import { bubble } from './bubble.js';
import { duration, fill, h, within } from './dom.js';
import { morph } from './morph.js';

/**
 * @import { MessageView } from '../http/control/chats.mts'
 * @import { Chat } from './chatList.js'
 * @import { App } from './state.js'
 */
/** @typedef {ReturnType<App['channels']>[number]} Channel */

/** Nearer than this to its end, in pixels, a chat follows what comes. */
const NEAR_END = 60;

/**
 * The customer's phone with a chat on it.
 * @param {App} app
 * @param {{ channel: () => Channel | undefined, onClose: () => void, onRecord: () => void, onTap: (messageId: string, buttonId: string) => void, composer: HTMLElement }} options
 */
export function phone(app, { channel, onClose, onRecord, onTap, composer }) {
	let isAtEnd = true;
	const head = h('header', {});
	head.addEventListener('click', (event) => {
		if (within(event, '.back')) onClose();
		if (within(event, '.record')) onRecord();
	});
	const messages = h('ol', {
		class: 'messages',
		'aria-live': 'polite',
		'aria-label': 'Messages',
		tabIndex: 0,
	});
	messages.addEventListener('click', (event) => {
		const message = within(event, '[data-id]')?.dataset['id'];
		const button = within(event, '.tap')?.dataset['button'];
		if (message !== undefined && button !== undefined) onTap(message, button);
	});
	const toEnd = () => {
		if (isAtEnd) messages.scrollTop = messages.scrollHeight;
	};
	// A picture that arrives late must not push the newest message out of sight.
	messages.addEventListener('load', toEnd, true);
	messages.addEventListener('scroll', () => {
		isAtEnd = messages.scrollHeight - messages.scrollTop - messages.clientHeight < NEAR_END;
	});
	const element = h('section', { class: 'phone', 'aria-label': 'Chat' }, head, messages, composer);
	return {
		element,
		/**
		 * @param {Chat} chat
		 * @param {MessageView[]} list
		 * @param {boolean} scroll whether to go to the end, wherever the person was
		 */
		render(chat, list, scroll) {
			const empty = h(
				'li',
				{ class: 'hint' },
				'Write as the customer: the first message opens the 24-hour window, and what the business answers appears here.',
			);
			fill(head, ...headOf(chat, channel(), app.now()), list.length > 0 && recorder());
			morph(messages, list.length ? list.map((message) => bubble(message, app.now())) : empty);
			isAtEnd ||= scroll;
			toEnd();
		},
	};
}

const recorder = () =>
	h(
		'button',
		{ type: 'button', class: 'record' },
		h('span', { class: 'wide-only' }, 'Record as rehearsal '),
		'script',
	);

/**
 * @param {Chat} chat
 * @param {Channel | undefined} channel
 * @param {number} now
 */
function headOf({ name, windowClosesAt }, channel, now) {
	const channelName = channel?.name ?? 'Unknown channel';
	const left = windowClosesAt ? Date.parse(windowClosesAt) - now : 0;
	const closed = windowClosesAt ? 'closed' : 'not opened yet';
	const window =
		channel?.hasWindow === false
			? h('span', {}, 'no conversation window')
			: h(
					'span',
					{ class: left > 0 ? 'good' : 'bad' },
					`24-hour window ${left > 0 ? `open, ${duration(left)} left` : closed}`,
				);
	return [
		h('button', { type: 'button', class: 'back', 'aria-label': 'Back to the customers' }, '‹'),
		h('span', { class: 'avatar', 'aria-hidden': 'true' }, channelName.slice(0, 1)),
		h(
			'div',
			{},
			h('strong', {}, h('bdi', {}, channelName)),
			h('small', {}, 'to ', h('bdi', {}, name), ' · ', window),
		),
	];
}
