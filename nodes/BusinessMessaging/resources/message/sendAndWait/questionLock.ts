import type { Clock } from '../../../shared/clock';
import type { CreateWebhookRequest, WebhookWithSecret } from '../../../service/contract';
import { isSameId } from '../../../service/contract';
import { asError, ServiceError } from '../../../service/errors';
import type { WebhookApi } from '../../../service/webhooks';
import { deleteIfThere } from '../../../service/webhooks';
import type { WaitingQuestion } from '../../../shared/waitingQuestion';
import { isOver, marksOf } from '../../../shared/waitingQuestion';
import { sweep } from './temporaryWebhook';

/** Somebody who is to be asked. */
export interface Addressee {
	recipient: string;
	/** The marks under which another question to them may stand. */
	mark: string;
	formerMarks: readonly string[];
}

/** A question that is to be asked. */
export interface LockRequest {
	/** What is to be registered, for those who can be asked. */
	describe(addressees: readonly Addressee[]): CreateWebhookRequest;
	addressees: readonly Addressee[];
	instanceId: string;
	executionId: string;
	/** Milliseconds to stand in the queue; 0 refuses. */
	queue: number;
	clock: Clock;
	isCancelled(): boolean;
	/** Between 0 and 1. */
	random(): number;
}

/** What may be asked now. */
export interface Lock {
	made: WebhookWithSecret;
	addressees: readonly Addressee[];
	/** Those of whom another question awaits a reply. */
	busy: ReadonlyArray<{ recipient: string; error: ServiceError }>;
}

/** A question that was just answered is still listed for a moment, so even who refuses looks twice. In milliseconds. */
const LOOK_AGAIN = 3000;
const SHORTEST_PAUSE = 500;
const LONGEST_PAUSE = 15_000;
const ACTION = 'ask the question';

/**
 * Registers the webhook of a question for those of whom no other question on the channel awaits a reply; the others are waited for first, as long as the
 * request says. The service's list is all that several executions and processes share, and it locks nothing: so the webhook is registered first, and given
 * up again when one to the same person that is as old or older is seen then. Of two that see each other, at most one stays.
 * @throws ServiceError with the reason `question_waiting` when nobody could be asked all the time
 */
export async function lockQuestion(api: WebhookApi, request: LockRequest): Promise<Lock> {
	const { clock } = request;
	const until = clock.now() + Math.max(request.queue, LOOK_AGAIN);
	const busy: Array<{ recipient: string; error: ServiceError }> = [];
	let { addressees } = request;
	for (let pause = SHORTEST_PAUSE; ; pause = Math.min(pause * 1.5, LONGEST_PAUSE)) {
		let held = findHeld(await sweep(api, request, () => clock.now()), addressees, request);
		if (held.size === 0) {
			const made = await api.create(request.describe(addressees));
			held = await giveWay(api, made, addressees, request);
			if (held.size === 0) return { made, addressees, busy };
		}
		if (request.isCancelled()) throw cancelled();
		if (clock.now() < until) {
			// At random, so that two that gave way to each other do not meet again.
			await clock.sleep(pause * (0.5 + request.random()));
			continue;
		}
		for (const [{ recipient }, holder] of held)
			busy.push({ recipient, error: busyError(holder, request) });
		addressees = addressees.filter((addressee) => !held.has(addressee));
		if (addressees.length === 0) throw busy[0]!.error;
	}
}

/** Of whom another question awaits a reply, and which. */
type Held = Map<Addressee, WaitingQuestion>;

function findHeld(
	waiting: readonly WaitingQuestion[],
	addressees: readonly Addressee[],
	{ executionId, clock }: LockRequest,
): Held {
	const others = waiting.filter(
		(question) => question.mark.executionId !== executionId && !isOver(question, clock.now()),
	);
	const held: Held = new Map();
	for (const addressee of addressees) {
		const holder = others.find((question) =>
			marksOf(question).some(
				(mark) => mark === addressee.mark || addressee.formerMarks.includes(mark),
			),
		);
		if (holder) held.set(addressee, holder);
	}
	return held;
}

/** Gives the webhook up again where an older one holds the lock, or nobody knows whether one does. @returns what the older ones hold */
async function giveWay(
	api: WebhookApi,
	made: WebhookWithSecret,
	addressees: readonly Addressee[],
	request: LockRequest,
): Promise<Held> {
	let held: Held;
	try {
		// Without the execution's id: its own webhook is no leftover now.
		const waiting = await sweep(api, { instanceId: request.instanceId }, () => request.clock.now());
		held = findHeld(olderThan(waiting, made), addressees, request);
	} catch (error) {
		await deleteIfThere(api, made.id);
		throw asError(error);
	}
	if (held.size > 0) await deleteIfThere(api, made.id);
	return held;
}

/** As old counts as older: then both give way. */
function olderThan(
	waiting: readonly WaitingQuestion[],
	made: WebhookWithSecret,
): WaitingQuestion[] {
	const listed = waiting.find(({ webhook }) => isSameId(webhook.id, made.id))?.webhook ?? made;
	const since = listed.createdAt ?? '';
	return waiting.filter(({ webhook }) => (webhook.createdAt ?? '') <= since);
}

function cancelled(): ServiceError {
	return new ServiceError(ACTION, {
		reason: 'cancelled',
		effect: 'none',
		cause: 'the execution was cancelled before it was sent',
		hint: 'Nothing was sent.',
	});
}

function busyError(holder: WaitingQuestion, { queue }: LockRequest): ServiceError {
	const { webhook, mark, owner } = holder;
	const waited =
		queue > 0
			? 'It stood in the queue for as long as "Longest Time in Queue" says.'
			: 'To ask after the other one, set "When Another Question Waits" to Queue.';
	return new ServiceError(ACTION, {
		reason: 'question_waiting',
		effect: 'none',
		cause: 'another question to this recipient waits for its answer on this channel',
		hint: `Nothing was sent. The other one waits until ${mark.deadline}, in execution ${mark.executionId} of workflow ${owner.workflowId ?? 'unknown'}. ${waited} If that execution was cancelled, delete its webhook ${webhook.id} with the operation Webhook → Delete.`,
	});
}
