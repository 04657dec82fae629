import type { MessageWithReceipts } from '../http/control/chats.mts';

import { bubble } from './bubble.js';
import type { Chat } from './chatList.js';
import { duration, fill, h, initial, within } from './dom.js';
import { morph } from './morph.js';
import type { App, Channel } from './state.js';

/** If the reader is this near to the end, in pixels, a chat scrolls to new messages. */
const NEAR_END = 60;

/** The customer's phone with a chat on it. */
export function phone(
	app: App,
	chat: {
		channel: () => Channel | undefined;
		onClose: () => void;
		onRecord: () => void;
		onRemove: () => void;
		onTap: (messageId: string, buttonId: string) => void;
		composer: HTMLElement;
	},
) {
	let isAtEnd = true;
	let lastTop = 0;
	const head = h('header');
	head.addEventListener('click', (event) => {
		if (within(event, '.back')) chat.onClose();
		if (within(event, '.record')) chat.onRecord();
		if (within(event, '.remove')) chat.onRemove();
	});
	const messages = h('ol.messages', {
		'aria-live': 'polite',
		'aria-label': 'Messages',
		tabIndex: 0,
	});
	messages.addEventListener('click', (event) => {
		const message = within(event, '[data-id]')?.dataset['id'];
		const button = within(event, '.tap')?.dataset['button'];
		if (message !== undefined && button !== undefined) chat.onTap(message, button);
	});
	const toEnd = () => {
		if (!isAtEnd) return;
		messages.scrollTop = messages.scrollHeight;
		lastTop = messages.scrollTop;
	};
	// A picture that loads late must not push the newest message out of view.
	const sizes = new ResizeObserver(toEnd);
	messages.addEventListener('scroll', () => {
		const { scrollHeight, scrollTop, clientHeight } = messages;
		// Something that grows moves the end away. Only a reader moves up.
		if (scrollHeight - scrollTop - clientHeight < NEAR_END) isAtEnd = true;
		else if (scrollTop < lastTop) isAtEnd = false;
		lastTop = scrollTop;
	});
	const element = h('section.phone', { 'aria-label': 'Chat' }, head, messages, chat.composer);
	return {
		element,
		/** @param scroll whether to scroll to the end from anywhere */
		render(open: Chat, list: MessageWithReceipts[], scroll: boolean) {
			const empty = h(
				'li.hint',
				`Write as the customer.${chat.channel()?.hasWindow === false ? '' : ' The first message opens the 24-hour window.'} The business’s replies appear here.`,
			);
			fill(head, ...headOf(open, chat.channel(), app), list.length > 0 && tools());
			const bubbles = list.map((one, place) => bubble(one, answersTo(list, place), app));
			morph(messages, list.length ? bubbles : empty);
			sizes.disconnect();
			for (const part of [messages, ...messages.children]) sizes.observe(part);
			isAtEnd ||= scroll;
			toEnd();
		},
	};
}

/** Messages of the API that came before the customer wrote again. */
function answersTo(list: MessageWithReceipts[], place: number) {
	let count = 0;
	for (let next = place + 1; list[next]?.direction === 'out'; next++)
		if (list[next]?.fromApi) count++;
	return count;
}

const tools = () => [
	h('button.record', { type: 'button' }, h('span.wide-only', 'Record as rehearsal '), 'script'),
	h('button.remove', { type: 'button' }, 'Remove', h('span.wide-only', ' customer')),
];

const isClosedByFault = (channel: Channel | undefined, { state }: App) =>
	state.faults.some(
		({ fault: { kind, tenant } }) =>
			kind === 'windowClosed' && (tenant === undefined || tenant === channel?.tenant.id),
	);

function headOf({ customer, name, windowClosesAt }: Chat, channel: Channel | undefined, app: App) {
	const channelName = channel?.name ?? 'Unknown channel';
	const left = windowClosesAt ? Date.parse(windowClosesAt) - app.now() : 0;
	const closed = windowClosesAt ? 'closed' : 'not opened yet';
	const window =
		channel?.connected === false
			? h('span.bad', 'channel not connected')
			: channel?.hasWindow === false
				? h('span', 'no conversation window')
				: isClosedByFault(channel, app)
					? h('a.bad', { href: '#controls/faults' }, '24-hour window closed by a fault')
					: h(
							'span',
							{ class: left > 0 ? 'good' : 'bad' },
							`24-hour window ${left > 0 ? `open, ${duration(left)} left` : closed}`,
						);
	// The number is what a workflow sends to.
	const who = [h('bdi', name), name !== customer && [' (', h('bdi', customer), ')']];
	return [
		h('button.back', { type: 'button', 'aria-label': 'Back to the customers' }, '‹'),
		h('span.avatar', { 'aria-hidden': 'true' }, initial(channelName)),
		h('div', h('strong', h('bdi', channelName)), h('small', 'to ', ...who, ' · ', window)),
	];
}
