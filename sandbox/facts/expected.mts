import {
	CHANNEL_DELETION_NEEDS_ROLE,
	CHANNEL_EVENTS_ONLY,
	CHANNEL_LIST_NEEDS_ROLE,
	CHANNEL_NOT_CONNECTED,
	CHANNEL_NOT_FOUND,
	CHANNELS_UNAUTHORIZED,
	INSTANCE_NOT_FOUND,
	INVALID_BODY_STATUS,
	TEMPLATE_REFUSALS,
	TEMPLATE_UNAUTHORIZED,
	WINDOW_CLOSED,
	WINDOW_CLOSED_PATTERN,
} from '../contract.mts';
import type { ErrorShape } from '../core/errors.mts';
import type { FactId } from './questions.mts';

/** An expected error response. */
export interface ExpectedRefusal {
	status: number;
	/** Undefined: any. */
	shape: ErrorShape | undefined;
	/** The exact message, its pattern, or texts of which it has one. Undefined: any. */
	words?: string | RegExp | readonly string[] | undefined;
	/** Of an error about media. */
	subCode?: string;
}

/** Whether a refusal has the expected words. */
export function isSaid(words: ExpectedRefusal['words'], said: string): boolean {
	if (words instanceof RegExp) return words.test(said);
	if (typeof words === 'string') return words === said;
	return words?.some((part) => said.includes(part)) ?? true;
}

const refused = (
	shape: ExpectedRefusal['shape'],
	status: number | { status: number; message: string },
	words?: ExpectedRefusal['words'],
): ExpectedRefusal =>
	typeof status === 'number'
		? { shape, status, words }
		: { shape, status: status.status, words: status.message };

const ofMedia = (subCode: string) => ({ ...refused('C', 400), subCode });
const TYPES = /^type must be one of/;
const NO_WEBHOOK = { status: 404, message: 'Webhook not found' };
const TEMPLATE_EVENTS_ONLY = 'Global webhooks (without instance) accept only template events';
const UNKNOWN_TEMPLATE = TEMPLATE_REFUSALS.unknown;

/** The facts that are a refusal, with the expected response. */
export const REFUSALS: Partial<Record<FactId, ExpectedRefusal>> = {
	'channels.unknown-type': refused('B', 400, TYPES),
	'channels.wrong-key': refused('B', 400, CHANNELS_UNAUTHORIZED),
	'channels.role': refused('B', 422, CHANNEL_LIST_NEEDS_ROLE),
	'channel.role': refused('B', 422, CHANNEL_LIST_NEEDS_ROLE),
	'channel.wrong-key': refused('B', 400, CHANNELS_UNAUTHORIZED),
	'channel.unknown': refused('B', CHANNEL_NOT_FOUND),
	'webhooks.unknown-channel': refused('A', CHANNEL_NOT_FOUND),
	'webhooks.unknown': refused('A', NO_WEBHOOK),
	'template-webhooks.unknown': refused('B', NO_WEBHOOK),
	'template-webhooks.wrong-key': refused('B', TEMPLATE_UNAUTHORIZED),
	'channel.new-unknown-type': refused('B', 400, TYPES),
	'channel.disconnect-unknown': refused('A', CHANNEL_NOT_FOUND),
	'channel.deletion-role': refused('A', 422, CHANNEL_DELETION_NEEDS_ROLE),
	'channel.delete-unknown': refused('A', 404, INSTANCE_NOT_FOUND),
	'connect.fields': refused('A', INVALID_BODY_STATUS),
	'send.not-connected': refused('A', CHANNEL_NOT_CONNECTED),
	'webhook.url-required': refused('A', 400, 'url is required'),
	'webhook.events-required': refused('A', INVALID_BODY_STATUS, 'events is required'),
	'webhook.malformed': refused('A', INVALID_BODY_STATUS),
	'webhook.wrong-type': refused('A', INVALID_BODY_STATUS),
	'webhook.template-events': refused('A', CHANNEL_EVENTS_ONLY),
	'template-webhook.channel-events': refused('B', 422, TEMPLATE_EVENTS_ONLY),
	'send.unknown-channel': refused('A', CHANNEL_NOT_FOUND),
	'send.malformed': refused(undefined, INVALID_BODY_STATUS),
	'send.window-closed': refused('A', WINDOW_CLOSED),
	'send.window-recognised': refused(undefined, WINDOW_CLOSED.status, WINDOW_CLOSED_PATTERN),
	'send.url-required': ofMedia('MEDIA_URL_REQUIRED'),
	'send.invalid-url': ofMedia('MEDIA_INVALID_URL'),
	'send.long-caption': ofMedia('MEDIA_CAPTION_TOO_LONG'),
	'send.unknown-template': refused('D', UNKNOWN_TEMPLATE.status, [
		...[String(UNKNOWN_TEMPLATE.code), UNKNOWN_TEMPLATE.message],
	]),
};

/** The facts that are a success, with its statuses. */
export const SUCCESSES: Partial<Record<FactId, readonly number[]>> = {
	...{ 'channels.page': [200], 'channel.get': [200], 'channel.create': [200, 201] },
	...{ 'channel.disconnect': [200], 'channel.delete': [204], 'send.text': [200] },
	...{ 'webhook.create': [201], 'webhook.get': [200], 'webhook.update': [200] },
	...{ 'webhook.delete': [204], 'template-webhook.create': [201], 'template-webhook.get': [200] },
	...{ 'template-webhook.update': [200], 'template-webhook.delete': [204] },
};
