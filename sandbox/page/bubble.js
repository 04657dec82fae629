import { contents } from './contents.js';
import { h, shortTime } from './dom.js';

/** @import { MessageView } from '../http/control/chats.mts' */

const STATUS = {
	PENDING: 'pending',
	SENT: 'sent ✓',
	DELIVERED: 'delivered ✓✓',
	READ: 'read ✓✓',
	FAILED: 'failed',
};

/**
 * The writer, visible only if it is neither the customer nor the API.
 * @param {Pick<MessageView, 'direction' | 'fromApi'>} message
 */
function authorOf({ direction, fromApi }) {
	if (direction === 'in') return h('span', { class: 'visually-hidden' }, 'The customer: ');
	if (fromApi) return h('span', { class: 'visually-hidden' }, 'The business: ');
	return h('p', { class: 'muted' }, 'A colleague, on the business’s phone');
}

/**
 * A message as on the customer's phone, with the customer's messages on the right.
 * @param {MessageView} message
 * @param {number} now
 */
export function bubble(message, now) {
	const { content, direction, status, createdAt, id, forwarded } = message;
	const isMine = direction === 'in';
	const time = h('time', { dateTime: createdAt }, shortTime(createdAt, now));
	const state = h('span', { class: `state ${status.toLowerCase()}` }, STATUS[status]);
	const bare = content.type === 'STICKER' ? ' bare' : '';
	return h(
		'li',
		{ class: (isMine ? 'mine' : 'theirs') + bare, 'data-id': id },
		authorOf(message),
		forwarded && h('p', { class: 'muted' }, 'Forwarded'),
		...contents(content),
		h('footer', {}, time, !isMine && state),
	);
}
