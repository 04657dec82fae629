import type { IExecuteFunctions, IWebhookFunctions } from 'n8n-workflow';

import { CREDENTIAL_TYPE } from '../service/client';
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

/** A message's author and time. */
export interface Writer {
	identifier: string;
	/** Milliseconds by the service's clock. */
	written?: number | undefined;
	/** Whether it is a tap on a question's button. Taps name their question, whatever their time. */
	isTap?: boolean;
}

/** The questions that wait on a channel, by the service's list. */
export interface WaitingList {
	questions: readonly WaitingQuestion[];
	/** The mark of a person in these questions. */
	markOf: (identifier: string) => string;
}

/**
 * Knows who is asked in the chat. *Send and Wait* implements it, and the trigger's node file hands
 * it to the trigger, which imports nothing from resources/.
 */
export interface RepliesInChat {
	/**
	 * Whether a message is a reply: a question waits for its writer, or did a moment ago. False if it
	 * was certainly written before the question, and if the list cannot be read. `later`: the
	 * question is being sent, so its webhook will tell soon.
	 * @param read gets the list, if it is needed
	 * @throws what `read` rejects with. For others who waited for the same list, the result is false
	 */
	isReply(
		channel: ChannelKey,
		writer: Writer,
		read: () => Promise<WaitingList>,
	): Promise<boolean | 'later'>;
}
