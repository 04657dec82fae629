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
	words?: string | RegExp | readonly string[];
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

const refused = (
	operations: Operation | readonly Operation[],
	shape: ErrorShape | undefined,
	status: number | { status: number; message: string },
	more: Pick<ExpectedRefusal, 'words' | 'sandboxWords' | 'subCode'> = {},
): ExpectedRefusal => ({
	...{ operations: [operations].flat(), shape },
	...(typeof status === 'number' ? { status } : { status: status.status, words: status.message }),
	...more,
});

const SEND = 'sendMessage';
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
const UNKNOWN_TYPE = { words: /^type must be one of/ };
const WRONG_KEY = { status: 400, message: CHANNELS_UNAUTHORIZED };
const NO_ROLE = { status: 422, message: CHANNEL_LIST_NEEDS_ROLE };
const NO_DELETION = { status: 422, message: CHANNEL_DELETION_NEEDS_ROLE };
const NO_INSTANCE = { status: 404, message: INSTANCE_NOT_FOUND };
const NO_WEBHOOK = { status: 404, message: 'Webhook not found' };
const TEMPLATE_EVENTS_ONLY = {
	...{ status: 422, message: 'Global webhooks (without instance) accept only template events' },
};
const UNKNOWN_TEMPLATE = TEMPLATE_REFUSALS.unknown;

/** The facts that are a refusal, with the expected response. */
export const REFUSALS: Partial<Record<FactId, ExpectedRefusal>> = {
	'channels.unknown-type': refused('listChannels', 'B', 400, UNKNOWN_TYPE),
	'channels.wrong-key': refused('listChannels', 'B', WRONG_KEY),
	'channels.role': refused('listChannels', 'B', NO_ROLE),
	'channel.role': refused('getChannel', 'B', NO_ROLE),
	'channel.wrong-key': refused('getChannel', 'B', WRONG_KEY),
	'channel.unknown': refused('getChannel', 'B', CHANNEL_NOT_FOUND),
	'webhooks.unknown-channel': refused(CHANNEL_WEBHOOKS, 'A', CHANNEL_NOT_FOUND),
	'webhooks.unknown': refused(CHANNEL_WEBHOOKS, 'A', NO_WEBHOOK),
	'template-webhooks.unknown': refused(TEMPLATE_WEBHOOKS, 'B', NO_WEBHOOK),
	'template-webhooks.wrong-key': refused(TEMPLATE_WEBHOOKS, 'B', TEMPLATE_UNAUTHORIZED),
	'channel.new-unknown-type': refused('createChannel', 'B', 400, UNKNOWN_TYPE),
	'channel.disconnect-unknown': refused('disconnectChannel', 'A', CHANNEL_NOT_FOUND),
	'channel.deletion-role': refused('deleteChannel', 'A', NO_DELETION),
	'channel.delete-unknown': refused('deleteChannel', 'A', NO_INSTANCE),
	'connect.fields': refused('connectChannel', 'A', INVALID_BODY_STATUS, {
		sandboxWords: /^code is required$/,
	}),
	'send.not-connected': refused(SEND, 'A', CHANNEL_NOT_CONNECTED),
	'webhook.url-required': refused(CHANNEL_WEBHOOK, 'A', {
		status: 400,
		message: 'url is required',
	}),
	'webhook.events-required': refused(CHANNEL_WEBHOOK, 'A', INVALID_BODY_STATUS, {
		words: 'events is required',
	}),
	'webhook.malformed': refused(CHANNEL_WEBHOOK, 'A', INVALID_BODY_STATUS, {
		sandboxWords: /^The body is not valid JSON$/,
	}),
	'webhook.wrong-type': refused(CHANNEL_WEBHOOK, 'A', INVALID_BODY_STATUS, {
		sandboxWords: /^events: Expected array/,
	}),
	'webhook.template-events': refused(CHANNEL_WEBHOOK, 'A', CHANNEL_EVENTS_ONLY),
	'template-webhook.channel-events': refused(TEMPLATE_WEBHOOK, 'B', TEMPLATE_EVENTS_ONLY),
	'send.unknown-channel': refused(SEND, 'A', CHANNEL_NOT_FOUND),
	'send.malformed': refused(SEND, undefined, INVALID_BODY_STATUS, {
		sandboxWords: /^content is required$/,
	}),
	'send.window-closed': refused(SEND, 'A', WINDOW_CLOSED),
	'send.window-recognised': refused(SEND, undefined, WINDOW_CLOSED.status, {
		words: WINDOW_CLOSED_PATTERN,
	}),
	'send.url-required': refused(SEND, 'C', 400, { subCode: 'MEDIA_URL_REQUIRED' }),
	'send.invalid-url': refused(SEND, 'C', 400, { subCode: 'MEDIA_INVALID_URL' }),
	'send.long-caption': refused(SEND, 'C', 400, { subCode: 'MEDIA_CAPTION_TOO_LONG' }),
	'send.unknown-template': refused(SEND, 'D', UNKNOWN_TEMPLATE.status, {
		words: [String(UNKNOWN_TEMPLATE.code), UNKNOWN_TEMPLATE.message],
	}),
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
