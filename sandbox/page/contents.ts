import type { ActionButton, ReplyButton } from '../client/messages.mts';
import type { MessageView } from '../http/control/chats.mts';

import { h, initial, type Child } from './dom.js';
import { image, link, player } from './media.js';
import { said } from './said.js';

type Content = MessageView['content'];
type Of<T extends Content['type']> = Extract<Content, { type: T }>;

const text = (given: string | undefined) => given && said(given);

const contactCard = ({ name, phones }: Of<'CONTACT_ARRAY'>['contacts'][number]) =>
	h(
		'div.contact',
		h('span.avatar', { 'aria-hidden': 'true' }, initial(name).toUpperCase()),
		h(
			'div',
			h('strong', h('bdi', name)),
			phones.map((phone) => h('span', h('bdi', phone))),
		),
	);

/** A button that the customer can tap. The caller listens for clicks on `.tap`. */
const tap = ({ id, title }: ReplyButton) =>
	h('button.action.tap', { type: 'button', 'data-button': id }, h('bdi', title));

const group = (buttons: HTMLElement[]) =>
	h('div.actions', { role: 'group', 'aria-label': 'Buttons' }, buttons);

const replies = (buttons: ReplyButton[]) => buttons.length > 0 && group(buttons.map(tap));

function action(button: ActionButton) {
	if (button.name === 'URL') return link(button.url, button.title);
	return h(
		'a.action',
		{ href: `tel:${button.phone}` },
		h('span', { 'aria-hidden': 'true' }, '✆ '),
		h('bdi', button.title),
		' · ',
		h('bdi', button.phone),
	);
}

function buttons({ text: body, thumbnail, mediaType, buttons: given }: Of<'INTERACTIVE_BUTTON'>) {
	const media =
		thumbnail !== undefined &&
		(mediaType === 'VIDEO'
			? player('video', thumbnail, 'Video above the buttons')
			: image(thumbnail, 'Image above the buttons'));
	return [media, text(body), replies(given)];
}

const actions = ({ header, text: body, footer, buttons: given }: Of<'INTERACTIVE_ACTION'>) => [
	header && h('p', h('strong', header)),
	text(body),
	footer && h('p.muted', footer),
	h('div.actions', { role: 'group', 'aria-label': 'Links' }, given.map(action)),
];

function templateHeader(header: NonNullable<NonNullable<Of<'TEMPLATE'>['shown']>['header']>) {
	switch (header.format) {
		case 'TEXT':
			return h('p', h('strong', header.text));
		case 'OTHER':
			return h('p.tag', header.title);
		default:
			if (header.url === undefined) return h('p.tag', header.title);
			if (header.format === 'IMAGE') return image(header.url, 'Image of the template');
			if (header.format === 'VIDEO') return player('video', header.url, 'Video of the template');
			return link(header.url, header.title);
	}
}

function templateButton(button: NonNullable<Of<'TEMPLATE'>['shown']>['buttons'][number]) {
	switch (button.name) {
		case 'REPLY':
			return tap(button);
		case 'CODE':
			return h('p.action.muted', h('bdi', button.title), ': ', h('bdi', button.code));
		case 'OTHER':
			return h('p.action.muted', h('bdi', button.title));
		default:
			return action(button);
	}
}

/** The parts of a template, as a customer sees them. */
export function shownTemplate({
	header,
	body,
	footer,
	others,
	buttons: shownButtons,
}: NonNullable<Of<'TEMPLATE'>['shown']>) {
	return [
		header && templateHeader(header),
		text(body),
		footer && h('p.muted', footer),
		others.length > 0 && h('p.muted', `With ${others.join(', ')}, not shown here`),
		shownButtons.length > 0 && group(shownButtons.map(templateButton)),
	];
}

const template = (content: Of<'TEMPLATE'>) => [
	h(
		'p.muted',
		h('span.tag', 'Template'),
		' ',
		h('bdi', content.template.name),
		` · ${content.template.language.code}`,
	),
	// A message that an older sandbox stored has no parts.
	...(content.shown
		? shownTemplate(content.shown)
		: [text(content.text), replies(content.buttons)]),
];

/**
 * The content of a message, as on a phone. All of it is other people's text: it becomes text nodes
 * and links, and addresses are checked before use.
 */
export function contents(content: Content): Child[] {
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
			return [h('p.muted', h('span.tag', 'Button')), text(content.text)];
		case 'INTERACTIVE_BUTTON':
			return buttons(content);
		case 'INTERACTIVE_ACTION':
			return actions(content);
		case 'TEMPLATE':
			return template(content);
	}
}
