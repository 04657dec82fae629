/**
 * What neither the service's description nor anything published says, decided by us.
 * Every such fact stands here and nowhere else, with its doubt, so that the day the service documents one it is one edit.
 * The README lists them under "Assumed parts of the contract".
 */

/** Header in which a webhook of auth type API_KEY carries its key. Doubt: published is only that there is one. */
export const API_KEY_HEADER = 'x-api-key';

/** Answer to a free-form text while the conversation window is closed. Doubt: only that it "does not work" is described. */
export const WINDOW_CLOSED = { status: 422, message: 'Conversation window is closed' } as const;

/** How the client recognises a closed window among 422 answers: the service may word it differently. */
export const WINDOW_CLOSED_PATTERN = /\b(conversation )?window\b.*\b(closed|expired|not open)\b|\b24[ -]?h(ours?)?\b/i;

/** Answer about a channel that the tenant does not have. Doubt: not shown for any route. */
export const CHANNEL_NOT_FOUND = { status: 404, message: 'Channel not found' } as const;

/** Answer of the template webhook routes to a wrong key. Doubt: only the missing header is described. */
export const TEMPLATE_UNAUTHORIZED = { status: 401, message: 'Unauthorized' } as const;

/** Answer to a template event on a channel webhook. The status is published, the text is not. */
export const CHANNEL_EVENTS_ONLY = { status: 422, message: 'Channel webhooks do not accept template events' } as const;

/** Status of a body that is malformed, has a wrong type or lacks a field (`url is required` is published; the others are worded alike). */
export const INVALID_BODY_STATUS = 400;

/** Age, in seconds, up to which a delivery's timestamp is taken. Published as a suggestion. */
export const SUGGESTED_TIMESTAMP_TOLERANCE = 300;

/** Waits before each delivery attempt, in seconds: the schedule of Standard Webhooks. Nothing is published. */
export const DELIVERY_SCHEDULE = [0, 5, 300, 1800, 7200, 18000, 36000, 50400, 72000, 86400] as const;

/** How long the service waits for a receiver's answer, in milliseconds. Nothing is published. */
export const DELIVERY_TIMEOUT = 15_000;

/** States of a message in the order they are reached; FAILED ends it from the first two. Doubt: only PENDING is published. */
export const MESSAGE_STATES = ['PENDING', 'SENT', 'DELIVERED', 'READ', 'FAILED'] as const;
export type MessageState = (typeof MESSAGE_STATES)[number];

/** `messageEventType` of a new message (published) and of a changed state. Doubt: no body of MESSAGE_STATUS is published. */
export const MESSAGE_EVENT_TYPES = { newMessage: 'NEW_MESSAGE', status: 'MESSAGE_STATUS' } as const;

/** Answer to sending through a channel that is not connected. Doubt: not shown. */
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
