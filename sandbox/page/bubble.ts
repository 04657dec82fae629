import type { MessageView, MessageWithReceipts } from '../http/control/chats.mts';

import { contents } from './contents.js';
import { h, shortTime } from './dom.js';
import { receipt } from './receipt.js';
import type { App } from './state.js';

const STATUS = {
	PENDING: 'pending',
	SENT: 'sent ✓',
	DELIVERED: 'delivered ✓✓',
	READ: 'read ✓✓',
	FAILED: 'failed',
};

/** The writer, visible only if it is neither the customer nor the API. */
function authorOf({ direction, fromApi }: Pick<MessageView, 'direction' | 'fromApi'>) {
	if (direction === 'in') return h('span.visually-hidden', 'The customer: ');
	if (fromApi) return h('span.visually-hidden', 'The business: ');
	return h('p.muted', 'Written on the business’s phone');
}

/**
 * A message as on the customer's phone, with the customer's messages on the right.
 *
 * @param answers messages of the API that came before the customer wrote again
 */
export function bubble(message: MessageWithReceipts, answers: number, app: App) {
	const { content, direction, status, createdAt, id, forwarded, failure } = message;
	const isMine = direction === 'in';
	const time = h('time', { dateTime: createdAt }, shortTime(createdAt, app.now()));
	const state = h('span', { class: `state ${status.toLowerCase()}` }, STATUS[status]);
	const bare = content.type === 'STICKER' ? ' bare' : '';
	return h(
		'li',
		{ class: (isMine ? 'mine' : 'theirs') + bare, 'data-id': id },
		authorOf(message),
		forwarded && h('p.muted', 'Forwarded'),
		...contents(content),
		status === 'FAILED' && failure && h('p.bad.why', `Not delivered: ${failure.message}`),
		h('footer', isMine && receipt(message, answers, app), time, !isMine && state),
	);
}
