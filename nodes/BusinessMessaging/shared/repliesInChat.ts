import type { IExecuteFunctions, IWebhookFunctions } from 'n8n-workflow';

import { CREDENTIAL_TYPE } from '../service/client';
import type { Verdict } from './questionAddress';
import type { WaitingQuestion } from './waitingQuestion';

/**
 * A channel, as a credential reaches it. The credential is named by its ID, because reading a
 * credential can cost n8n an isolate.
 */
export interface ChannelKey {
	credentialId: string;
	channelId: string;
}

export const channelKeyOf = (
	context: IExecuteFunctions | IWebhookFunctions,
	channelId: string,
): ChannelKey => ({
	credentialId: context.getNode().credentials?.[CREDENTIAL_TYPE]?.id ?? '',
	channelId,
});

/** A customer's message. */
export interface Written {
	messageId: string;
	/** Of its author. */
	identifier: string;
	text: string | null;
	/** Milliseconds by the service's clock. */
	written?: number | undefined;
	/** As the service delivered it. */
	raw: object;
}

/** The questions of this n8n on a channel, by the service's list, with those that just ended. */
export interface WaitingList {
	questions: readonly WaitingQuestion[];
	/** The mark of a person in these questions. */
	markOf: (identifier: string) => string;
	/** The mark of words in a question. */
	markOfWords: (questionId: string, words: string) => string;
}

/** What it takes to find out who has a message. */
export interface Tools {
	/**
	 * Gets the list, if it is needed.
	 * @param timeout milliseconds
	 */
	read(timeout: number): Promise<WaitingList>;
	/**
	 * Asks a question's own address whether anybody waits there. Never rejects.
	 * @param timeout milliseconds
	 */
	check(question: WaitingQuestion, timeout: number): Promise<Verdict>;
	/** By the steady clock. All waits of a delivery end then. */
	until: number;
}

/** Whose a message is. */
export type Fate =
	/** A question took it. */
	| 'taken'
	/** Not clear yet: the delivery should come again. */
	| 'later'
	/** The workflow's. `end` is called when the response has ended. */
	| { end: (isConfirmed: boolean) => void };

/**
 * Knows who is asked in the chat. *Send and Wait* implements it, and the trigger's node file hands
 * it to the trigger, which imports nothing from resources/.
 */
export interface RepliesInChat {
	/** @throws what `read` rejects with. For others who waited for the same list, it starts */
	fateOf(channel: ChannelKey, message: Written, tools: Tools): Promise<Fate>;
}
