import { ServiceError } from '../service/errors';
import type { TextMessage } from '../service/messages';
import type { Clock } from './gate';
import { Gate } from './gate';
import { runInLanes } from './lanes';
import type { Ledger } from './ledger';

export interface SendJob extends TextMessage {
	/** Index of the input item. */
	index: number;
}

/** An input item that makes no text. */
export interface InvalidItem {
	index: number;
	error: Error;
}

export interface SendSettings {
	/** Resolves to the message id, or rejects with a ServiceError. */
	send(message: TextMessage): Promise<string>;
	ledger: Ledger;
	maxConcurrency: number;
	/** 0 for no limit. */
	maxPerSecond: number;
	/** Starts and reads nothing more after the first failure. */
	stopOnFailure: boolean;
	signal?: AbortSignal;
	clock: Clock;
}

/** What became of an item: its message, or its error. */
export type SendOutcome = { messageId: string; channelId: string; recipient: string } | { error: Error };

/** Longest wait that a `Retry-After` may ask for, in milliseconds. A longer one fails the item, and all that would have to wait as long. */
const LONGEST_WAIT = 15 * 60_000;
/** Shortest, so that a service that asks to wait for 0 s is not stormed. */
const SHORTEST_WAIT = 1000;
/** Times that one text is offered to a service that keeps asking to wait. */
const MOST_OFFERS = 20;

/**
 * Sends texts: to one recipient of a channel in item order, to different ones side by side. What the ledger knows as accepted is not sent again,
 * and what it knows as unknown fails again without being sent.
 *
 * @param items Read while texts are under way.
 * @returns Outcomes by item index. An item that was not started has none.
 */
export async function sendAll(items: AsyncIterable<SendJob | InvalidItem>, settings: SendSettings): Promise<Map<number, SendOutcome>> {
	const { ledger, signal, clock } = settings;
	const outcomes = new Map<number, SendOutcome>();
	const gate = new Gate(settings.maxPerSecond, clock);
	let failed = false;

	async function* jobs(): AsyncGenerator<SendJob> {
		for await (const item of items) {
			if (!('error' in item)) yield item;
			else {
				outcomes.set(item.index, { error: item.error });
				failed = true;
			}
			if (isStopped()) return;
		}
	}
	const isStopped = () => (settings.stopOnFailure && failed) || signal?.aborted === true;

	const sendOne = async (job: SendJob): Promise<SendOutcome | undefined> => {
		const lane = laneOf(job);
		const { channelId, recipient } = job;
		const acceptedId = ledger.acceptedId(job.index, lane);
		if (acceptedId !== undefined) return { messageId: acceptedId, channelId, recipient };
		if (ledger.isUnknown(job.index, lane)) return { error: unknownOutcome('an earlier try had no certain answer') };
		try {
			const messageId = await offerUntilTaken(job, settings, gate);
			if (messageId === undefined) return undefined;
			ledger.recordAccepted(job.index, lane, messageId);
			return { messageId, channelId, recipient };
		} catch (error) {
			if (!(error instanceof ServiceError) || error.failure.effect === 'none') return { error: error as Error };
			ledger.recordUnknown(job.index, lane);
			return { error: unknownOutcome(error.failure.cause) };
		}
	};

	await runInLanes(
		jobs(),
		laneOf,
		async (job) => {
			const outcome = await sendOne(job);
			if (!outcome) return;
			outcomes.set(job.index, outcome);
			if ('error' in outcome) failed = true;
		},
		{ maxConcurrency: settings.maxConcurrency, isStopped, letOthersRun: async () => await clock.sleep(0) },
	);
	return outcomes;
}

/** Texts in one lane keep their order. An id's case does not make another channel. */
function laneOf({ channelId, recipient }: TextMessage): string {
	return `${channelId.toUpperCase()} ${recipient}`;
}

/** Sends when the gate lets it, and again after the wait that the service asks for. Undefined when cancelled before it was sent. */
async function offerUntilTaken(job: SendJob, settings: SendSettings, gate: Gate): Promise<string | undefined> {
	for (let offer = 1; ; offer++) {
		const slot = await gate.enter(settings.signal);
		if (!slot) return undefined;
		const answer = await settings.send(job).then(
			(messageId) => ({ messageId }),
			(error: unknown) => ({ error }),
		);
		gate.leave(slot);
		if ('messageId' in answer) return answer.messageId;
		const wait = waitAskedFor(answer.error);
		if (wait === undefined) throw answer.error;
		if (wait > LONGEST_WAIT) gate.close(wait, answer.error);
		if (wait > LONGEST_WAIT || offer === MOST_OFFERS) throw answer.error;
		gate.pause(Math.max(wait, SHORTEST_WAIT));
	}
}

/** Milliseconds that a 429 or 503 asks to wait. */
function waitAskedFor(error: unknown): number | undefined {
	if (!(error instanceof ServiceError)) return undefined;
	return error.reason === 'rate_limited' || error.reason === 'service_unavailable' ? error.failure.retryAfter : undefined;
}

function unknownOutcome(cause: string): ServiceError {
	return new ServiceError('tell whether the text was sent', {
		reason: 'unknown_outcome',
		effect: 'unknown',
		cause,
		hint: 'It may have been sent, so it is not sent again on its own. Look into the chat before you repeat it.',
	});
}
