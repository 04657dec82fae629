import type { IDataObject } from 'n8n-workflow';

import { type Content, valid } from '../fixtures/messages.mts';

/** The content as it is published. */
export const published = (name: string): Content => valid[name]!.content;
const attachment = (name: string) => published(name).attachments![0]!;
const template = (name: string) =>
	attachment(name).template as { name: string; components: Array<{ parameters: IDataObject[] }> };
const message = (part: unknown) => (part as { message: string }).message;

const media = (mediaType: string, name: string) => ({
	operation: 'sendMedia',
	mediaType,
	mediaUrl: attachment(name).url,
	caption: attachment(name).caption ?? '',
});
const replies = (name: string) => ({
	operation: 'sendButtons',
	text: message(published(name).body),
	replyButtons: { values: published(name).attachments },
	headerMediaUrl: (published(name).body as IDataObject).thumbnail ?? '',
});
const actions = (name: string) => ({
	operation: 'sendButtons',
	buttonType: 'action',
	text: message(published(name).body),
	actionButtons: {
		values: published(name).attachments!.map(({ name: kind, title, url, phones }) => ({
			action: kind === 'CALL' ? 'call' : 'url',
			title,
			url: url ?? '',
			phone: (phones as string[] | undefined)?.[0] ?? '',
		})),
	},
	headerText: published(name).header ? message(published(name).header) : '',
	footerText: published(name).footer ? message(published(name).footer) : '',
});
const approved = (name: string) => ({
	operation: 'sendTemplate',
	template: { __rl: true, mode: 'name', value: template(name).name },
	bodyParameters: template(name).components[0]!.parameters.map(({ text }) => text),
});

/**
 * By each published body: what is entered in the node so that it leaves in just this form. Data
 * URLs are what binary files leave as.
 */
export const ENTERED: Record<string, IDataObject> = {
	TEXT: { operation: 'sendText', text: message(published('TEXT').body) },
	IMAGE: media('image', 'IMAGE'),
	IMAGE_without_caption: media('image', 'IMAGE_without_caption'),
	VIDEO: media('video', 'VIDEO'),
	AUDIO: media('audio', 'AUDIO'),
	STICKER: media('sticker', 'STICKER'),
	CONTACT: {
		operation: 'sendContact',
		contactName: attachment('CONTACT').name,
		contactPhones: attachment('CONTACT').phones,
	},
	INTERACTIVE_BUTTON: replies('INTERACTIVE_BUTTON'),
	INTERACTIVE_BUTTON_with_image: replies('INTERACTIVE_BUTTON_with_image'),
	INTERACTIVE_BUTTON_with_video: replies('INTERACTIVE_BUTTON_with_video'),
	INTERACTIVE_ACTION: actions('INTERACTIVE_ACTION'),
	INTERACTIVE_ACTION_link_only: actions('INTERACTIVE_ACTION_link_only'),
	TEMPLATE_without_parameters: approved('TEMPLATE_without_parameters'),
	TEMPLATE: approved('TEMPLATE'),
};
