import { createHmac } from 'node:crypto';

import type { Webhook } from '../service/contract';
import { idKey } from '../service/contract';
import type { OwnerMark } from './ownerMark';
import { OWNER_ATTRIBUTE } from './ownerMark';
import { keyOf } from './phoneNumbers';
import { isPlainObject } from './plainObject';
import type { SentSpan } from './sentSpan';

/** The key of the question's mark in `customAttributes`. The clean-up workflow reads it, too. */
export const WAIT_ATTRIBUTE = 'n8nWait';

/** The IDs of a question's buttons start with it. Buttons of other messages have other IDs. */
export const BUTTON_ID_START = 'n8n-question:';

/** When a person was asked once more. */
export interface AskedOnceMore extends SentSpan {
	/** Of the message. Left out: unknown. */
	messageId?: string;
}

/** What a question would take. Its fields have only the node that asked. */
export interface Takes {
	/** The question's ID, which its buttons name. */
	question: string;
	kind: string;
	/** Of choices. */
	choices: number;
	/** Marks of the words of its choices, made by `wordMarker`, if it takes no others. */
	words?: string[];
	/** Whether the service is assumed to give the IDs of buttons. */
	tapsCarryIds: boolean;
	/** The IDs of the messages that asked, in the order of `sent`. Null: unknown. */
	messageIds: Array<string | null>;
}

/**
 * The mark of a question on its temporary webhook. Every process can read it, also after a crash.
 */
export interface WaitMark {
	executionId: string;
	/** What the question would take, version 3 of the mark. Absent: nobody knows. */
	takes?: Takes;
	/** The ID of the message that answered it. It waits for nothing more, and is deleted soon. */
	took?: string;
	/** Mark of the person who should reply, made by `recipientMarker`. */
	recipient: string;
	/** Marks of the other people who may reply. */
	approvers?: string[];
	/** ISO 8601. Afterwards nobody waits for a reply. */
	deadline: string;
	/** Replies so far that were none of the choices. */
	wrongAnswers: number;
	/** The message with the last of them. If it is delivered again, it does not count again. */
	lastWrong?: string;
	/**
	 * When each person was asked, in the order of `recipient` and `approvers`. Null: unknown. Empty:
	 * the question is being sent.
	 */
	sent: Array<SentSpan | null>;
	/** How people were asked once more, by their index in the same order. Null: not known yet. */
	again?: Record<string, AskedOnceMore | null>;
	/** The message after which a person was asked once more. */
	askedFor?: string;
}

/** A question that waits in the chat, as the service's list shows it. */
export interface WaitingQuestion {
	webhook: Webhook;
	owner: OwnerMark;
	mark: WaitMark;
}

/** The marks of everyone who may reply. */
export const marksOf = ({ mark: { recipient, approvers = [] } }: WaitingQuestion): string[] => [
	recipient,
	...approvers,
];

/** Whether the question is being sent. Nobody knows yet who has it. */
export const isBeingSent = ({ mark }: WaitingQuestion): boolean => mark.sent.length === 0;

/** Whether a message answered it. Its webhook is deleted soon. */
export const isTaken = ({ mark }: WaitingQuestion): boolean => mark.took !== undefined;

/** The version of what a mark says. */
const MARK_VERSION = 3;

/** The mark as its webhook holds it. */
export const writeMark = ({ takes, ...mark }: WaitMark): object => ({
	version: MARK_VERSION,
	...mark,
	...(takes ? { takes } : {}),
});

const MARK_PURPOSE = 'n8n business messaging recipient mark v2';

/** Makes the mark of a person on a channel, by the identifier that the service has. */
export type RecipientMarker = (channelId: string, identifier: string) => string;

/**
 * The list at the service must not show phone numbers, and there are few enough numbers to try them
 * all. So a mark takes the secret key to make or to recognise. It is the same however the service
 * has a number. The marker does not hold the key itself.
 */
export function recipientMarker(secretKey: string): RecipientMarker {
	const key = createHmac('sha256', secretKey).update(MARK_PURPOSE).digest();
	return (channelId, identifier) => {
		const person = `${idKey(channelId)}\n${keyOf(identifier)}`;
		return `v2:${createHmac('sha256', key).update(person).digest('hex').slice(0, 32)}`;
	};
}

const WORDS_PURPOSE = 'n8n business messaging words mark v1';

/** Makes the mark of words that a question takes. Whoever reads the list cannot try words. */
export function wordMarker(secretKey: string): (questionId: string, words: string) => string {
	const key = createHmac('sha256', secretKey).update(WORDS_PURPOSE).digest();
	return (questionId, words) =>
		createHmac('sha256', key).update(`${questionId}\n${words}`).digest('hex').slice(0, 32);
}

/** Reads the mark of a temporary webhook. Undefined for every other webhook. */
export function readWaiting(webhook: Webhook): WaitingQuestion | undefined {
	const mark = webhook.customAttributes?.[WAIT_ATTRIBUTE];
	const owner = webhook.customAttributes?.[OWNER_ATTRIBUTE];
	if (!isPlainObject(mark) || !isPlainObject(owner)) return undefined;
	const { executionId, recipient, approvers, deadline, wrongAnswers, lastWrong, sent, again } =
		mark;
	const takes = mark.version === MARK_VERSION ? readTakes(mark.takes) : undefined;
	if (
		typeof executionId !== 'string' ||
		typeof recipient !== 'string' ||
		typeof deadline !== 'string' ||
		Number.isNaN(Date.parse(deadline))
	)
		return undefined;
	return {
		webhook,
		owner,
		mark: {
			executionId,
			...(takes ? { takes } : {}),
			...(typeof mark.took === 'string' ? { took: mark.took } : {}),
			recipient,
			...(Array.isArray(approvers)
				? { approvers: approvers.filter((approver) => typeof approver === 'string') }
				: {}),
			deadline,
			wrongAnswers: typeof wrongAnswers === 'number' ? wrongAnswers : 0,
			...(typeof lastWrong === 'string' ? { lastWrong } : {}),
			sent: Array.isArray(sent) ? sent.map(readSpan) : [],
			...(isPlainObject(again) ? { again: readAgain(again) } : {}),
			...(typeof mark.askedFor === 'string' ? { askedFor: mark.askedFor } : {}),
		},
	};
}

function readTakes(given: unknown): Takes | undefined {
	if (!isPlainObject(given)) return undefined;
	const { question, kind, choices, words, tapsCarryIds, messageIds } = given;
	if (typeof question !== 'string' || typeof kind !== 'string' || typeof choices !== 'number')
		return undefined;
	return {
		question,
		kind,
		choices,
		...(Array.isArray(words) ? { words: words.map(String) } : {}),
		tapsCarryIds: tapsCarryIds !== false,
		messageIds: (Array.isArray(messageIds) ? messageIds : []).map((id: unknown) =>
			typeof id === 'string' ? id : null,
		),
	};
}

function readSpan(given: unknown): SentSpan | null {
	const { from, until } = isPlainObject(given) ? given : {};
	return typeof from === 'number' && typeof until === 'number' ? { from, until } : null;
}

const readAgain = (given: object): Record<string, AskedOnceMore | null> =>
	Object.fromEntries(
		Object.entries(given).map(([person, once]: [string, unknown]) => {
			const span = readSpan(once);
			const { messageId } = isPlainObject(once) ? once : {};
			return [person, span && typeof messageId === 'string' ? { ...span, messageId } : span];
		}),
	);

export const isOver = ({ mark }: WaitingQuestion, now: number): boolean =>
	Date.parse(mark.deadline) <= now;
