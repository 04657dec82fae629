import type { Clock } from '../sending/gate';
import type { CreateWebhookRequest, WebhookWithSecret } from '../service/contract';
import { asError, ServiceError } from '../service/errors';
import type { WebhookApi } from '../service/webhooks';
import { deleteIfThere } from '../service/webhooks';
import type { WaitingQuestion } from './temporaryWebhook';
import { isOver, sweep } from './temporaryWebhook';

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
 * @throws ServiceError with the reason `question_waiting` when it was not this question's turn in time
 */
export async function takeTurn(api: WebhookApi, turn: Turn): Promise<WebhookWithSecret> {
	const { clock } = turn;
	const until = clock.now() + Math.max(turn.queue, LOOK_AGAIN);
	for (let pause = SHORTEST_PAUSE; ; pause = Math.min(pause * 1.5, LONGEST_PAUSE)) {
		const other = findOther(await sweep(api, turn, () => clock.now()), turn);
		const made = other ? undefined : await api.create(turn.webhook);
		const holder = other ?? (made && (await findRival(api, made, turn)));
		if (made && !holder) return made;
		if (turn.isCancelled()) throw busy(undefined, turn);
		if (clock.now() >= until) throw busy(holder, turn);
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

function busy(holder: WaitingQuestion | undefined, { queue }: Turn): ServiceError {
	const action = 'ask the question';
	if (!holder) return new ServiceError(action, { reason: 'cancelled', effect: 'none', cause: 'the execution was cancelled before it was sent', hint: 'Nothing was sent.' });
	const { webhook, mark, owner } = holder;
	const waited = queue > 0 ? 'It stood in the queue for as long as "Longest Time in Queue" says.' : 'To ask after the other one, set "When Another Question Waits" to Queue.';
	return new ServiceError(action, {
		reason: 'question_waiting',
		effect: 'none',
		cause: 'another question to this recipient waits for its answer on this channel',
		hint: `Nothing was sent. The other one waits until ${mark.deadline}, in execution ${mark.executionId} of workflow ${owner.workflowId ?? 'unknown'}. ${waited} If that execution was cancelled, delete its webhook ${webhook.id} with the operation Webhook → Delete.`,
	});
}
