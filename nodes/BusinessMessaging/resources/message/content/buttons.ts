import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';

import { CHAT_LIMITS, REPLY_BUTTONS_MAX, type SendContent } from '../../../service/contract';
import { identifierOf } from '../../../service/recipient';
import { requireAllDigits } from '../../../shared/texts/numbers';
import {
	parseHttpUrl,
	readHttpUrl,
	readOptionalWords,
	readRows,
	readText,
	readWords,
	requireRecipient,
	textOf,
	wordsOf,
} from '../../../shared/node/parameters';

type ReplyButtons = Extract<SendContent, { type: 'INTERACTIVE_BUTTON' }>;
type ActionButtons = Extract<SendContent, { type: 'INTERACTIVE_ACTION' }>;

/** Types of an image or video above the buttons, by the extension of the file name. */
const MIME_TYPES: Record<string, string> = {
	jpg: 'image/jpeg',
	jpeg: 'image/jpeg',
	png: 'image/png',
	webp: 'image/webp',
	mp4: 'video/mp4',
	'3gp': 'video/3gpp',
};
const MIME_TYPE_OF_KIND: Record<string, string> = { image: 'image/jpeg', video: 'video/mp4' };

/** The type of the image or video above the buttons: as chosen, or else by its file name. */
function mimeTypeOf(url: string, kind: unknown): string {
	const ending = new URL(url).pathname.split('.').pop()?.toLowerCase() ?? '';
	const told = MIME_TYPES[ending];
	const chosen = MIME_TYPE_OF_KIND[String(kind)];
	const type = chosen === undefined || told?.split('/')[0] === kind ? told : chosen;
	if (type) return type;
	throw new Error(
		'"Header Media URL" can be an image or a video: its file name does not end in .jpg, .png or .mp4. Choose one in "Header Media Type".',
	);
}

function readTitle(button: IDataObject, number: number): string {
	const title = wordsOf(button.title, `"Title" of button ${number}`).trim();
	if (title) return title;
	throw new Error(`Button ${number} has no title. Enter the text on the button in "Title".`);
}

function readReplyTitle(button: IDataObject, number: number): string {
	const title = readTitle(button, number);
	if (title.length <= CHAT_LIMITS.buttonTitle) return title;
	throw new Error(
		`Title of button ${number} has ${title.length} characters. A reply button has room for ${CHAT_LIMITS.buttonTitle}. Enter a shorter text in "Title".`,
	);
}

export function readReplyButtons(context: IExecuteFunctions, index: number): ReplyButtons {
	const buttons = readRows(context, 'replyButtons.values', index).map((button, at) => {
		const place = `"ID" of button ${at + 1}`;
		requireAllDigits(button.id, place);
		const id = wordsOf(button.id, place).trim() || String(at + 1);
		return { id, title: readReplyTitle(button, at + 1) };
	});
	if (buttons.length === 0 || buttons.length > REPLY_BUTTONS_MAX)
		throw new Error(
			`"Reply Buttons" has ${buttons.length} buttons. Add at least one and at most ${REPLY_BUTTONS_MAX}.`,
		);
	if (new Set(buttons.map(({ id }) => id)).size < buttons.length)
		throw new Error('Two of the "Reply Buttons" have the same ID. Give each its own ID.');
	const thumbnail = readText(context, 'headerMediaUrl', index)
		? readHttpUrl(context, 'headerMediaUrl', 'Header Media URL', index)
		: undefined;
	const media = thumbnail
		? {
				thumbnail,
				mimeType: mimeTypeOf(thumbnail, context.getNodeParameter('headerMediaType', index, 'auto')),
			}
		: {};
	return {
		type: 'INTERACTIVE_BUTTON',
		body: { message: readWords(context, 'text', 'Text', index), ...media },
		attachments: buttons,
	};
}

function readActionButton(button: IDataObject, at: number): ActionButtons['attachments'][number] {
	const about = { id: String(at + 1), title: readTitle(button, at + 1) };
	if (button.action !== 'call')
		return {
			...about,
			name: 'URL',
			url: parseHttpUrl(textOf(button.url).trim(), `"URL of button ${at + 1}"`),
		};
	const phone = requireRecipient(button.phone, `"Phone" of button ${at + 1}`);
	return { ...about, name: 'CALL', phones: [identifierOf(phone)] };
}

export function readActionButtons(context: IExecuteFunctions, index: number): ActionButtons {
	const attachments = readRows(context, 'actionButtons.values', index).map(readActionButton);
	if (attachments.length === 0)
		throw new Error('"Action Buttons" has no button. Add one that opens a link or calls a number.');
	const header = readOptionalWords(context, 'headerText', 'Header Text', index);
	const footer = readOptionalWords(context, 'footerText', 'Footer Text', index);
	return {
		type: 'INTERACTIVE_ACTION',
		body: { message: readWords(context, 'text', 'Text', index) },
		...(header === undefined ? {} : { header: { message: header } }),
		...(footer === undefined ? {} : { footer: { message: footer } }),
		attachments,
	};
}
