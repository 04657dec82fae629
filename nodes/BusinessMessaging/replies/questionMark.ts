import { createHmac } from 'node:crypto';

import { z } from 'zod';

import { idKey, type Webhook } from '../service/contract';
import { countingFaults } from '../service/leftOut';
import { NODE_ATTRIBUTE, type NodeMark } from '../shared/node/nodeMark';
import { keyOf } from '../shared/texts/phoneNumbers';
import { isPlainObject } from '../service/parseJson';

/** The key of the question's mark in `customAttributes`. The clean-up workflow reads it, too. */
export const WAIT_ATTRIBUTE = 'n8nWait';

/** A version that a mark does not have says too little, as a mark of another secret key. */
const MARK_VERSION = 4;

const spanSchema = z.object({ from: z.number(), until: z.number() });
const ids = z.array(z.string());

/** A message that asked a person once more. Left out: nobody knows when it left, or its ID. */
const onceMoreSchema = z.object({
	span: spanSchema.optional().catch(undefined),
	messageId: z.string().optional().catch(undefined),
});
export type AskedOnceMore = z.infer<typeof onceMoreSchema>;
/** People who were asked once more, by their index. Null: nobody knows whether it left. */
const again = z.record(onceMoreSchema.nullable()).optional().catch(undefined);
const messageId = z.string().optional().catch(undefined);

/** What a question would take, of its kind. */
const takesSchema = z.object({
	/** The question's ID, which its buttons name. */
	question: z.string(),
	/** Marks of the words of its choices, if it takes no others. */
	words: ids.optional(),
	/** Whether what names no choice counts only if it is words. */
	takesOnlyWords: z.literal(true).optional().catch(undefined),
	/** Whether taps without an ID answer by their time. */
	takesBareTaps: z.boolean(),
	/** Whether the service is assumed to give the IDs of buttons. */
	tapsCarryIds: z.boolean(),
	/** The IDs of the messages that asked, in the order of `sent`. Null: unknown. */
	messageIds: z.array(z.string().nullable()),
});
export type Takes = z.infer<typeof takesSchema>;

/** The mark of a question on its webhook. Every process can read it, also after a crash. */
const markSchema = z.object({
	executionId: z.string(),
	/** Which secret key made the marks of people and words. */
	key: z.string().optional().catch(undefined),
	/** Absent: nobody knows. */
	takes: takesSchema.optional().catch(undefined),
	/** The message that answered it. It waits for nothing more, and is deleted soon. */
	took: messageId,
	/** Mark of the person who should reply. */
	recipient: z.string(),
	/** Marks of the other people who may reply. */
	approvers: ids.optional().catch(undefined),
	/** ISO 8601. Afterwards nobody waits for a reply. */
	deadline: z.string().refine((time) => !Number.isNaN(Date.parse(time))),
	/** The same in milliseconds by the service's clock. Absent: unknown. */
	ends: z.number().optional().catch(undefined),
	/** Replies so far that were none of the choices. */
	wrongAnswers: z.number().catch(0),
	/** Whether a reply that can mean several values was asked back once, which is not counted. */
	askedBack: z.literal(true).optional().catch(undefined),
	/** The message with the last of them. If it is delivered again, it does not count again. */
	lastWrong: messageId,
	/** When each person was asked, the recipient first. Null: unknown. Empty: it is being sent. */
	sent: z.array(spanSchema.nullable().catch(null)).catch([]),
	/** After words or taps in doubt. */
	again,
	/** After a tap on the template's button with another title. */
	againForTap: again,
	/** The message after which a person was asked once more. */
	askedFor: messageId,
});
export type WaitMark = z.infer<typeof markSchema>;

/** A question that waits in the chat, as the service's list shows it. */
export interface WaitingQuestion {
	webhook: Webhook;
	node: NodeMark;
	mark: WaitMark;
}

export const marksOf = ({ mark: { recipient, approvers = [] } }: WaitingQuestion): string[] => [
	recipient,
	...approvers,
];

export const isBeingSent = ({ mark }: WaitingQuestion): boolean => mark.sent.length === 0;

/** Whether a message answered it. Its webhook is deleted soon. */
export const isTaken = ({ mark }: WaitingQuestion): boolean => mark.took !== undefined;

export const isOver = ({ mark }: WaitingQuestion, now: number): boolean =>
	Date.parse(mark.deadline) <= now;

/**
 * Makes and recognises the marks of one secret key. It does not hold the key itself. The list must
 * show no numbers, and all could be tried, so a mark takes the secret key.
 */
export function markerOf(secretKey: string) {
	const keyed = (purpose: string) =>
		createHmac('sha256', secretKey).update(`n8n business messaging ${purpose}`).digest();
	const mark = (key: Buffer, text: string) =>
		createHmac('sha256', key).update(text).digest('hex').slice(0, 32);
	const people = keyed('recipient mark v2');
	const words = keyed('words mark v1');
	return {
		key: keyed('marking key v1').toString('hex').slice(0, 16),
		/** The mark of a person on a channel, the same however the service has a number. */
		person: (channelId: string, identifier: string) =>
			`v2:${mark(people, `${idKey(channelId)}\n${keyOf(identifier)}`)}`,
		words: (questionId: string, text: string) => mark(words, `${questionId}\n${text}`),
	};
}
export type Marker = ReturnType<typeof markerOf>;

export const writeMark = (mark: WaitMark): object => ({ version: MARK_VERSION, ...mark });

/** Reads the mark of a temporary webhook. Undefined for every other webhook. */
export function readWaiting(webhook: Webhook): WaitingQuestion | undefined {
	const given = webhook.customAttributes?.[WAIT_ATTRIBUTE];
	const node = webhook.customAttributes?.[NODE_ATTRIBUTE];
	const mark = markIn(given);
	if (!isPlainObject(given) || !isPlainObject(node) || !mark) return undefined;
	const isKnown = given.version === MARK_VERSION;
	return { webhook, node, mark: isKnown ? mark : { ...mark, takes: undefined, key: undefined } };
}

/** Faults that a mark of another version may have. */
const FAULTS_MAX = 100;

function markIn(given: unknown): WaitMark | undefined {
	try {
		return markSchema.safeParse(given, { errorMap: countingFaults(FAULTS_MAX) }).data;
	} catch {
		return undefined;
	}
}
