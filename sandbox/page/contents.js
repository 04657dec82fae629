import { h } from './dom.js';
import { linked } from './links.js';
import { image, link, player } from './media.js';

/**
 * @import { MessageView } from '../http/control/chats.mts'
 * @import { ActionButton, ReplyButton } from '../store/content.mts'
 * @import { Child } from './dom.js'
 */
/** @typedef {MessageView['content']} Content */
/**
 * @template {Content['type']} T
 * @typedef {Extract<Content, { type: T }>} Of
 */

/** @param {string | undefined} said */
const text = (said) => said && h('p', {}, linked(said));

/** @param {Of<'CONTACT_ARRAY'>['contacts'][number]} contact */
const contactCard = ({ name, phones }) =>
	h(
		'div',
		{ class: 'contact' },
		h('span', { class: 'avatar', 'aria-hidden': 'true' }, name.slice(0, 1).toUpperCase()),
		h(
			'div',
			{},
			h('strong', {}, h('bdi', {}, name)),
			phones.map((phone) => h('span', {}, h('bdi', {}, phone))),
		),
	);

/**
 * Buttons that the customer can tap: whoever shows them listens for clicks on `.tap`.
 * @param {ReplyButton[]} buttons
 */
const replies = (buttons) =>
	buttons.length > 0 &&
	h(
		'div',
		{ class: 'actions', role: 'group', 'aria-label': 'Buttons' },
		buttons.map(({ id, title }) =>
			h('button', { type: 'button', class: 'action tap', 'data-button': id }, h('bdi', {}, title)),
		),
	);

/** @param {ActionButton} button */
function action(button) {
	if (button.name === 'URL') return link(button.url, button.title);
	return h(
		'a',
		{ class: 'action', href: `tel:${button.phone}` },
		h('span', { 'aria-hidden': 'true' }, '✆ '),
		h('bdi', {}, button.title),
		' · ',
		h('bdi', {}, button.phone),
	);
}

/** @param {Of<'INTERACTIVE_BUTTON'>} content */
function buttons({ text: said, thumbnail, mediaType, buttons: given }) {
	const media =
		thumbnail !== undefined &&
		(mediaType === 'VIDEO'
			? player('video', thumbnail, 'Video above the buttons')
			: image(thumbnail, 'Image above the buttons'));
	return [media, text(said), replies(given)];
}

/** @param {Of<'INTERACTIVE_ACTION'>} content */
const actions = ({ header, text: said, footer, buttons: given }) => [
	header && h('p', {}, h('strong', {}, header)),
	text(said),
	footer && h('p', { class: 'muted' }, footer),
	h('div', { class: 'actions', role: 'group', 'aria-label': 'Links' }, given.map(action)),
];

/** @typedef {{ text?: unknown, image?: { link?: unknown }, video?: { link?: unknown } }} Parameter */

/**
 * What a template has above its text.
 * @param {Of<'TEMPLATE'>['template']['components'][number]} component
 */
function header({ parameters }) {
	const given = /** @type {Parameter[]} */ (Array.isArray(parameters) ? parameters : []);
	return given.map((parameter) => {
		const picture = parameter?.image?.link;
		const video = parameter?.video?.link;
		if (typeof picture === 'string') return image(picture, 'Image of the template');
		if (typeof video === 'string') return player('video', video, 'Video of the template');
		const said = parameter?.text;
		return typeof said === 'string' && h('p', {}, h('strong', {}, said));
	});
}

/** @param {Of<'TEMPLATE'>} content */
const template = ({ text: said, template: { name, language, components }, buttons: given }) => [
	h(
		'p',
		{ class: 'muted' },
		h('span', { class: 'tag' }, 'Template'),
		' ',
		h('bdi', {}, name),
		` · ${language.code}`,
	),
	...components.filter(({ type }) => type.toLowerCase() === 'header').map(header),
	text(said),
	replies(given),
];

/**
 * What a message holds, as a phone shows it. All of it is others' text: it becomes text nodes and links, and addresses are checked before they are used.
 * @param {Content} content
 * @returns {Child[]}
 */
export function contents(content) {
	switch (content.type) {
		case 'TEXT':
			return [text(content.text)];
		case 'IMAGE':
			return [image(content.url, content.caption ?? 'Image'), text(content.caption)];
		case 'STICKER':
			return [image(content.url, 'Sticker', 'sticker')];
		case 'AUDIO':
			return [player('audio', content.url, 'Audio')];
		case 'VIDEO':
			return [player('video', content.url, content.caption ?? 'Video'), text(content.caption)];
		case 'CONTACT_ARRAY':
			return content.contacts.map(contactCard);
		case 'BUTTON_REPLY':
			return [
				h('p', { class: 'muted' }, h('span', { class: 'tag' }, 'Button')),
				text(content.text),
			];
		case 'INTERACTIVE_BUTTON':
			return buttons(content);
		case 'INTERACTIVE_ACTION':
			return actions(content);
		case 'TEMPLATE':
			return template(content);
	}
}
