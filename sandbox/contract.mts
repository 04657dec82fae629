/**
 * The wire contract of the nodes, and what only a service needs of it. It imports each file by
 * name, because tsx cannot see the names behind `export *` of a CommonJS file, which
 * contract/index.ts is outside the build.
 */
import { z } from 'zod';

import {
	ID_FORM,
	ID_PATTERN,
	requiredText,
} from '../nodes/BusinessMessaging/service/contract/common.ts';
import { sendContentSchema } from '../nodes/BusinessMessaging/service/contract/contents.ts';
import type { WEBHOOK_STATUSES } from '../nodes/BusinessMessaging/service/contract/webhooks.ts';
import type { MediaSubCode } from '../nodes/BusinessMessaging/service/errors/rulesOfKinds.ts';

export * from './assumptions.mts';
export * from '../nodes/BusinessMessaging/service/contract/assumptions.ts';
export * from '../nodes/BusinessMessaging/service/contract/channels.ts';
export * from '../nodes/BusinessMessaging/service/contract/common.ts';
export * from '../nodes/BusinessMessaging/service/contract/contents.ts';
export * from '../nodes/BusinessMessaging/service/contract/errors.ts';
export * from '../nodes/BusinessMessaging/service/contract/events.ts';
export * from '../nodes/BusinessMessaging/service/contract/messages.ts';
export * from '../nodes/BusinessMessaging/service/contract/templates.ts';
export * from '../nodes/BusinessMessaging/service/contract/webhooks.ts';
export * from '../nodes/BusinessMessaging/service/cutText.ts';
export { normalizeBaseUrl } from '../nodes/BusinessMessaging/service/baseUrl.ts';
export { fileNameOfUrl } from '../nodes/BusinessMessaging/service/fileName.ts';
export { isDocument, typeOfBytes } from '../nodes/BusinessMessaging/service/fileType.ts';
export { identifierOf } from '../nodes/BusinessMessaging/service/recipient.ts';
export { secretRemover } from '../nodes/BusinessMessaging/service/secrets.ts';
export * from '../nodes/BusinessMessaging/service/signature.ts';
export { additionalPartsOf } from '../nodes/BusinessMessaging/service/template/check.ts';
export * from '../nodes/BusinessMessaging/service/template/definition.ts';
export { TEMPLATE_LANGUAGES } from '../nodes/BusinessMessaging/service/template/languages.ts';
export * from '../nodes/BusinessMessaging/service/template/placeholders.ts';
export * from '../nodes/BusinessMessaging/service/template/variables.ts';
export * from './mediaLimits.mts';
export type { MediaSubCode };

export const idSchema = z.string().regex(ID_PATTERN, `must be ${ID_FORM}`);

/**
 * Body of `POST /v1/channels/{channelId}/connect` for a channel of the official kind: four fields
 * of the connection SDK's result. Source: description; all required: published.
 */
export const connectRequestSchema = z.object({
	wabaId: requiredText,
	phoneId: requiredText,
	code: requiredText,
	coexistence: z.boolean(),
});

/**
 * Responses (422) to an account without the ENTERPRISE role. Getting one channel has the message of
 * the list. Disconnecting needs no role; one page says that creating needs it. Source: published.
 */
export const CHANNEL_LIST_NEEDS_ROLE = 'Channel listing requires ENTERPRISE role';
export const CHANNEL_DELETION_NEEDS_ROLE = 'Channel deletion requires ENTERPRISE role';

/** Response (400, shape B) to a wrong key when channels are listed or read. Source: published. */
export const CHANNELS_UNAUTHORIZED = 'Authorization invalid';

/** Response (404, shape A) to the deletion of an unknown channel. Source: published. */
export const INSTANCE_NOT_FOUND = 'Instance not found';

/** Optional body of a channel's deletion, and of the end of a subscription. Source: published. */
export const cancelReasonSchema = z.object({ cancelReason: requiredText.optional() });

/** The `type` of the response to a subscription. Source: published. */
export const SUBSCRIPTION_UPDATED = 'SUBSCRIPTION_UPDATED';

/** Response (400, shape A) to `DELETE …/cancel` without `?cancel=true`. Source: published. */
export const CANCEL_REQUIRED = 'cancel query param is required';

/**
 * Body of `POST /v1/channels/{channelId}/messages`. Source: description; all required: published.
 */
export const sendRequestSchema = z.object({
	recipient: z.object({ identifier: requiredText }),
	content: sendContentSchema,
});
export type SendRequest = z.infer<typeof sendRequestSchema>;

/** Response to a free-form message while the window is closed. Source: published. */
export const WINDOW_CLOSED = { status: 422, message: 'Conversation window is closed' } as const;

/** Response for a channel that the account does not have. Source: published. */
export const CHANNEL_NOT_FOUND = { status: 404, message: 'Channel not found' } as const;

export type WebhookStatus = (typeof WEBHOOK_STATUSES)[number];

/** Codes of errors about media, and their status. After a 502, nothing was sent. Same source. */
export const MEDIA_SUB_CODES = {
	MEDIA_URL_REQUIRED: 400,
	MEDIA_INVALID_URL: 400,
	MEDIA_INVALID_DATA_URL: 400,
	MEDIA_MIME_NOT_ALLOWED: 400,
	MEDIA_TOO_LARGE: 400,
	MEDIA_CAPTION_TOO_LONG: 400,
	MEDIA_UNSUPPORTED_ATTACHMENT: 400,
	MEDIA_DOWNLOAD_FAILED: 502,
	MEDIA_CONVERSION_FAILED: 502,
	MEDIA_UPLOAD_FAILED: 502,
	MEDIA_PROCESSING_FAILED: 502,
} as const satisfies Record<MediaSubCode, number>;

/** Larger bodies arrive gzipped. The signature covers the uncompressed bytes. Source: published. */
export const GZIP_THRESHOLD = 1024;
