import type { IExecuteFunctions } from 'n8n-workflow';

import { numbersIn, type ReadNumber } from '../../../shared/texts/numbers';
import {
	readEntries,
	readId,
	readRecipientField,
	readRequired,
	requireRecipient,
	wholeNumberOf,
} from '../../../shared/node/parameters';
import { keyOfEntered } from '../../../shared/texts/phoneNumbers';
import { asPlainObject } from '../../../service/parseJson';
import { DEFAULT_ONCE_MEMORY } from '../batch/options';
import { type ChatDraft, isInChat, type LinkDraft, linkKinds, panels } from './kinds';
import { type AskIn, type LinkLook, readCount, textOr } from './kinds/kind';
import { DEFAULT_QUEUE_MINUTES, MOST_QUEUE_MINUTES } from './sendAndWaitFields';
import { TELL_OTHERS } from './tellOthers';
import { readWaitLimit, type WaitLimit } from './waitLimit';

/** The webhook of a question in the chat must not stay for ever. */
const DEFAULT_CHAT_LIMIT: WaitLimit = { after: 24 * 3_600_000 };
const MINUTE = 60_000;
/** Approvers beside the recipient. The question's webhook carries a mark of each. */
const APPROVERS_MAX = 20;

/** What the node's fields say, before anything is sent. */
interface CommonSettings {
	channelId: string;
	/** The people to ask. No two are the same. */
	recipients: string[];
	/** The question as it is sent, without link and choices. */
	message: string;
	/** Milliseconds to queue while another question waits. 0 refuses. */
	queue: number;
	/** How many Send Once Keys the node remembers. */
	sendOnceMemory: number;
	/** The text for the other approvers after the first reply. Empty: they get none. */
	tellOthers: string;
}
export interface LinkSettings extends CommonSettings {
	question: LinkDraft;
	link: LinkLook;
	/** Undefined: waits without a limit. */
	limit: WaitLimit | undefined;
}
export interface ChatSettings extends CommonSettings {
	question: ChatDraft;
	link?: undefined;
	limit: WaitLimit;
}
export type Settings = LinkSettings | ChatSettings;

/** Reads the node's fields for the first item. @throws Error that names the field and what to do */
export function readSettings(context: IExecuteFunctions, now: number): Settings {
	const options = asPlainObject(context.getNodeParameter('options', 0, {}));
	const askIn: AskIn = context.getNodeParameter('askIn', 0, 'link') === 'chat' ? 'chat' : 'link';
	const responseType = String(context.getNodeParameter('responseType', 0, 'approval'));
	const channelId = readId(context, 'channelId', 'Channel', 0);
	const panel = panels.find(({ responseTypes }) =>
		responseTypes[askIn]?.some(({ value }) => value === responseType),
	);
	const recipients = readRecipients(context, panel?.asksSeveral === true);
	const message = readRequired(context, 'message', 'Message', 0);
	if (!panel)
		throw new Error(`The response type "${responseType}" is not known. Choose one from the list.`);
	const answeredText = textOr(
		options.answeredText,
		'Text After Answering',
		'Thank you. Your answer was recorded. You can close this page.',
	);
	const question = panel.read({
		context,
		askIn,
		responseType,
		options,
		common: { message, answeredText },
	});
	const read = numbersIn(context, 'options', options);
	const limit = readWaitLimit(context, asPlainObject(options.limitWaitTime).values, now);
	const { tellOthers = TELL_OTHERS } = options;
	const common: CommonSettings = {
		channelId,
		recipients,
		message,
		queue:
			context.getNodeParameter('whenAnotherWaits', 0, 'refuse') === 'queue' ? readQueue(read) : 0,
		sendOnceMemory: wholeNumberOf(read('sendOnceMemory', '"Send Once Memory"'), {
			label: 'Send Once Memory',
			fallback: DEFAULT_ONCE_MEMORY,
			least: 1,
		}),
		// Unlike other texts, it may be empty.
		tellOthers: typeof tellOthers === 'string' ? tellOthers.trim() : '',
	};
	return isInChat(question)
		? { ...common, question, limit: limit ?? DEFAULT_CHAT_LIMIT }
		: { ...common, question, limit, link: linkKinds[question.kind].readLink(options) };
}

function readQueue(read: ReadNumber): number {
	const count = readCount(read, 'queueMinutes', 'Max Time in Queue', DEFAULT_QUEUE_MINUTES);
	return Math.min(count, MOST_QUEUE_MINUTES) * MINUTE;
}

/** The recipient, and the approvers beside them, each once. */
function readRecipients(context: IExecuteFunctions, asksSeveral: boolean): string[] {
	const recipient = requireRecipient(readRecipientField(context, 0));
	if (!asksSeveral) return [recipient];
	const approvers = readEntries(context, 'approvers', 'Also Ask', 0).map((entry, at) =>
		requireRecipient(entry, `Value ${at + 1} of "Also Ask"`),
	);
	if (approvers.length > APPROVERS_MAX)
		throw new Error(
			`"Also Ask" has ${approvers.length} entries. At most ${APPROVERS_MAX} can be asked beside the recipient.`,
		);
	const people = new Map<string, string>();
	for (const person of [recipient, ...approvers]) {
		const key = keyOfEntered(person);
		if (!people.has(key)) people.set(key, person);
	}
	return [...people.values()];
}
