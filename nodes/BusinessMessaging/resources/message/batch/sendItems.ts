import type { IExecuteFunctions } from 'n8n-workflow';

import { type SentRecord, sentRecordOf } from '../../../sending/sentRecord';
import type {
	InvalidItem,
	PartedItem,
	SendJob,
	SendOutcome,
	ShownText,
} from '../../../sending/batch';
import { paceOf } from '../../../sending/pace';
import { sendAll, type SendPolicy } from '../../../sending/sendAll';
import type { SendingHours } from '../../../sending/sendingHours';
import type { ServiceClient } from '../../../service/client';
import type { Content } from '../../../service/contract';
import { type FailureReason, ServiceError } from '../../../service/errors';
import { log } from '../../../service/log';
import { nameOfContent, sendMessage } from '../../../service/messages';
import { steadyClock, withHostClock } from '../../../shared/tools/clock';
import type { RequestTimes } from '../../../shared/texts/sentSpan';
import { filesUnderWay, type MediaSource, readFile } from '../content/mediaSource';
import { onceKeysIn } from './onceKey';

/** What leaves in place of a message that was refused because the window is closed. */
export interface Fallback extends ShownText {
	content: Content;
	/** Reads the content again when it leaves. If it rejects, nothing leaves. */
	renew?: () => Promise<Content>;
}

export interface Outgoing extends ShownText {
	content: Content;
	/** A file that is read when it may leave. It replaces the URL of the first attachment. */
	media?: MediaSource;
	/** Identifies its file, if it has one. */
	fileId?: string;
	hours?: SendingHours;
	/** Left out: the refused message fails. */
	fallback?: Fallback;
}

/** What an item sends in several messages, in order. */
export interface OutgoingParts {
	contents: readonly Content[];
	hours?: SendingHours;
	/** Leaves in place of all, if the first is refused. */
	fallback?: Fallback;
}

export type MessageJob = SendJob & Outgoing & Pick<Fallback, 'renew'>;

export type ReadItem = MessageJob | PartedItem<MessageJob> | InvalidItem;

/** What an option of the operation can do about a reason. */
type Advice = Partial<Record<FailureReason, string>>;

export interface NodePolicy extends SendPolicy {
	advice: Advice;
	/** Milliseconds to wait for the service to accept a message. */
	timeout: number;
	sendOnceMemory: number;
}

/** Gets the index of an item whose message was accepted, the message's ID, and its times. */
export type OnSent = (index: number, times: RequestTimes, messageId: string) => void;

/**
 * Sends from n8n's context: with its cancelling, the records of this execution and of the node, and
 * the pace of each channel.
 * @returns outcomes by item index, the milliseconds that messages waited for the service, and the
 * execution's record, which is to be cleared when the node is done
 */
export async function sendItems(
	context: IExecuteFunctions,
	client: ServiceClient,
	items: AsyncIterable<ReadItem> | readonly MessageJob[],
	policy: NodePolicy,
	onSent?: OnSent,
): Promise<{ outcomes: Map<number, SendOutcome>; waited: number; sentRecord: SentRecord }> {
	const sentRecord = sentRecordOf(context);
	const signal = context.getExecutionCancelSignal();
	let waited = 0;
	const request = async ({ media, renew, ...job }: MessageJob, check: () => void) => {
		const message = {
			...job,
			...(renew ? { content: await renew() } : {}),
			...(media ? { file: await readFile(media) } : {}),
		};
		check();
		const start = steadyClock.now();
		const messageId = await sendMessage(client, message, policy.timeout);
		onSent?.(message.index, { start, end: steadyClock.now() }, messageId);
		return messageId;
	};
	const takeRoom = ({ media }: MessageJob) =>
		media ? filesUnderWay.take(media.bytes, signal) : () => {};
	const outcomes = await withHostClock(
		signal,
		async (clock) =>
			await sendAll(items, policy, {
				request,
				takeRoom,
				insteadOf,
				sentRecord,
				paceFor: ({ channelId }) => paceOf(client.account, channelId),
				onceKeys: onceKeysIn(context, policy.sendOnceMemory),
				clock: { ...clock, now: () => steadyClock.now() },
				timeZone: () => context.getTimezone(),
				isTest: context.getMode() === 'manual',
				onHeld: ({ until, reason }) => {
					const seconds = Math.ceil((until - steadyClock.now()) / 1000);
					const why =
						reason === 'outage'
							? 'Nobody knows whether the last were sent'
							: 'The service asks to wait';
					log(context, 'info', `${why}: messages wait for ${seconds} s`);
				},
				onWait: (milliseconds) => (waited += milliseconds),
				...(signal ? { signal } : {}),
			}),
	);
	for (const outcome of outcomes.values())
		if ('error' in outcome) outcome.error = withAdvice(outcome.error, policy.advice);
	return { outcomes, waited, sentRecord };
}

function withAdvice(error: Error, advice: Advice): Error {
	if (!(error instanceof ServiceError)) return error;
	const more = advice[error.reason];
	return more === undefined ? error : error.but({ hint: `${error.hint} ${more}` });
}

/** The template that is sent if the window is closed, with nothing of the message itself. */
function insteadOf({ fallback, ...job }: MessageJob): MessageJob | undefined {
	if (!fallback) return undefined;
	const instead = { ...job };
	delete instead.media;
	delete instead.fileId;
	delete instead.text;
	delete instead.textReadAt;
	return { ...instead, ...fallback, name: nameOfContent(fallback.content) };
}
