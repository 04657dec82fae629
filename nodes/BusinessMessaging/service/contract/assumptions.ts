/**
 * What neither the service's description nor anything published says, decided by us.
 * Every such fact stands here and nowhere else, with its doubt, so that the day the service documents one it is one edit.
 * The README lists them under "Assumed parts of the contract".
 */

/** Header in which a webhook of auth type API_KEY carries its key. Doubt: published is only that there is one. */
export const API_KEY_HEADER = 'x-api-key';

/**
 * How the client recognises a closed window among 422 answers: the service may word it differently. Only a line's first "window" is looked on from, so
 * that the time grows with the text and not with its square.
 */
export const WINDOW_CLOSED_PATTERN =
	/^(?=(.*?\bwindow\b))\1.*\b(closed|expired|not open)\b|\b24[ -]?h(ours?)?\b/im;

/** Response of the template webhook routes to a wrong key. Doubt: only the missing header is described. */
export const TEMPLATE_UNAUTHORIZED = { status: 401, message: 'Unauthorized' } as const;

/** Response to a template event on a channel webhook. The status is published, the text is not. */
export const CHANNEL_EVENTS_ONLY = {
	status: 422,
	message: 'Channel webhooks do not accept template events',
} as const;

/** Status of a body that is malformed, has a wrong type or lacks a field (`url is required` is published; the others are worded alike). */
export const INVALID_BODY_STATUS = 400;

/** Age, in seconds, up to which a delivery's timestamp is taken. Published as a suggestion. */
export const SUGGESTED_TIMESTAMP_TOLERANCE = 300;

/** Waits before each delivery attempt, in seconds: the schedule of Standard Webhooks. Nothing is published. */
export const DELIVERY_SCHEDULE = [
	0, 5, 300, 1800, 7200, 18000, 36000, 50400, 72000, 86400,
] as const;

/** How long the service waits for a receiver's response, in milliseconds. Nothing is published. */
export const DELIVERY_TIMEOUT = 15_000;

/** States of a message in the order they are reached; FAILED ends it from the first two. Doubt: only PENDING is published. */
export const MESSAGE_STATES = ['PENDING', 'SENT', 'DELIVERED', 'READ', 'FAILED'] as const;
export type MessageState = (typeof MESSAGE_STATES)[number];

/** `messageEventType` of a new message (published) and of a changed state. Doubt: no body of MESSAGE_STATUS is published. */
export const MESSAGE_EVENT_TYPES = { newMessage: 'NEW_MESSAGE', status: 'MESSAGE_STATUS' } as const;

/**
 * The fields of the object, in a content of a customer's message, that is the button the customer tapped. The content's text is the button's title.
 * Doubt: nothing is published of a tap, so any field of a content with such an object counts; the buttons that were offered are a list.
 */
export const BUTTON_REPLY_FIELDS = ['id', 'title'] as const;

/** Response to sending through a channel that is not connected. Doubt: not shown. */
export const CHANNEL_NOT_CONNECTED = { status: 422, message: 'Channel is not connected' } as const;

/** Headers that a webhook's CUSTOM_HEADER may not be: they belong to the call itself. Doubt: nothing is published. */
export const RESERVED_DELIVERY_HEADERS = [
	'connection',
	'content-encoding',
	'content-length',
	'content-type',
	'expect',
	'host',
	'keep-alive',
	'te',
	'trailer',
	'transfer-encoding',
	'upgrade',
	'x-idempotency-key',
	'x-webhook-signature',
] as const;

/** Types of media by kind of message. Doubt: published is one refusal, of `image/svg+xml` as an IMAGE, and that a sticker is WebP. */
export const MEDIA_TYPES = {
	IMAGE: ['image/jpeg', 'image/png', 'image/webp', 'image/gif'],
	VIDEO: ['video/mp4', 'video/3gpp', 'video/quicktime', 'video/webm'],
	AUDIO: [
		'audio/aac',
		'audio/amr',
		'audio/mp4',
		'audio/mpeg',
		'audio/ogg',
		'audio/wav',
		'audio/webm',
	],
	STICKER: ['image/webp'],
} as const;

/** Attachments with media that one message can have. Doubt: `attachments` is a list; every published example holds one. */
export const MEDIA_ATTACHMENTS_MAX = 1;

/**
 * Where an event tells which button a customer tapped: `contents[0].button`, an object with `id` and `title`; `message` is the title.
 * Doubt: nothing is published about the reply to a button.
 */
export const BUTTON_REPLY_FIELD = 'button';

/** Type of the content that tells a tapped button. Doubt: nothing is published about the reply to a button. */
export const BUTTON_REPLY_TYPE = 'INTERACTIVE_BUTTON';

/** Responses to a template that cannot be sent, in shape D. Doubt: the shape is published; status, codes and words are not. */
export const TEMPLATE_REFUSALS = {
	unknown: {
		status: 400,
		code: 132001,
		message: 'Template name does not exist in the translation',
	},
	notApproved: { status: 400, code: 132015, message: 'Template is not approved' },
	parameters: { status: 400, code: 132000, message: 'Number of parameters does not match' },
} as const;

/** States of a template; only an APPROVED one can be sent (published). Doubt: the list may be longer. */
export const TEMPLATE_STATUSES = ['PENDING', 'APPROVED', 'REJECTED', 'PAUSED'] as const;
export type TemplateStatus = (typeof TEMPLATE_STATUSES)[number];
