import type { IDataObject, IExecuteFunctions, INodeProperties } from 'n8n-workflow';
import { z } from 'zod';

import type { SimplifiedMessage } from '../../../../delivery/event/message';
import type { Answers } from '../../../../shared/texts/doubtfulWords';
import { type ReadNumber, toNumber } from '../../../../shared/texts/numbers';
import type { Choices } from '../../../../shared/node/fields';
import { wordsOf } from '../../../../shared/node/parameters';
import type { ReadValue } from '../../../../shared/texts/readValue';
import type { Said } from '../../../../shared/texts/sameWords';
import type { Decision } from '../tellOthers';

/** What is known of every question once it was asked. */
const askedShape = {
	/** New for each question: in a loop, the links of an earlier one do nothing. */
	id: z.string(),
	/** Hashes of the links that were sent. */
	links: z.array(z.string()),
};

/** What every question keeps while the execution waits. */
export const questionShape = {
	...askedShape,
	message: z.string(),
	/** What the page says once the reply is recorded. */
	answeredText: z.string(),
};

const askedInChatShape = {
	channelId: z.string(),
	recipient: z.string(),
	/** Asked beside the recipient. The first reply decides. */
	approvers: z.array(z.string()).optional(),
	/** When each person was asked, in the order of `recipient` and `approvers`. Null: unknown. */
	sent: z.array(z.object({ from: z.number(), until: z.number() }).nullable()).default([]),
	/** The IDs of the messages that asked, in the same order. Null: unknown. */
	messageIds: z.array(z.string().nullable()).optional(),
	/** The titles of the template's quick replies that carried the choices' IDs, for each person. */
	templateTitles: z.array(z.array(z.string())).optional(),
	webhookId: z.string(),
	/** The webhook's signing secret, sealed with the resume URL. */
	sealedSecret: z.string(),
	/** ISO 8601. */
	deadline: z.string(),
	/** The same in milliseconds by the service's clock. Absent: unknown. */
	ends: z.number().optional(),
};

export const chatQuestionShape = {
	...questionShape,
	...askedInChatShape,
	/** Empty: any words count. */
	choices: z.array(z.string()),
	/** Whether the choices are buttons. */
	buttons: z.boolean().optional(),
};

type Without<Union, Names extends PropertyKey> = Union extends unknown ? Omit<Union, Names> : never;

/** A question as the node's fields say it, before it is asked. */
export type DraftOf<Question> = Without<
	Question,
	keyof typeof askedShape | keyof typeof askedInChatShape | 'several' | 'tellOthers'
>;

/** Where the reply is given: on a page that the message links to, or in the chat itself. */
export type AskIn = 'link' | 'chat';

export interface DraftSource {
	context: IExecuteFunctions;
	askIn: AskIn;
	responseType: string;
	options: IDataObject;
	/** Read already, because every question has them. */
	common: { message: string; answeredText: string };
}

/** A kind of question in the editor. */
export interface Panel<Draft> {
	/** Its entries in "Response Type". Their descriptions say what `data` has. */
	responseTypes: Partial<Record<AskIn, Choices>>;
	fields: INodeProperties[];
	/** Options that only this kind has. */
	options: INodeProperties[];
	/** Whether approvers can be asked beside the recipient. */
	asksSeveral: boolean;
	/** @throws Error that names the field */
	read(given: DraftSource): Draft;
}

export interface LinkLook {
	label: string;
	as: 'button' | 'text';
}

/** What a reply means: the `data` of the item, and for the other approvers what was decided. */
export interface Reply {
	data: IDataObject;
	decision?: Decision;
}

interface Kind<Draft> {
	panel: Panel<Draft>;
	/** The `data` of a question that nobody answered in time. An approval is never approved. */
	timedOut: IDataObject;
}

/** A kind of question that is answered on a page. */
export interface LinkKind<Question, Draft> extends Kind<Draft> {
	/** @throws Error that names the field */
	readLink(options: IDataObject): LinkLook;
	/** The page that the link opens. */
	page(question: Question): string;
	/** @param approver by the link. @returns the page again if something is missing or wrong */
	read(question: Question, entered: IDataObject, approver: unknown): Reply | { again: string };
}

/** What was written by one of those who were asked. */
export interface ChatReply {
	message: SimplifiedMessage;
	/** Of the writer, as the service knows them. */
	identifier: string;
	/** Index of the choice that the message names. Undefined: it names none. */
	chosen: number | undefined;
	/** What it can mean, if the question expects a value. */
	values: readonly ReadValue[];
}

/** A kind of question that is answered in the chat. */
export interface ChatKind<Question, Draft> extends Kind<Draft> {
	/** What words answer. The title of a button that was tapped: `title`. */
	answers: Answers;
	/** The index of the choice that words name. */
	matchWords: (said: Said, choices: readonly string[], answers: Answers) => number | undefined;
	/** Whether a tap without an ID answers by its time. Else the question is asked again. */
	takesBareTaps: boolean;
	/**
	 * How to ask again after words that name no choice. Absent: `inChat/receiveInChat` ignores such
	 * words, so a kind without choices must have it: then any words count, for the trigger, too.
	 */
	again?(question: Draft): { atMost: number; text: string };
	read(question: Question, reply: ChatReply): Reply;
}

/** A value as text, or the fallback for a blank. @throws Error that names the field */
export function textOr(value: unknown, label: string, fallback: string): string {
	const given = wordsOf(value, `"${label}"`);
	return given.trim() === '' ? fallback : given;
}

/** @throws Error that names the field */
export function readCount(read: ReadNumber, name: string, label: string, fallback: number): number {
	const number = toNumber(read(name, `"${label}"`) ?? fallback);
	if (Number.isFinite(number) && number >= 0) return number;
	throw new Error(`"${label}" must be a number of 0 or more.`);
}

export const readLinkLabel = ({ messageButtonLabel }: IDataObject): string =>
	textOr(messageButtonLabel, 'Message Button Label', 'Respond');
