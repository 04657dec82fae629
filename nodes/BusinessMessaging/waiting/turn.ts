import type { Clock } from '../sending/gate';
import type { CreateWebhookRequest, WebhookWithSecret } from '../service/contract';
import { asError } from '../service/errors';
import type { WebhookApi } from '../service/webhooks';
import { deleteIfThere } from '../service/webhooks';
import type { WaitingQuestion } from './temporaryWebhook';
import { isOver, sweep } from './temporaryWebhook';

/** Another question to the same recipient waits on the channel. */
export class BusyError extends Error {
	constructor(
		message: string,
		/** What to do next, in whole sentences. */
		readonly hint: string,
	) {
		super(message);
		this.name = 'BusyError';
	}
}

export interface Turn {
	/** What is to be registered. */
	webhook: CreateWebhookRequest;
	recipient: string;
	instanceId: string;
	executionId: string;
	/** Milliseconds to stand in the queue; 0 refuses. */
	queue: number;
	clock: Clock;
	isCancelled(): boolean;
	/** Between 0 and 1. */
	random(): number;
}

/** A question that was just answered is still listed for a moment, so even who refuses looks twice. In milliseconds. */
const LOOK_AGAIN = 3000;
const SHORTEST_PAUSE = 500;
const LONGEST_PAUSE = 15_000;

/**
 * Registers the webhook of a question, unless another question to the recipient waits on the channel. The service's list is all that several executions
 * and processes share, and it locks nothing: so the webhook is registered first, and given up again when one that is as old or older is seen then.
 * Of two that see each other, at most one stays.
 * @throws BusyError when it was not this question's turn in time
 */
export async function takeTurn(api: WebhookApi, turn: Turn): Promise<WebhookWithSecret> {
	const { clock } = turn;
	const until = clock.now() + Math.max(turn.queue, LOOK_AGAIN);
	for (let pause = SHORTEST_PAUSE; ; pause = Math.min(pause * 1.5, LONGEST_PAUSE)) {
		const other = findOther(await sweep(api, turn, () => clock.now()), turn);
		const made = other ? undefined : await api.create(turn.webhook);
		const holder = other ?? (made && (await findRival(api, made, turn)));
		if (made && !holder) return made;
		if (turn.isCancelled() || clock.now() >= until) throw busy(holder, turn);
		// At random, so that two that gave way to each other do not meet again.
		await clock.sleep(pause * (0.5 + turn.random()));
	}
}

function findOther(waiting: readonly WaitingQuestion[], { recipient, executionId, clock }: Turn): WaitingQuestion | undefined {
	return waiting.find((question) => question.mark.recipient === recipient && question.mark.executionId !== executionId && !isOver(question, clock.now()));
}

/** Another one that holds the turn; then the webhook is given up again. */
async function findRival(api: WebhookApi, made: WebhookWithSecret, turn: Turn): Promise<WaitingQuestion | undefined> {
	// Without the execution's id: its own webhook is no leftover now.
	const seen = await sweep(api, { instanceId: turn.instanceId }, () => turn.clock.now()).then(
		(waiting) => ({ waiting }),
		(error: unknown) => ({ error: asError(error) }),
	);
	const waiting = 'error' in seen ? [] : seen.waiting;
	const since = (waiting.find(({ webhook }) => webhook.id === made.id)?.webhook ?? made).createdAt ?? '';
	const rival = waiting.find((question) => findOther([question], turn) !== undefined && (question.webhook.createdAt ?? '') <= since);
	if (rival || 'error' in seen) await deleteIfThere(api, made.id);
	if ('error' in seen) throw seen.error;
	return rival;
}

function busy(holder: WaitingQuestion | undefined, { queue }: Turn): BusyError {
	const waited = queue > 0 ? ' It stood in the queue for as long as "Longest Time in Queue" says.' : ' To wait for the other one to end, set "When Another Question Waits" to Queue.';
	if (!holder) return new BusyError('The execution was cancelled before the question was sent', 'Nothing was sent.');
	return new BusyError(
		'Another question to this recipient waits for its answer on this channel',
		`It waits until ${holder.mark.deadline}, in execution ${holder.mark.executionId} of workflow ${holder.owner.workflowId ?? 'unknown'}, and nothing was sent.${waited} If that execution was cancelled, delete its webhook ${holder.webhook.id} with the operation Webhook → Delete.`,
	);
}
