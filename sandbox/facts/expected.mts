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
import type { Operation } from '../faults/schema.mts';
import type { FactId } from './questions.mts';

/** The expected error response of some operations. */
export interface ExpectedRefusal {
	operations: readonly Operation[];
	status: number;
	/** Undefined: any. */
	shape: ErrorShape | undefined;
	/** The exact message, its pattern, or texts of which it has one. Undefined: any. */
	words?: string | RegExp | readonly string[] | undefined;
	/** How the sandbox words it, if that is not `words`. */
	sandboxWords?: RegExp;
	/** Of an error about media. */
	subCode?: string;
}

/** Whether a refusal has the expected words. */
export function isSaid(words: ExpectedRefusal['words'], said: string): boolean {
	if (words instanceof RegExp) return words.test(said);
	if (typeof words === 'string') return words === said;
	return words?.some((part) => said.includes(part)) ?? true;
}

type Operations = Operation | readonly Operation[];

const refused = (
	operations: Operations,
	shape: ExpectedRefusal['shape'],
	status: number | { status: number; message: string },
	words?: ExpectedRefusal['words'],
): ExpectedRefusal => ({
	...{ operations: [operations].flat(), shape, words },
	...(typeof status === 'number' ? { status } : { status: status.status, words: status.message }),
});

/** Of a body that is none of the operation. Only the sandbox's words are known. */
const invalid = (
	operations: Operations,
	shape: ExpectedRefusal['shape'],
	sandboxWords: RegExp,
) => ({
	...refused(operations, shape, INVALID_BODY_STATUS),
	sandboxWords,
});

const SEND = 'sendMessage';
const ofMedia = (subCode: string) => ({ ...refused(SEND, 'C', 400), subCode });
const CHANNEL_WEBHOOK = ['createChannelWebhook', 'updateChannelWebhook'] as const;
const CHANNEL_WEBHOOKS = [
	...([...CHANNEL_WEBHOOK, 'listChannelWebhooks'] as const),
	...(['getChannelWebhook', 'deleteChannelWebhook'] as const),
];
const TEMPLATE_WEBHOOK = ['createTemplateWebhook', 'updateTemplateWebhook'] as const;
const TEMPLATE_WEBHOOKS = [
	...([...TEMPLATE_WEBHOOK, 'listTemplateWebhooks'] as const),
	...(['getTemplateWebhook', 'deleteTemplateWebhook'] as const),
];
const TYPES = /^type must be one of/;
const NO_WEBHOOK = { status: 404, message: 'Webhook not found' };
const TEMPLATE_EVENTS_ONLY = 'Global webhooks (without instance) accept only template events';
const UNKNOWN_TEMPLATE = TEMPLATE_REFUSALS.unknown;

/** The facts that are a refusal, with the expected response. */
export const REFUSALS: Partial<Record<FactId, ExpectedRefusal>> = {
	'channels.unknown-type': refused('listChannels', 'B', 400, TYPES),
	'channels.wrong-key': refused('listChannels', 'B', 400, CHANNELS_UNAUTHORIZED),
	'channels.role': refused('listChannels', 'B', 422, CHANNEL_LIST_NEEDS_ROLE),
	'channel.role': refused('getChannel', 'B', 422, CHANNEL_LIST_NEEDS_ROLE),
	'channel.wrong-key': refused('getChannel', 'B', 400, CHANNELS_UNAUTHORIZED),
	'channel.unknown': refused('getChannel', 'B', CHANNEL_NOT_FOUND),
	'webhooks.unknown-channel': refused(CHANNEL_WEBHOOKS, 'A', CHANNEL_NOT_FOUND),
	'webhooks.unknown': refused(CHANNEL_WEBHOOKS, 'A', NO_WEBHOOK),
	'template-webhooks.unknown': refused(TEMPLATE_WEBHOOKS, 'B', NO_WEBHOOK),
	'template-webhooks.wrong-key': refused(TEMPLATE_WEBHOOKS, 'B', TEMPLATE_UNAUTHORIZED),
	'channel.new-unknown-type': refused('createChannel', 'B', 400, TYPES),
	'channel.disconnect-unknown': refused('disconnectChannel', 'A', CHANNEL_NOT_FOUND),
	'channel.deletion-role': refused('deleteChannel', 'A', 422, CHANNEL_DELETION_NEEDS_ROLE),
	'channel.delete-unknown': refused('deleteChannel', 'A', 404, INSTANCE_NOT_FOUND),
	'connect.fields': invalid('connectChannel', 'A', /^code is required$/),
	'send.not-connected': refused(SEND, 'A', CHANNEL_NOT_CONNECTED),
	'webhook.url-required': refused(CHANNEL_WEBHOOK, 'A', 400, 'url is required'),
	'webhook.events-required': refused(
		CHANNEL_WEBHOOK,
		'A',
		INVALID_BODY_STATUS,
		'events is required',
	),
	'webhook.malformed': invalid(CHANNEL_WEBHOOK, 'A', /^The body is not valid JSON$/),
	'webhook.wrong-type': invalid(CHANNEL_WEBHOOK, 'A', /^events: Expected array/),
	'webhook.template-events': refused(CHANNEL_WEBHOOK, 'A', CHANNEL_EVENTS_ONLY),
	'template-webhook.channel-events': refused(TEMPLATE_WEBHOOK, 'B', 422, TEMPLATE_EVENTS_ONLY),
	'send.unknown-channel': refused(SEND, 'A', CHANNEL_NOT_FOUND),
	'send.malformed': invalid(SEND, undefined, /^content is required$/),
	'send.window-closed': refused(SEND, 'A', WINDOW_CLOSED),
	'send.window-recognised': refused(SEND, undefined, WINDOW_CLOSED.status, WINDOW_CLOSED_PATTERN),
	'send.url-required': ofMedia('MEDIA_URL_REQUIRED'),
	'send.invalid-url': ofMedia('MEDIA_INVALID_URL'),
	'send.long-caption': ofMedia('MEDIA_CAPTION_TOO_LONG'),
	'send.unknown-template': refused(SEND, 'D', UNKNOWN_TEMPLATE.status, [
		...[String(UNKNOWN_TEMPLATE.code), UNKNOWN_TEMPLATE.message],
	]),
};

/** The facts that are a success, with its operation and statuses. */
export const SUCCESSES: Partial<Record<FactId, readonly [Operation, ...number[]]>> = {
	'channels.page': ['listChannels', 200],
	'channel.get': ['getChannel', 200],
	'channel.create': ['createChannel', 200, 201],
	'channel.disconnect': ['disconnectChannel', 200],
	'channel.delete': ['deleteChannel', 204],
	'webhook.create': ['createChannelWebhook', 201],
	'webhook.get': ['getChannelWebhook', 200],
	'webhook.update': ['updateChannelWebhook', 200],
	'webhook.delete': ['deleteChannelWebhook', 204],
	'template-webhook.create': ['createTemplateWebhook', 201],
	'template-webhook.get': ['getTemplateWebhook', 200],
	'template-webhook.update': ['updateTemplateWebhook', 200],
	'template-webhook.delete': ['deleteTemplateWebhook', 204],
	'send.text': [SEND, 200],
};
