import { createHash, createHmac } from 'node:crypto';

import type { Webhook } from '../service/contract';
import { idKey } from '../service/contract';
import type { OwnerMark } from './ownerMark';
import { OWNER_ATTRIBUTE } from './ownerMark';
import { normalizeIdentifier, spellingsOf } from './phoneNumbers';
import { isPlainObject } from './plainObject';

/** Under this key of a webhook's `customAttributes` stands which question it waits for. The clean-up workflow reads it, too. */
export const WAIT_ATTRIBUTE = 'n8nWait';

/** What a temporary webhook carries, so that every process, and whoever finds it after a crash, knows what it is for. */
export interface WaitMark {
	executionId: string;
	/** Of whom the reply is awaited, as `recipientMarks` writes it. */
	recipient: string;
	/** Of whom it is awaited as well, in the same way. */
	approvers?: string[];
	/** ISO 8601. After it nobody listens any more. */
	deadline: string;
	/** Replies so far that were none of the choices. */
	wrongAnswers: number;
	/** The message that held the last of them: when it is delivered again, it does not count again. */
	lastWrong?: string;
}

/** A question that waits in the chat, as the service's list shows it. */
export interface WaitingQuestion {
	webhook: Webhook;
	owner: OwnerMark;
	mark: WaitMark;
}

/** The marks of all whose reply a question awaits. */
export const marksOf = ({ mark: { recipient, approvers = [] } }: WaitingQuestion): string[] => [
	recipient,
	...approvers,
];

const MARK_PURPOSE = 'n8n business messaging recipient mark v2';

/** Makes the marks of a recipient on a channel. */
export type RecipientMarker = (
	channelId: string,
	recipient: string,
) => { mark: string; formerMarks: string[] };

/**
 * What stands for a recipient at the service: whoever reads the list must not learn the number, and there are few enough numbers to try them all. So it
 * takes the secret key to make a mark, or to recognise one. The same for every way in which a number is written. The marker does not hold the key itself.
 */
export function recipientMarker(secretKey: string): RecipientMarker {
	const key = createHmac('sha256', secretKey).update(MARK_PURPOSE).digest();
	return (channelId, recipient) => {
		const whoIs = (spelling: string) => `${idKey(channelId)}\n${spelling}`;
		const markOf = (spelling: string) =>
			`v2:${createHmac('sha256', key).update(whoIs(spelling)).digest('hex').slice(0, 32)}`;
		const mark = markOf(normalizeIdentifier(recipient));
		const spellings = spellingsOf(recipient);
		return {
			mark,
			/** Questions of the versions before may still wait: each spelling had a mark of its own, and that of version 0.1.0 took no key. */
			formerMarks: [
				...spellings.map(markOf).filter((former) => former !== mark),
				...spellings.map((spelling) =>
					createHash('sha256').update(whoIs(spelling)).digest('hex').slice(0, 32),
				),
			],
		};
	};
}

/** Reads the mark of a temporary webhook; undefined for every other webhook. */
export function readWaiting(webhook: Webhook): WaitingQuestion | undefined {
	const mark = webhook.customAttributes?.[WAIT_ATTRIBUTE];
	const owner = webhook.customAttributes?.[OWNER_ATTRIBUTE];
	if (!isPlainObject(mark) || !isPlainObject(owner)) return undefined;
	const { executionId, recipient, approvers, deadline, wrongAnswers, lastWrong } = mark;
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
			recipient,
			...(Array.isArray(approvers)
				? { approvers: approvers.filter((approver) => typeof approver === 'string') }
				: {}),
			deadline,
			wrongAnswers: typeof wrongAnswers === 'number' ? wrongAnswers : 0,
			...(typeof lastWrong === 'string' ? { lastWrong } : {}),
		},
	};
}

export const isOver = ({ mark }: WaitingQuestion, now: number): boolean =>
	Date.parse(mark.deadline) <= now;
