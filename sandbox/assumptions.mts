/** What we decided for the sandbox alone, because nobody published it, with its doubt. */

/** Response of template webhooks to a wrong key. Doubt: only a missing header is described. */
export const TEMPLATE_UNAUTHORIZED = { status: 401, message: 'Unauthorized' } as const;

/** Response to a template event on a channel webhook. Doubt: only the status is published. */
export const CHANNEL_EVENTS_ONLY = {
	status: 422,
	message: 'Channel webhooks do not accept template events',
} as const;

/** Status for a body that cannot be used. Doubt: only `url is required` is published. */
export const INVALID_BODY_STATUS = 400;

/** Seconds before each attempt to deliver: as Standard Webhooks. Doubt: none are published. */
export const DELIVERY_SCHEDULE = [
	0, 5, 300, 1800, 7200, 18000, 36000, 50400, 72000, 86400,
] as const;

/** Milliseconds that the service waits for a receiver's response. Doubt: nothing is published. */
export const DELIVERY_TIMEOUT = 15_000;

/** `messageEventType`: one for both (published). Doubt: no body of MESSAGE_STATUS is published. */
export const MESSAGE_EVENT_TYPES = { newMessage: 'NEW_MESSAGE', status: 'NEW_MESSAGE' } as const;

/** Response to a message on a channel that is not connected. Doubt: nothing is published. */
export const CHANNEL_NOT_CONNECTED = { status: 422, message: 'Channel is not connected' } as const;

/** Headers of the request, which CUSTOM_HEADER cannot set. Doubt: nothing is published. */
export const RESERVED_DELIVERY_HEADERS = [
	...['connection', 'content-encoding', 'content-length', 'content-type', 'expect', 'host'],
	...['keep-alive', 'te', 'trailer', 'transfer-encoding', 'upgrade'],
	...['x-idempotency-key', 'x-webhook-signature'],
] as const;

/** Files in one message. Doubt: `attachments` is a list, but every published example holds one. */
export const MEDIA_ATTACHMENTS_MAX = 1;

/** Where the sandbox puts a tapped button: `contents[0].button`. Doubt: nothing is published. */
export const BUTTON_REPLY_FIELD = 'button';

/** Type of the content with the tapped button. Doubt: the same. */
export const BUTTON_REPLY_TYPE = 'INTERACTIVE_BUTTON';

/** States of a template. Only an APPROVED one can be sent (published). Doubt: there may be more. */
export const TEMPLATE_STATUSES = ['PENDING', 'APPROVED', 'REJECTED', 'PAUSED'] as const;
export type TemplateStatus = (typeof TEMPLATE_STATUSES)[number];
