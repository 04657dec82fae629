import { h, shortTime } from './dom.js';

const STATUS = { PENDING: 'pending', SENT: 'sent ✓', DELIVERED: 'delivered ✓✓', READ: 'read ✓✓', FAILED: 'failed' };

function body(content) {
	switch (content.type) {
		case 'IMAGE':
			return [
				h('img', { src: content.url, alt: content.caption ?? 'Image', loading: 'lazy' }),
				content.caption && h('p', {}, content.caption),
			];
		case 'STICKER':
			return h('img', { class: 'sticker', src: content.url, alt: 'Sticker', loading: 'lazy' });
		case 'AUDIO':
			return h('audio', { src: content.url, controls: true, preload: 'none' });
		case 'VIDEO':
			return [h('video', { src: content.url, controls: true, preload: 'none' }), content.caption && h('p', {}, content.caption)];
		case 'CONTACT_ARRAY':
			return content.contacts.map(({ name, phone }) => h('p', { class: 'contact' }, h('strong', {}, name), h('span', {}, phone)));
		case 'INTERACTIVE_BUTTON':
		case 'INTERACTIVE_ACTION':
			return h('p', {}, h('span', { class: 'tag' }, content.type === 'INTERACTIVE_BUTTON' ? 'button' : 'action'), ' ', content.text);
		default:
			return h('p', {}, content.text);
	}
}

/** A message as the customer's phone shows it: what the customer wrote on the right. */
export function bubble({ content, direction, status, createdAt, id }, now) {
	const time = h('time', { dateTime: createdAt }, shortTime(createdAt, now));
	const state = direction === 'out' && h('span', { class: `state ${status.toLowerCase()}` }, STATUS[status]);
	const author = h('span', { class: 'visually-hidden' }, direction === 'in' ? 'The customer: ' : 'The business: ');
	return h('li', { class: direction === 'in' ? 'mine' : 'theirs', 'data-id': id }, author, body(content), h('footer', {}, time, state));
}
