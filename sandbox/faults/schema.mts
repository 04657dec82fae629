import { z } from 'zod';

import { idSchema, MEDIA_SUB_CODES, type MediaSubCode } from '../contract.mts';

/** The operations that can have faults. */
export const OPERATIONS = [
	'connectChannel',
	'sendMessage',
	'createChannel',
	'listChannels',
	'getChannel',
	'disconnectChannel',
	'deleteChannel',
	'subscribeChannel',
	'cancelSubscription',
	'listChannelWebhooks',
	'createChannelWebhook',
	'getChannelWebhook',
	'updateChannelWebhook',
	'deleteChannelWebhook',
	'listTemplateWebhooks',
	'createTemplateWebhook',
	'getTemplateWebhook',
	'updateTemplateWebhook',
	'deleteTemplateWebhook',
	'listBusinesses',
	'listTemplates',
	'createTemplate',
	'updateTemplate',
	'deleteTemplate',
	'syncTemplates',
	'uploadTemplateFile',
	'listTemplateLibrary',
] as const;
export type Operation = (typeof OPERATIONS)[number];

const MAX_LATENCY = 60_000;
const latency = z.number().int().min(0).max(MAX_LATENCY);

const count = z.number().int().min(1).max(1_000_000);
/** For whom a fault strikes, and how often. */
const strikes = {
	/** Left out: every tenant. */
	tenant: idSchema.optional(),
	/** How many times. Left out: until it is removed. */
	times: count.optional(),
	/** Strikes every n-th time: with 3, the third, the sixth… Left out: every time. */
	every: count.optional(),
};
const onRoute = {
	on: z.literal('route'),
	/** Left out: every route of the service. */
	operation: z.enum(OPERATIONS).optional(),
	...strikes,
};
const onWebhook = {
	on: z.literal('webhook'),
	/** Left out: every webhook. */
	webhookId: idSchema.optional(),
	...strikes,
};
const status = {
	kind: z.literal('status'),
	status: z.number().int().min(400).max(599),
	/** Seconds, sent as Retry-After. */
	retryAfter: z.number().int().min(0).max(86_400).optional(),
};

const routeFaultSchema = z.discriminatedUnion('kind', [
	/** Refused with this status. Nothing is done, or with `after`, the request was done first. */
	z.strictObject({
		...onRoute,
		...status,
		message: z.string().min(1).max(1024).optional(),
		/** Form of the body. Left out: that of the route. */
		shape: z.enum(['A', 'B', 'C', 'framework']).optional(),
		after: z.boolean().optional(),
	}),
	z.strictObject({ ...onRoute, kind: z.literal('latency'), ms: latency }),
	/** The connection is cut and nothing is done. */
	z.strictObject({ ...onRoute, kind: z.literal('dropBefore') }),
	/** The request is carried out, then the connection is cut instead of a response. */
	z.strictObject({ ...onRoute, kind: z.literal('dropAfter') }),
	/** A send is refused as if the conversation window were closed. */
	z.strictObject({ ...onRoute, kind: z.literal('windowClosed') }),
	/**
	 * A send of an image, a video, an audio or a sticker is refused with this code, and its status.
	 */
	z.strictObject({
		...onRoute,
		kind: z.literal('media'),
		subCode: z.enum(Object.keys(MEDIA_SUB_CODES) as [MediaSubCode, ...MediaSubCode[]]),
		message: z.string().min(1).max(1024).optional(),
	}),
]);

const webhookFaultSchema = z.discriminatedUnion('kind', [
	/**
	 * The attempt counts as if the receiver responded with this status. The receiver is not called.
	 */
	z.strictObject({ ...onWebhook, ...status }),
	z.strictObject({ ...onWebhook, kind: z.literal('latency'), ms: latency }),
	/** The attempt fails before the receiver is called. */
	z.strictObject({ ...onWebhook, kind: z.literal('dropBefore') }),
	/** The receiver is called and its response is ignored, so the delivery is repeated. */
	z.strictObject({ ...onWebhook, kind: z.literal('dropAfter') }),
	/** The receiver is called this many more times, with the same idempotency key. */
	z.strictObject({
		...onWebhook,
		kind: z.literal('duplicate'),
		copies: z.number().int().min(1).max(10).default(1),
	}),
	/** Each delivery waits a random time up to `withinMs`, and the queue is taken in any order. */
	z.strictObject({ ...onWebhook, kind: z.literal('reorder'), withinMs: latency.default(1000) }),
	z.strictObject({ ...onWebhook, kind: z.literal('badSignature') }),
	/** Signed correctly, with a time this many seconds ago. */
	z.strictObject({
		...onWebhook,
		kind: z.literal('staleSignature'),
		seconds: z.number().int().min(1).max(31_536_000).default(3600),
	}),
	/** Compressed whatever its size, or never. */
	z.strictObject({ ...onWebhook, kind: z.literal('gzip'), mode: z.enum(['always', 'never']) }),
]);

export type RouteFault = z.infer<typeof routeFaultSchema>;
export type WebhookFault = z.infer<typeof webhookFaultSchema>;
/** Whether a fault depends on the content of a send. */
export type MediaFault = Extract<RouteFault, { kind: 'media' }>;
export type Fault = RouteFault | WebhookFault;

/** Parses by `on`, so that the error is about the intended kind of fault. */
export function faultSchemaFor(on: unknown) {
	return on === 'webhook' ? webhookFaultSchema : routeFaultSchema;
}
