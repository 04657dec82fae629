/** What is sent, and what became of it. */
import { idKey } from '../service/contract';
import { identifierOf } from '../service/recipient';
import type { OnceKey } from './once/leases';

/** What the customer reads, for the output. Of a template that could be read. */
export type ShownText = {
	text?: string;
	/** ISO date, if the template was remembered: when it was read. */
	textReadAt?: string;
};

export interface SendJob extends ShownText {
	/** What is sent, to follow "the ": "text". */
	name: string;
	/** Left out: sent without a key. */
	once?: OnceKey;
	index: number;
	channelId: string;
	recipient: string;
	/** One of several messages of its item. */
	part?: {
		/** From 1 on. */
		number: number;
		/** Identifies everything that the item sends: a part of another text is another message. */
		whole: string;
	};
}

/** Messages to one target keep their order, however its channel and recipient are written. */
export const targetOf = ({ channelId, recipient }: SendJob): string =>
	`${idKey(channelId)} ${identifierOf(recipient)}`;

/** An input item that makes several messages to one recipient. */
export interface PartedItem<Job extends SendJob> {
	index: number;
	/** In order, each with its `part`. At least two. */
	parts: readonly [Job, ...Job[]];
}

/** The target of a message that failed, as far as it could be read. */
export type Addressee = Partial<Pick<SendJob, 'channelId' | 'recipient'>>;

/** An input item that makes no message. */
export interface InvalidItem extends Addressee {
	index: number;
	error: Error;
}

/** A message that the service accepted, with the text of the job that left. */
export type SentMessage = ShownText & {
	messageId: string;
	channelId: string;
	recipient: string;
	/** The window was closed, and its fallback left in its place. */
	sentAs?: 'template';
};

/** What became of an item: its message, or its error. */
export type SendOutcome =
	| SentMessage
	/** Several messages, in order. Null: sent before, under the item's key. */
	| { messageId: string; messageIds: Array<string | null>; channelId: string; recipient: string }
	| { messageId: null; channelId: string; recipient: string; alreadySent: true }
	| FailedSend;

export type FailedSend = Addressee & { error: Error };
